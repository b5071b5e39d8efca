/** Hands drawn from a deck, again and again, and the odds beside them. */
import { amount, button, h } from "./dom.js";
import { titleOf } from "./grid.js";
import { icon } from "./icons.js";
import * as odds from "./odds.js";
import { openPlace } from "./opening.js";
import { parse } from "./query.js";
import { verdictSign } from "./rules.js";
import { deckOf, listed, shuffled } from "./shuffling.js";
import { Side } from "./side.js";
import { componentOf, placeOf, store } from "./store.js";
import { trueScale } from "./units.js";
import { context } from "./filtering.js";

class Hand {
  constructor() {
    this.size = 5;
    this.seed = String(Math.floor(Math.random() * 9000) + 1000);
    this.turn = 1;
    this.least = 1;
    this.cards = h("div", { class: "hand", role: "list", "aria-label": "Hand", tabIndex: 0, on: { keydown: (event) => this.key(event) } });
    this.title = h("h2", {});
    this.words = h("span", { class: "muted whole" });
    this.trouble = h("span", { class: "trouble", role: "status" });
    this.place = button("Open the deck list in the editor", () => this.list && openPlace(this.list.file, this.list.line), { icon: icon("open"), class: "plain" });
    this.draws = number("Cards drawn", 5, 1, 99, (value) => ((this.size = value), this.draw()));
    this.seedField = h("input", { class: "field seed", "aria-label": "Seed", value: this.seed, spellcheck: "false", on: { change: () => ((this.seed = this.seedField.value || "1"), (this.turn = 1), this.draw()) } });
    this.turnWords = h("span", { class: "count", title: "Which hand of this seed" });
    this.wanted = h("input", { class: "field", type: "search", "aria-label": "Cards that count, written like a search", spellcheck: "false", on: { input: () => this.odds() } });
    this.atLeast = number("At least", 1, 0, 99, (value) => ((this.least = value), this.odds()));
    this.odd = h("div", { class: "odds", "aria-live": "polite" });
    this.ruled = h("div", {});
    this.main = h(
      "div",
      { class: "view" },
      h(
        "div",
        { class: "toolbar" },
        h("div", { class: "named grow" }, this.title, this.words, this.trouble),
        this.place,
        h("label", { class: "labelled" }, h("span", { text: "Draw" }), this.draws),
        button("The hand before (Backspace)", () => this.step(-1), { icon: icon("left"), class: "plain" }),
        this.turnWords,
        button("Draw again", () => this.step(1), { icon: icon("dice"), words: true, class: "main", title: "Space" }),
        button("One more", () => ((this.size = Math.min(99, this.size + 1)), (this.draws.value = this.size), this.draw()), { class: "chip", title: "m" }),
        h("label", { class: "labelled", title: "The same seed draws the same hands" }, h("span", { text: "Seed" }), this.seedField),
      ),
      h(
        "div",
        { class: "hand-body" },
        this.cards,
        h(
          "section",
          { class: "odds-panel", "aria-label": "Odds" },
          h("h3", { text: "Odds of a hand like this" }),
          h("div", { class: "asked" }, h("span", { text: "At least" }), this.atLeast, h("span", { text: "with" }), this.wanted),
          this.odd,
          this.ruled,
        ),
      ),
    );
    store.watch(["component", "pile", "decks", "cards", "components", "view"], () => store.view === "hand" && this.draw());
    store.watch(["rules", "pile", "decks"], () => this.rules());
    new ResizeObserver(() => this.scale()).observe(this.cards);
  }

  /** Cards to draw from, each as often as there are copies of it: those of the deck list that is chosen, else of
   *  the component that is, or that of cards with most copies. A list that is gone is nothing else. */
  deck() {
    const all = [...store.cards.values()];
    this.list = store.decks.find((list) => list.id === store.pile) ?? null;
    this.lacking = [];
    if (store.pile) {
      const held = this.list ? listed(this.list, all) : { cards: [], lacking: [] };
      this.lacking = held.lacking;
      this.component = store.components.find((component) => component.id === this.list?.component);
      store.set({ deck: "" });
      return deckOf(held.cards);
    }
    const copies = (id) => all.reduce((sum, card) => sum + (card.component === id ? card.copies : 0), 0);
    const decks = store.components.filter((component) => component.kind === "card");
    const chosen = store.component || decks.sort((a, b) => copies(b.id) - copies(a.id))[0]?.id;
    this.component = store.components.find((component) => component.id === chosen);
    store.set({ deck: chosen ?? "" });
    return deckOf(all.filter((card) => card.component === chosen));
  }

  /** A search that this game knows: by the first of its numbers. */
  example() {
    const name = this.component?.fields.find((field) => !["copies", "number"].includes(field) && typeof this.all[0]?.fields[field] === "number");
    return name && /^[\w.-]+$/u.test(name) ? `${name}<=2` : "words on the card";
  }

  /** What there is to say of the deck list that is drawn from. */
  say() {
    const { list, lacking } = this;
    const title = list?.title ?? this.component?.title;
    const designs = new Set(this.all.map((card) => card.id)).size;
    this.title.textContent = title ?? "Hand";
    this.title.title = [title, list?.description].filter(Boolean).join(": ");
    this.words.textContent = title ? amount(this.all.length, "card") : "";
    this.wanted.placeholder = this.example();
    this.words.title = designs === this.all.length ? "" : `${amount(this.all.length, "card")}, ${amount(designs, "design")}`;
    this.trouble.textContent = [list?.stale ? "the last readable version" : "", lacking.length ? `without ${lacking.join(", ")}, which no longer exist` : ""].filter(Boolean).join("; ");
    this.trouble.title = this.trouble.textContent;
    this.place.hidden = !list;
    this.place.title = list ? `${list.file}: open in the editor` : "";
  }

  key(event) {
    const does = { " ": () => this.step(1), Backspace: () => this.step(-1), m: () => this.main.querySelectorAll(".chip")[0].click() }[event.key];
    if (!does || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    does();
  }

  step(direction) {
    this.turn = Math.max(1, this.turn + direction);
    this.draw();
  }

  handOf(turn) {
    return shuffled(this.all, `${this.seed}/${turn}`).slice(0, this.size);
  }

  draw() {
    this.all = this.deck();
    const held = this.handOf(this.turn);
    this.say();
    this.turnWords.textContent = `hand ${this.turn}`;
    const old = [...this.cards.children];
    this.cards.replaceChildren(
      ...(held.length
        ? held.map((card, index) => {
            const slot = old[index]?.side ? old[index] : this.slot();
            slot.side.show(card.face, card, componentOf(card), "face");
            slot.lastElementChild.textContent = titleOf(card);
            slot.place = placeOf(card);
            slot.card = card;
            return slot;
          })
        : [h("p", { class: "empty", text: this.emptyWords() })]),
    );
    this.scale();
    this.odds();
  }

  emptyWords() {
    if (!store.loaded) return "The cards are being read …";
    if (store.pile && !this.list) return `The deck list “${store.pile}” is missing or can’t be read. Choose another pile on the left.`;
    return "There are no cards to draw from. Choose another pile on the left.";
  }

  slot() {
    const side = new Side().near(true);
    side.isSeen = true;
    const slot = h("button", { type: "button", class: "slot" }, side, h("span", { class: "caption" }));
    slot.addEventListener("click", () => store.set({ selected: slot.place, panel: "card" }));
    slot.addEventListener("dblclick", () => slot.dispatchEvent(new CustomEvent("open-card", { bubbles: true, detail: slot.place })));
    slot.side = side;
    slot.setAttribute("role", "listitem");
    return slot;
  }

  scale() {
    const slots = [...this.cards.children].filter((slot) => slot.side);
    const width = this.cards.clientWidth - 40;
    if (!slots.length || width <= 0) return;
    const [wide] = slots[0].card.trim;
    const columns = Math.min(slots.length, Math.max(2, Math.floor(width / (wide * trueScale() * 0.62))));
    for (const slot of slots) slot.side.scale(Math.min(trueScale(), (width - 14 * columns) / columns / wide));
  }

  /** The chance of a hand of this size to hold so many of the cards that are asked for, exact. */
  odds() {
    const { match, problems, empty } = parse(this.wanted.value, this.component?.fields ?? []);
    if (problems.length || empty || !this.all?.length) {
      this.odd.replaceChildren(h("p", { class: problems.length ? "trouble" : "muted", text: problems.map((problem) => problem.message).join(". ") || "Enter a search for the cards that count to see the exact odds of drawing them." }));
      for (const slot of this.cards.children) slot.classList.remove("counts");
      return;
    }
    const around = context();
    const counts = (card) => match(card, around);
    const hits = this.all.filter(counts).length;
    const draw = Math.min(this.size, this.all.length);
    for (const slot of this.cards.children) slot.classList.toggle("counts", Boolean(slot.card && counts(slot.card)));
    const chance = odds.atLeast(this.all.length, hits, draw, this.least);
    const seen = Array.from({ length: this.turn }, (_, index) => this.handOf(index + 1).filter(counts).length).filter((held) => held >= this.least).length;
    const { ways } = odds.hypergeometric(this.all.length, hits, draw);
    const bars = ways.map((_, held) => ({ held, chance: odds.exactly(this.all.length, hits, draw, held) })).filter(({ chance: { over } }) => over);
    this.odd.replaceChildren(
      h("p", { class: "figure", text: odds.percentage(chance) }),
      h("p", { text: `At least ${this.least} in ${amount(draw, "card")} of ${this.all.length}; ${amount(hits, "counts", "count")}. ${odds.oneIn(chance)}.` }),
      h("p", { class: "muted exact", text: String(chance.under).length < 24 ? `Exactly ${chance.over} / ${chance.under}; on average ${odds.decimal(odds.mean(this.all.length, hits, draw), 2)} in a hand` : `On average ${odds.decimal(odds.mean(this.all.length, hits, draw), 2)} in a hand` }),
      h("p", { class: "muted", text: `Hands drawn here so far: ${seen} of ${this.turn}` }),
      h("table", { class: "bars" }, h("caption", { class: "unseen", text: "Chance of drawing exactly this many" }), h("tbody", {}, bars.slice(0, 12).map((bar) => h("tr", { class: bar.held >= this.least ? "counts" : "" }, h("th", { scope: "row", text: String(bar.held) }), h("td", {}, h("span", { class: "bar", vars: { "--share": String(odds.share(bar.chance)) } })), h("td", { class: "number", text: odds.percentage(bar.chance, 1) }))))),
    );
  }

  rules() {
    const ruled = store.rules.filter((rule) => rule.kind === "probability" && (rule.deck ?? "") === store.pile);
    this.ruled.replaceChildren(...(ruled.length ? [h("h3", { text: "What the rules require" }), h("ul", { class: "ruled" }, ruled.map((rule) => h("li", {}, verdictSign(rule.verdict), h("b", { text: rule.title || rule.id }), h("span", { class: "muted", text: rule.summary }))))] : []));
  }
}

function number(label, value, min, max, does) {
  const made = h("input", { class: "field number", type: "number", "aria-label": label, min, max, value });
  made.addEventListener("input", () => {
    const given = Math.round(Number(made.value));
    if (Number.isFinite(given) && made.value !== "") does(Math.max(min, Math.min(max, given)));
  });
  return made;
}

export function handView() {
  return new Hand();
}
