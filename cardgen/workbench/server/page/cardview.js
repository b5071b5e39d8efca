/** A card opened large over the page, with its neighbours an arrow key away. */
import { button, h } from "./dom.js";
import { titleOf } from "./grid.js";
import { icon } from "./icons.js";
import { cardDetails, cardFacts, selectedCard } from "./inspector.js";
import { lookSwitches } from "./looks.js";
import { Side } from "./side.js";
import { componentOf, placeOf, store } from "./store.js";
import { stepFrom, trueScale } from "./units.js";

const GAP = 24;
const SHOWN = ["both", "face", "back"];

class CardView {
  constructor() {
    this.zoom = 0;
    this.shown = "both";
    this.face = new Side().near(true);
    this.back = new Side().near(true);
    this.face.isSeen = this.back.isSeen = true;
    this.stage = h("div", { class: "large-stage", role: "group", "aria-label": "The card" }, this.face, this.back);
    this.title = h("h2", { id: "card-view-title" });
    this.facts = h("div", {});
    this.details = cardDetails();
    this.sideChip = button("Face and back", () => this.flip(), { class: "chip", title: "Both, face, back (f)" });
    this.zoomChip = button("Fit", () => this.zoomTo(this.zoom ? 0 : 1), { class: "chip", title: "Fit or true size (0); larger and smaller (+ −)" });
    this.dialog = h(
      "dialog",
      { class: "card-view", tabIndex: -1, "aria-labelledby": "card-view-title", on: { close: () => this.closed(), keydown: (event) => this.key(event) } },
      h(
        "div",
        { class: "large-bar" },
        button("The card before (←)", () => this.step(-1), { icon: icon("left"), class: "plain" }),
        button("The next card (→)", () => this.step(1), { icon: icon("right"), class: "plain" }),
        this.sideChip,
        this.zoomChip,
        lookSwitches(),
        button("Close (Esc)", () => this.dialog.close(), { icon: icon("close"), class: "plain end" }),
      ),
      this.stage,
      h("div", { class: "large-side" }, h("div", { class: "part" }, this.title, this.facts), this.details.parts),
    );
    document.body.append(this.dialog);
    store.watch(["cards", "selected", "components", "findingsByCard", "bleed", "half", "calibration"], () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.stage);
  }

  open() {
    if (!selectedCard() || this.dialog.open) return;
    this.zoom = 0;
    this.dialog.showModal();
    this.draw();
    this.dialog.focus();
  }

  closed() {
    const grid = document.querySelector("cg-grid");
    if (store.view === "cards") grid?.reveal(store.selected, { focus: true });
  }

  draw() {
    const card = selectedCard();
    if (!this.dialog.open) return;
    if (!card) {
      this.dialog.close();
      return;
    }
    const component = componentOf(card);
    const shown = card.back ? this.shown : "face";
    this.title.textContent = titleOf(card);
    this.facts.replaceChildren(...cardFacts(card));
    this.sideChip.hidden = !card.back;
    this.sideChip.firstElementChild.textContent = { both: "Face and back", face: "Face", back: "Back" }[shown];
    this.face.hidden = shown === "back";
    this.back.hidden = shown === "face";
    const scale = this.scale(card, component, shown === "both" ? 2 : 1);
    this.face.show(card.face, card, component, "face").scale(scale);
    if (card.back) this.back.show(card.back, card, component, "back").scale(scale);
    const words = this.zoom ? `${Math.round(this.zoom * 100)} %` : `Fit, ${Math.round((scale / trueScale()) * 100)} %`;
    this.zoomChip.firstElementChild.textContent = store.half ? `${words}, halved` : words;
    this.details.show(card);
  }

  scale(card, component, sides) {
    const border = store.bleed ? 2 * (component?.bleed ?? 0) : 0;
    const half = store.half ? 0.5 : 1;
    if (this.zoom) return trueScale() * this.zoom * half;
    const width = (this.stage.clientWidth - GAP * (sides + 1)) / sides / (card.trim[0] + border);
    const height = (this.stage.clientHeight - GAP * 2) / (card.trim[1] + border);
    const stacked = sides === 2 ? Math.min((this.stage.clientWidth - GAP * 2) / (card.trim[0] + border), (this.stage.clientHeight - GAP * 3) / 2 / (card.trim[1] + border)) : 0;
    const beside = Math.min(width, height);
    this.stage.classList.toggle("stacked", stacked > beside);
    return Math.max(0.2, Math.min(beside > stacked ? beside : stacked, trueScale() * 4)) * half;
  }

  zoomTo(zoom) {
    this.zoom = zoom;
    this.draw();
  }

  flip() {
    this.shown = SHOWN[(SHOWN.indexOf(this.shown) + 1) % SHOWN.length];
    this.draw();
  }

  step(direction) {
    const places = store.matching.map(placeOf);
    const at = places.indexOf(store.selected);
    const next = places[at + direction];
    if (next) store.set({ selected: next });
  }

  key(event) {
    if (event.target.matches("input, textarea, select")) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, input")) return;
    const does = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      f: () => this.flip(),
      0: () => this.zoomTo(this.zoom === 1 ? 0 : 1),
      "+": () => this.zoomTo(stepFrom(this.zoom || this.now(), 1)),
      "=": () => this.zoomTo(stepFrom(this.zoom || this.now(), 1)),
      "-": () => this.zoomTo(stepFrom(this.zoom || this.now(), -1)),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    event.stopPropagation();
    does();
  }

  now() {
    const card = selectedCard();
    return this.scale(card, componentOf(card), card.back && this.shown === "both" ? 2 : 1) / trueScale();
  }
}

export function cardView() {
  return new CardView();
}
