/** The form of a playtest: how often each card was drawn, played, and in the hand of a winner. */
import * as api from "./api.js";
import { button, h } from "./dom.js";
import { titleOf } from "./grid.js";
import { icon } from "./icons.js";
import { notice } from "./notices.js";
import { store } from "./store.js";

const COUNTS = { drawn: "Drawn", played: "Played", won: "Won" };
const number = (label, settings = {}) => h("input", { class: "entry", type: "number", min: 0, max: 9999, step: 1, "aria-label": label, ...settings });

/** Open the form. What was typed stays until it is saved, also if the form is closed meanwhile. */
export function showPlaytest() {
  const dialog = document.querySelector("dialog.playtest") ?? form();
  if (!dialog.open) dialog.showModal();
}

function form() {
  const day = h("input", { class: "entry", type: "date", value: new Date().toLocaleDateString("sv"), "aria-label": "Date" });
  const players = number("Players", { min: 1, max: 100, value: store.game.players?.min ?? "" });
  const minutes = number("Minutes", { min: 1, max: 10000 });
  const notes = h("textarea", { class: "entry", rows: 3, maxLength: 10000, "aria-label": "Notes", placeholder: "What the players said" });
  const problem = h("p", { class: "trouble", role: "alert" });
  const kinds = new Set(store.components.filter((each) => each.kind === "card").map((each) => each.id));
  const cards = [...store.cards.values()].filter((card) => kinds.has(card.component));
  const rows = cards.map((card) => ({ card, counts: Object.entries(COUNTS).map(([key, title]) => [key, number(`${titleOf(card)}: ${title}`, { placeholder: "0" })]) }));
  const table = h(
    "table",
    {},
    h("thead", {}, h("tr", {}, h("th", { text: "Card" }), Object.values(COUNTS).map((title) => h("th", { text: title })))),
    h("tbody", {}, rows.map(({ card, counts }) => h("tr", {}, h("th", { text: titleOf(card), scope: "row" }), counts.map(([, input]) => h("td", {}, input))))),
  );
  const dialog = h(
    "dialog",
    { class: "playtest", "aria-label": "Record a playtest" },
    h("div", { class: "large-bar" }, h("h2", { text: "Record a playtest" }), button("Close (Esc)", () => dialog.close(), { icon: icon("close"), class: "plain end" })),
    h("div", { class: "switches" }, [["Date", day], ["Players", players], ["Minutes", minutes]].map(([title, input]) => h("label", {}, title, input))),
    notes,
    h("div", { class: "playtest-cards" }, table),
    problem,
    button("Save the record", save, { class: "main" }),
  );

  async function save() {
    const found = {};
    for (const { card, counts } of rows) {
      const said = Object.fromEntries(counts.map(([key, input]) => [key, input.valueAsNumber || 0]));
      if (Object.values(said).some(Boolean)) (found[card.component] ??= {})[card.id] = said;
    }
    try {
      const { file, findings } = await api.recordPlaytest({ date: day.value, players: players.valueAsNumber || null, minutes: minutes.valueAsNumber || null, notes: notes.value, cards: found });
      if (findings) return void (problem.textContent = findings[0].message);
      notice(`Saved as ${file}`);
      dialog.close();
      dialog.remove();
    } catch (error) {
      problem.textContent = error.message;
    }
  }

  document.body.append(dialog);
  return dialog;
}
