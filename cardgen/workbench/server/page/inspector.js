/** What is to be known of the card that is selected: its sides, findings and data. */
import { amount, button, h } from "./dom.js";
import { cardFindings, isLow } from "./findings.js";
import { cardForm } from "./form.js";
import { titleOf } from "./grid.js";
import { icon } from "./icons.js";
import { lookSwitches } from "./looks.js";
import { openPlace, placeWords } from "./opening.js";
import { marksOf, Side } from "./side.js";
import { componentOf, placeOf, store } from "./store.js";
import { sizeWords, trueScale } from "./units.js";

const TALLEST = 340;
/** Most errors that are shown as the cause of an old picture. */
const MOST_CAUSES = 4;

export function selectedCard() {
  return store.cards.get(store.selected) ?? null;
}

/** Marks of both sides of a card. */
export async function marksOfCard(card) {
  const sides = [card.face, card.back].filter((side) => side?.look === "marked");
  return (await Promise.all(sides.map((side) => marksOf(side.key)))).flat();
}

/** Words about a card that stand under its title: component, size, copies; and its place. */
export function cardFacts(card) {
  const component = componentOf(card);
  const facts = [component?.title, sizeWords(card.trim), card.copies === 1 ? "" : `${card.copies} copies`];
  return [
    h("p", { class: "facts muted", text: facts.filter(Boolean).join(" · ") }),
    h("p", { class: "facts" }, button(placeWords(card.file, card.line), () => openPlace(card.file, card.line), { class: "link code", title: "Open in the editor (e)" })),
  ];
}

/** Errors for which a card is shown as it was, if none is its own: those of its file, else those of no card. */
function causes(card, own) {
  const isOld = [card.face, card.back].some((side) => side && ["stale", "none"].includes(side.look));
  if (!isOld || own.some((finding) => finding.severity === "error")) return [];
  const errors = store.findings.filter((finding) => finding.severity === "error");
  const ofFile = errors.filter((finding) => finding.file === card.file && !finding.path);
  return (ofFile.length ? ofFile : errors.filter((finding) => !finding.cards.length)).slice(0, MOST_CAUSES);
}

/** A card's findings and data, kept up to date by `show(card)`. */
export function cardDetails() {
  const findings = h("section", { class: "part", "aria-label": "Findings" });
  const form = cardForm();
  const data = h("section", { class: "part", "aria-label": "Data" }, h("h3", { text: "Data" }), form.element);
  let shown = null;
  const show = async (card) => {
    shown = card;
    form.show(card);
    const own = store.findingsByCard.get(placeOf(card)) ?? [];
    const found = [...causes(card, own), ...own];
    const list = (marks) => {
      const rows = cardFindings(found, marks);
      findings.hidden = !rows;
      findings.replaceChildren(...(rows ? [h("details", { open: !isLow.matches }, h("summary", {}, h("h3", { text: amount(rows.children.length, "finding") })), rows)] : []));
    };
    const marks = await marksOfCard(card);
    if (shown === card) list(marks);
  };
  return { parts: [findings, data], show };
}

export function cardPanel() {
  const side = new Side().near(true);
  side.isSeen = true;
  const stage = h("div", { class: "stage", on: { dblclick: () => large() } }, side);
  const title = h("h2", {});
  const facts = h("div", {});
  const details = cardDetails();
  const none = h("p", { class: "empty", text: "Select a card to see it here." });
  const large = () => stage.dispatchEvent(new CustomEvent("open-card", { bubbles: true, detail: store.selected }));
  const flip = button("Flip", () => store.set({ flipped: !store.flipped }), { class: "chip", title: "Face or back (f)" });
  const switches = lookSwitches(["bleed", "trim", "safe", "lowInk"]);
  switches.prepend(flip);
  const head = h("div", { class: "card-head" }, title, button("Open large (Enter)", large, { icon: icon("large"), class: "plain" }));
  const body = h("div", { class: "panel-body" }, h("div", { class: "part" }, head, facts), stage, h("div", { class: "part tight" }, switches), details.parts);
  const panel = h("div", { class: "card-panel" }, none, body);

  const draw = () => {
    const card = selectedCard();
    none.hidden = Boolean(card);
    body.hidden = !card;
    if (!card) return;
    const back = store.flipped && card.back;
    title.textContent = titleOf(card);
    facts.replaceChildren(...cardFacts(card));
    flip.hidden = !card.back;
    flip.setAttribute("aria-pressed", String(Boolean(back)));
    side.show(back ? card.back : card.face, card, componentOf(card), back ? "back" : "face");
    size(card);
    details.show(card);
  };
  const size = (card) => {
    const room = panel.clientWidth - 32;
    if (room <= 0) return;
    const border = store.bleed ? 2 * (componentOf(card)?.bleed ?? 0) : 0;
    const most = Math.min(room / (card.trim[0] + border), TALLEST / (card.trim[1] + border));
    side.scale(Math.min(trueScale() * 1.5, most));
  };
  store.watch(["selected", "cards", "components", "findingsByCard", "flipped", "bleed", "calibration"], draw);
  store.watch(["selected"], () => {
    body.scrollTop = 0;
    if (store.flipped) store.set({ flipped: false });
  }, { now: false });
  store.watch(["flashing"], () => store.flashing?.has(store.selected) && side.flash(), { now: false });
  new ResizeObserver(() => selectedCard() && size(selectedCard())).observe(panel);
  return panel;
}
