/** The workbench: puts its parts together and starts them. */
import { cardView } from "./cardview.js";
import { changesView } from "./changes.js";
import { beginChoices } from "./choices.js";
import { amount, button, h } from "./dom.js";
import { beginFiltering } from "./filtering.js";
import { findingRow, findingsPanel } from "./findings.js";
import "./grid.js";
import { handView } from "./hand.js";
import { cardPanel } from "./inspector.js";
import { jobDock } from "./jobs.js";
import { beginKeys } from "./keys.js";
import { begin } from "./live.js";
import { noticeShelf } from "./notices.js";
import { rulesView } from "./rules.js";
import { bringBack } from "./saving.js";
import { settingsView } from "./settings.js";
import { sheetsView } from "./sheets.js";
import { sidebar } from "./sidebar.js";
import { remember, store } from "./store.js";
import { cardTable } from "./table.js";
import { toolbar } from "./toolbar.js";
import { topbar, VIEWS } from "./topbar.js";
import { visionFilters } from "./vision.js";

remember();
beginFiltering();

const cards = { side: sidebar(), main: h("div", { class: "view" }, toolbar(), document.createElement("cg-grid"), cardTable()) };
const views = { cards, sheets: sheetsView(), rules: rulesView(), hand: { ...handView(), side: cards.side }, changes: changesView(), settings: settingsView() };

const left = h("nav", { class: "left", "aria-label": "View" });
const middle = h("main", { class: "middle" });
const banner = h("section", { class: "banner", role: "alert", hidden: true });
middle.append(banner);
for (const [name, view] of Object.entries(views)) {
  view.main.id = `view-${name}`;
  view.main.setAttribute("role", "tabpanel");
  view.main.setAttribute("aria-labelledby", `tab-${name}`);
  middle.append(view.main);
}

const card = cardPanel();
const found = findingsPanel();
const tabs = { card: ["Card", card], findings: ["Findings", found] };
const heads = Object.entries(tabs).map(([panel, [title]]) => button(title, () => store.set({ panel }), { class: "tab", role: "tab", data: { panel } }));
const right = h("aside", { class: "right", "aria-label": "Inspector" }, h("div", { class: "tabs", role: "tablist", "aria-label": "Inspector" }, heads), card, found);

document.body.replaceChildren(visionFilters(), topbar(), h("div", { class: "workbench" }, left, middle, right), jobDock(), ...noticeShelf(), ...document.querySelectorAll("dialog, [popover]"));

const large = cardView();
document.body.addEventListener("open-card", (event) => {
  store.set({ selected: event.detail });
  queueMicrotask(() => large.open());
});

store.watch(["view"], () => {
  const shown = store.view in views ? store.view : "cards";
  for (const [name, view] of Object.entries(views)) view.main.hidden = name !== shown;
  left.replaceChildren(...views[shown].side);
  left.setAttribute("aria-label", VIEWS[shown]);
  document.body.dataset.view = shown;
});
store.watch(["panel"], () => {
  for (const head of heads) head.setAttribute("aria-selected", String(head.dataset.panel === store.panel));
  document.body.dataset.panel = store.panel;
  card.hidden = store.panel !== "card";
  found.hidden = store.panel !== "findings";
});
store.watch(["findings"], () => (heads[1].firstElementChild.textContent = store.findings.length ? `Findings ${store.findings.length}` : "Findings"));
const isOld = (card) => [card.face, card.back].some((side) => side && ["stale", "none"].includes(side.look));
store.watch(["broken", "findings", "cards"], () => {
  // A file that can't be read is the cause of many old pictures; an error of one card is said at that card.
  const old = [...store.cards.values()].filter(isOld);
  const causes = store.findings.filter((finding) => finding.severity === "error" && (store.broken || (!finding.path && old.length > finding.cards.length)));
  banner.hidden = !store.broken && !causes.length;
  if (banner.hidden) return;
  const errors = causes;
  const files = [...new Set(errors.map((finding) => finding.file).filter(Boolean))];
  banner.replaceChildren(
    h("h2", { text: store.broken ? "The game has errors and can’t be read" : `${files.length === 1 ? files[0] : "Files"} can’t be read: ${amount(old.length, "card")} ${old.length === 1 ? "shows its" : "show their"} last good picture` }),
    h("p", { text: "The page shows the last valid version. It updates when you fix these errors." }),
    h("ul", { class: "findings" }, errors.slice(0, 4).map((finding) => findingRow(finding))),
    ...files.filter((file) => errors.some((each) => each.file === file && !each.path)).map((file) => button(`Bring back the last good ${file}`, () => bringBack(file), { class: "quiet" })),
    errors.length > 4 ? button(`and ${amount(errors.length - 4, "finding")} more`, () => store.set({ panel: "findings" }), { class: "link" }) : "",
  );
});
store.watch(["connected"], () => document.body.classList.toggle("offline", !store.connected));
store.watch(["component", "pile"], () => document.body.classList.remove("left-open"), { now: false });

beginKeys();
beginChoices();
begin();
