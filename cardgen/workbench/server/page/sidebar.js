/** The list of components, with their cards and how many have findings. */
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { placeOf, store } from "./store.js";

export function sidebar() {
  const list = byArrows(h("ul", { class: "components", role: "listbox", "aria-label": "Components" }));
  const files = h("p", { class: "foot muted" });
  store.watch(["components", "cards", "matching", "component", "query", "findingsByCard", "view", "deck"], () => {
    const all = [...store.cards.values()];
    const shown = new Map();
    for (const card of store.matching) shown.set(card.component, (shown.get(card.component) ?? 0) + 1);
    const filtered = Boolean(store.query.trim()) && store.view === "cards";
    const rows = store.components
      .map((component) => ({ component, cards: all.filter((card) => card.component === component.id) }))
      .filter(({ cards }) => cards.length)
      .map(({ component, cards }) => row(component.id, component.title, cards, filtered && (!store.component || store.component === component.id) ? shown.get(component.id) ?? 0 : null, component));
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.component : null;
    const everything = store.view === "hand" ? [] : [row("", "Everything", all, filtered && !store.component ? store.matching.length : null, null)];
    list.replaceChildren(...everything, ...rows);
    if (focused !== null) [...list.querySelectorAll("button")].find((each) => each.dataset.component === focused)?.focus();
    const pieces = all.reduce((sum, card) => sum + card.copies, 0);
    files.textContent = all.length ? `${all.length.toLocaleString("en")} designs, ${pieces.toLocaleString("en")} pieces` : "";
  });
  return [h("h2", { class: "panel-title", text: "Components" }), list, ...deckLists(), files];
}

/** Arrow keys go from entry to entry of a list. */
function byArrows(list) {
  list.addEventListener("keydown", (event) => {
    const items = [...list.querySelectorAll("button")];
    const at = items.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined || !items[to]) return;
    items[to].focus();
    event.preventDefault();
  });
  return list;
}

/** The game's deck lists, to draw hands from. */
function deckLists() {
  const title = h("h2", { class: "panel-title", text: "Deck lists" });
  const list = byArrows(h("ul", { class: "components", role: "listbox", "aria-label": "Deck lists" }));
  store.watch(["decks", "pile", "view"], () => {
    title.hidden = list.hidden = store.view !== "hand" || !store.decks.length;
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.pile : null;
    list.replaceChildren(...store.decks.map(deckRow));
    if (focused !== null) [...list.querySelectorAll("button")].find((each) => each.dataset.pile === focused)?.focus();
  });
  return [title, list];
}

function deckRow(deck) {
  const settings = { type: "button", role: "option", "aria-selected": String(store.pile === deck.id), title: [deck.title, deck.description].filter(Boolean).join(": "), data: { pile: deck.id }, on: { click: () => store.set({ pile: deck.id }) } };
  const count = deck.copies.reduce((sum, [, copies]) => sum + copies, 0);
  return h("li", { role: "presentation" }, h("button", settings, icon("hand"), h("span", { class: "name", text: deck.title }), h("span", { class: "count", text: String(count) })));
}

function row(id, title, cards, shown, component) {
  const troubled = id === "" ? [] : cards.filter((card) => store.findingsByCard.has(placeOf(card)));
  const worst = troubled.map((card) => store.findingsByCard.get(placeOf(card))[0].severity);
  const severity = ["error", "warning", "note"].find((each) => worst.includes(each));
  const selected = (store.view === "hand" ? store.deck : store.component) === id;
  return h(
    "li",
    { role: "presentation" },
    h(
      "button",
      {
        type: "button",
        role: "option",
        "aria-selected": String(selected),
        data: { component: id },
        on: { click: () => store.set({ component: id, pile: "", view: store.view === "hand" ? "hand" : "cards" }) },
      },
      outline(component, cards[0]),
      h("span", { class: "name", text: title }),
      severity && h("span", { class: `sign ${severity}`, title: `${troubled.length} with findings` }, icon(severity), String(troubled.length)),
      h("span", { class: "count", text: shown === null ? String(cards.length) : `${shown}/${cards.length}`, title: shown === null ? null : `${shown} of ${cards.length} match` }),
    ),
  );
}

/** The piece's own shape, small. */
function outline(component, card) {
  if (!component || !card) return h("span", { class: "outline none" });
  const [width, height] = card.trim;
  const scale = 14 / Math.max(width, height);
  const vars = { "--ow": `${Math.max(4, width * scale)}px`, "--oh": `${Math.max(4, height * scale)}px` };
  const shape = component.shape === "ellipse" ? "round" : component.shape === "hexagon" ? (width >= height ? "flat" : "pointed") : component.corner ? "cornered" : "square";
  return h("span", { class: `outline ${shape}`, vars });
}
