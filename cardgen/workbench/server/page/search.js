/** The search field: offers what could come next, and says what it can't read. */
import { complete } from "./completing.js";
import { button, h, settled } from "./dom.js";
import { fieldsShown } from "./filtering.js";
import { icon } from "./icons.js";
import { menu } from "./menus.js";
import { store } from "./store.js";

const EXAMPLES = [
  ["ghost", "the word anywhere on a card"],
  ["\"two words\"", "both, side by side"],
  ["suit:sun", "the field is this; with commas, one of several: suit:sun,moon"],
  ["cost>3", "also >= < <= !=, and a range: cost:1..3"],
  ["text~draw", "the field contains this"],
  ["requires.points>3", "a field within a field"],
  ["-rare", "not"],
  ["ghost or wraith", "either; brackets group"],
  ["has:findings", "the card has findings; has:art, the field is filled"],
  ["is:changed", "since the compared revision; is:edited, since this page was opened"],
  ["is:marked", "drawn with problems; is:stale, is:missing"],
];

let field = null;

export function focusSearch() {
  field?.focus();
  field?.select();
}

export function searchBox() {
  const offers = h("ul", { class: "offers", role: "listbox", id: "offers", "aria-label": "What could come next", hidden: true });
  const trouble = h("p", { class: "trouble", id: "trouble", role: "status", hidden: true });
  field = h("input", {
    type: "search",
    maxlength: 1000,
    class: "search-field",
    placeholder: "Search, as in suit:sun cost>3",
    autocomplete: "off",
    spellcheck: "false",
    role: "combobox",
    "aria-label": "Search cards",
    "aria-expanded": "false",
    "aria-controls": "offers",
    "aria-autocomplete": "list",
    "aria-describedby": "trouble",
  });
  let chosen = -1;
  let offered = null;

  const hide = () => {
    offers.hidden = true;
    chosen = -1;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  };

  const mark = () => {
    [...offers.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === chosen)));
    if (chosen >= 0) field.setAttribute("aria-activedescendant", `offer-${chosen}`);
    else field.removeAttribute("aria-activedescendant");
    offers.children[chosen]?.scrollIntoView({ block: "nearest" });
  };

  const take = (item) => {
    const before = field.value.slice(0, offered.from) + item.text;
    const open = /[:.~]$/u.test(item.text);
    const after = field.value.slice(offered.to);
    field.value = before + (open || after.startsWith(" ") ? "" : " ") + after;
    field.setSelectionRange(before.length + (open ? 0 : 1), before.length + (open ? 0 : 1));
    search();
    offer();
  };

  const offer = () => {
    const cards = [...store.cards.values()].filter((card) => !store.component || card.component === store.component);
    offered = complete(field.value, field.selectionStart ?? field.value.length, cards, fieldsShown());
    const typed = field.value.slice(offered.from, offered.to);
    const items = offered.items.filter((item) => item.text !== typed);
    chosen = -1;
    offers.replaceChildren(
      ...items.map((item, index) =>
        h(
          "li",
          { role: "option", id: `offer-${index}`, "aria-selected": "false", on: { pointerdown: (event) => (event.preventDefault(), take(item)) } },
          h("code", { text: item.label }),
          h("span", { class: "muted", text: item.about }),
        ),
      ),
    );
    offered.items = items;
    offers.hidden = !items.length || document.activeElement !== field;
    field.setAttribute("aria-expanded", String(!offers.hidden));
  };

  const search = () => store.set({ query: field.value });
  const later = settled(search, 90);

  field.addEventListener("input", () => {
    later();
    offer();
  });
  field.addEventListener("blur", hide);
  field.addEventListener("keydown", (event) => {
    const shown = !offers.hidden;
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && shown) {
      const count = offered.items.length;
      chosen = event.key === "ArrowDown" ? (chosen + 1) % count : (chosen <= 0 ? count : chosen) - 1;
      mark();
    } else if (event.key === "Tab" && shown && !event.shiftKey) take(offered.items[Math.max(0, chosen)]);
    else if (event.key === "Enter" && shown && chosen >= 0) take(offered.items[chosen]);
    else if (event.key === "Enter" || (event.key === "ArrowDown" && !shown)) {
      search();
      hide();
      document.querySelector("cg-grid")?.focusCards();
    } else if (event.key === "Escape" && shown) hide();
    else if (event.key === "Escape" && field.value) {
      field.value = "";
      search();
    } else if (event.key === "Escape") document.querySelector("cg-grid")?.focusCards();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  store.watch(["query"], () => {
    if (field.value.trim() !== store.query.trim()) field.value = store.query;
  });
  store.watch(["problems"], () => {
    const words = (store.problems ?? []).map((problem) => problem.message);
    trouble.hidden = !words.length;
    trouble.textContent = words.map((each) => `${each.charAt(0).toUpperCase()}${each.slice(1)}.`).join("\n");
    field.setAttribute("aria-invalid", String(Boolean(words.length)));
  });

  const help = button("How to search", () => {}, { icon: h("b", { text: "?" }), class: "plain help" });
  menu(help, (close) => [
    h("h3", { text: "Search by word or by field" }),
    h(
      "dl",
      { class: "examples" },
      EXAMPLES.map(([words, about]) => [
        h("dt", {}, button(words, () => (store.set({ query: words }), close(), field.focus()), { class: "plain code" })),
        h("dd", { text: about }),
      ]).flat(),
    ),
    h("p", { class: "muted", text: `Fields here: ${fieldsShown().join(", ") || "none"}` }),
  ], { className: "wide" });
  return h("div", { class: "search" }, icon("search"), field, help, offers, trouble);
}
