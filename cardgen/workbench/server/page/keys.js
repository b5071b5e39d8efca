/** Keys that work anywhere on the page, and the list of all. */
import { button, h } from "./dom.js";
import { icon } from "./icons.js";
import { selectedCard } from "./inspector.js";
import { nextVision, toggle } from "./looks.js";
import { openPlace } from "./opening.js";
import { turnBack } from "./saving.js";
import { focusSearch } from "./search.js";
import { store } from "./store.js";
import { zoomBy } from "./toolbar.js";

const VIEWS = ["cards", "sheets", "rules", "hand", "changes", "settings"];

const LIST = [
  ["Anywhere", [["1 – 5", "Cards, Sheets, Rules, Hand, Changes"], ["/", "Search"], ["g", "Findings"], ["Ctrl + − 0", "Larger, smaller, true size"], ["?", "This list"], ["Ctrl + Z, Ctrl + ⇧ + Z", "Undo and redo an edit"], ["Esc", "Close, or back to the cards"]]],
  ["Cards", [["← → ↑ ↓", "From card to card"], ["Enter", "Open large"], ["e", "Open in the editor"], ["f", "Face or back"], ["k", "Show the backs too"], ["y", "Every card as a row of a table"]]],
  ["Look", [["b", "Bleed"], ["t", "Trim"], ["s", "Safe zone"], ["v", "Seen by: gray, protan, deutan, tritan"], ["l", "Low ink"], ["h", "Half size of an enlarged card"]]],
  ["Hand", [["Space", "Draw again"], ["Backspace", "The hand before"], ["m", "One more card"]]],
];

let dialog = null;

export function showKeys() {
  if (!dialog) {
    dialog = h(
      "dialog",
      { class: "keys", "aria-label": "Keys" },
      h("div", { class: "large-bar" }, h("h2", { text: "Keys" }), button("Close (Esc)", () => dialog.close(), { icon: icon("close"), class: "plain end" })),
      h("div", { class: "key-groups" }, LIST.map(([title, keys]) => h("section", {}, h("h3", { text: title }), h("dl", {}, keys.map(([key, about]) => [h("dt", {}, h("kbd", { text: key })), h("dd", { text: about })]).flat())))),
    );
    document.body.append(dialog);
  }
  if (!dialog.open) dialog.showModal();
}

const PLAIN = {
  "/": focusSearchOfCards,
  "?": showKeys,
  g: () => {
    store.set({ panel: store.panel === "findings" ? "card" : "findings" });
    document.body.classList.toggle("right-open", store.panel === "findings");
  },
  b: () => toggle("bleed"),
  t: () => toggle("trim"),
  s: () => toggle("safe"),
  l: () => toggle("lowInk"),
  h: () => toggle("half"),
  k: () => toggle("backs"),
  y: () => store.set({ view: "cards", table: !store.table }),
  v: nextVision,
  f: () => store.set({ flipped: !store.flipped }),
  e: () => {
    const card = selectedCard();
    if (card) openPlace(card.file, card.line);
  },
  Escape: () => {
    document.body.classList.remove("left-open", "right-open");
    if (store.view === "cards") document.querySelector("cg-grid")?.focusCards();
  },
};
VIEWS.forEach((view, index) => (PLAIN[String(index + 1)] = () => store.set({ view })));

/** Those that also work while a card is open large. */
const IN_DIALOGS = new Set(["b", "t", "s", "l", "h", "v", "e"]);

const HELD = { "+": () => zoomBy(1), "=": () => zoomBy(1), "-": () => zoomBy(-1), 0: () => store.set({ zoom: 1 }) };

function focusSearchOfCards() {
  store.set({ view: "cards" });
  // The view is shown in a microtask of its own, before this one: the next key is already the search's.
  queueMicrotask(focusSearch);
}

export function beginKeys() {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey) return;
    const typing = event.target.matches?.("input:not([type=range], [type=checkbox]), textarea, select");
    const held = event.ctrlKey || event.metaKey;
    if (held && !typing && event.key.toLowerCase() === "z") {
      event.preventDefault();
      turnBack(event.shiftKey);
      return;
    }
    const does = held ? (store.view === "cards" ? HELD[event.key] : null) : typing ? null : PLAIN[event.key];
    if (!does) return;
    if (event.key === "Escape" && document.querySelector("dialog[open], [popover]:popover-open")) return;
    if (document.querySelector("dialog[open]") && !IN_DIALOGS.has(event.key)) return;
    event.preventDefault();
    does();
  });
}
