/** The game's settings as controls, and what can be added to it. */
import * as api from "./api.js";
import { offeredSelect, paperChosen } from "./choices.js";
import { button, h, linkField, settled } from "./dom.js";
import { control, dropping } from "./fields.js";
import { capital, encoded } from "./form.js";
import { start } from "./jobs.js";
import { notice } from "./notices.js";
import { store } from "./store.js";

const PAUSE = 150;
const FONTS = [".otf", ".ttf", ".ttc", ".otc", ".woff", ".woff2"];

/** The view: its groups on the left, its controls in the middle. */
export function settingsView() {
  const list = h("ul", { class: "components", "aria-label": "Settings" });
  const groups = h("div", { class: "settings-groups" });
  const extra = [addition(), fonts(), languages(), calibration()];
  const main = h("div", { class: "view settings" }, h("div", { class: "settings-scroll", tabIndex: 0 }, groups, ...extra));
  let shown = "";
  let asking = 0;

  const ask = async () => {
    if (store.view !== "settings" || groups.contains(document.activeElement)) return;
    asking += 1;
    const mine = asking;
    let answer;
    try {
      answer = await api.get("knobs.json");
    } catch (error) {
      answer = { groups: [], message: error.message };
    }
    if (mine !== asking) return;
    const said = JSON.stringify(answer);
    if (said === shown) return;
    shown = said;
    groups.replaceChildren(...(answer.message ? [h("p", { class: "empty", text: answer.message })] : []), ...answer.groups.filter((each) => each.fields.length).map(groupOf));
    entries();
  };
  const entries = () => {
    const sections = [...main.querySelectorAll("section")];
    list.replaceChildren(...sections.map((section) => h("li", {}, h("button", { type: "button", on: { click: () => section.scrollIntoView({ block: "start" }) } }, h("span", { class: "name", text: section.getAttribute("aria-label") })))));
  };
  store.watch(["view", "epoch", "undo", "redo"], ask);
  entries();
  return { side: [h("h2", { class: "panel-title", text: "Settings" }), list], main };
}

function section(title, note, ...parts) {
  return h("section", { class: "settings-group", "aria-label": title }, h("h2", { text: title }), note && h("p", { class: "muted", text: note }), ...parts);
}

function groupOf(group) {
  return section(group.title, group.note, h("div", { class: "knobs" }, parts(group).flatMap(([name, fields]) => [name && h("h3", { text: name }), ...fields.map((field) => knob(group.file, field))].filter(Boolean))));
}

/** Fields by what they are within: "full", "low ink". */
function parts(group) {
  const found = new Map();
  for (const field of group.fields) {
    const name = field.path[0] === "sheets" ? "" : field.path.slice(1, -1).join(" · ").replaceAll("_", " ");
    found.set(name, [...(found.get(name) ?? []), field]);
  }
  return [...found];
}

function labelOf(field) {
  const last = field.path[field.path.length - 1];
  return (last === "layout" && field.path.length === 3 ? field.path[1] : last).replaceAll("_", " ");
}

/** One setting: saved as it is changed, wrong values said below it. */
function knob(file, field) {
  const label = labelOf(field);
  const trouble = h("div", { class: "field-trouble", hidden: true });
  let known = field.value;
  const send = async (value) => {
    try {
      const answer = await api.post("knob", { file, path: field.path, ...(value === undefined ? {} : { value }), ...(known === undefined ? {} : { was: known }) });
      store.set({ undo: answer.undo, redo: answer.redo });
      trouble.hidden = answer.saved;
      if (answer.saved) known = value;
      else if (answer.changed) notice(`${answer.changed} was changed by another program; try again`);
      else trouble.replaceChildren(...answer.findings.map((each) => h("p", {}, h("span", { class: "message", text: capital(each.message) }), each.hint && h("span", { class: "hint", text: ` ${capital(each.hint)}` }))));
    } catch (error) {
      notice(`It can’t be saved: ${error.message}`);
    }
  };
  const later = settled(send, PAUSE);
  const made = control({ items: "text", ...field }, (value) => (["choice", "flag"].includes(field.kind) ? send(value) : later(value)), { label: field.path.join(" ") });
  made.show(field.value);
  const usual = field.default === null || field.default === undefined || field.value !== undefined ? null : h("span", { class: "muted usual", text: `${field.default} unless set` });
  return h("div", { class: `form-row ${field.kind}`, title: field.note || null }, h("div", { class: "form-label" }, h("span", { class: "key", text: label }), usual), made.element, trouble);
}

// ---- what can be added

function addition() {
  const piece = offeredSelect("Kind of component", [], (offers) => offers.pieces);
  const layout = offeredSelect("Layout of the sheet", [], (offers) => offers.layouts);
  const link = linkField("Shared spreadsheet of its cards, if they come from one");
  return section(
    "Add",
    "A component comes with cards to edit, a template and a sheet.",
    h("div", { class: "pairs" }, piece, link, button("Add this component", () => start("add", { piece: piece.value, link: link.value.trim() }), { class: "quiet" })),
    h("div", { class: "pairs" }, layout, button("Add a sheet", () => start("add", { layout: layout.value }), { class: "quiet" })),
  );
}

function fonts() {
  const input = h("input", { type: "file", accept: FONTS.join(","), hidden: true, "aria-label": "Font file", on: { change: () => take(input.files) } });
  const take = async (files) => {
    const [file] = files;
    if (!file) return;
    try {
      const { upload } = await api.post("upload", { files: [{ name: file.name, data: await encoded(file) }] });
      await start("font", { upload, file: file.name });
    } catch (error) {
      notice(`The font can’t be sent: ${error.message}`);
    }
    input.value = "";
  };
  const zone = h("div", { class: "drop-small" }, h("span", { class: "muted", text: "Drop a font file here, or" }), button("Choose a font", () => input.click(), { class: "quiet" }), input);
  dropping(zone, take);
  return section("Add a font", "It is copied into the project if its license allows embedding.", zone);
}

function languages() {
  const entry = h("input", { class: "entry short", type: "text", placeholder: "de", maxLength: 20, "aria-label": "Language code", spellcheck: "false" });
  const has = h("p", { class: "muted" });
  store.watch(["game"], () => (has.textContent = store.game.languages?.length ? `It has ${[store.ownLanguage, ...store.game.languages].filter(Boolean).join(", ")}.` : ""));
  return section("Languages", "Writes a file of all texts (PO) for a translator; later it adds the new texts.", has, h("div", { class: "pairs" }, entry, button("Write the file of texts", () => entry.value.trim() && start("translation", { to: entry.value.trim() }), { class: "quiet" })));
}

function calibration() {
  const name = h("input", { class: "entry short", type: "text", placeholder: "office", maxLength: 40, "aria-label": "Name of the printer" });
  const read = h("input", { class: "entry short", type: "text", placeholder: "0.5 1 0.5 -1", "aria-label": "Numbers read, mm" });
  const save = () => {
    const numbers = read.value.trim().split(/[\s;]+/u).map((each) => Number(each.replace(",", ".")));
    if (!name.value.trim() || numbers.some(Number.isNaN)) return notice("Type a name and the numbers that you read");
    return start("calibration", { printer: name.value.trim(), readings: numbers, paper: paperChosen() });
  };
  return section(
    "Calibrate a printer",
    "Print the test page on both sides at 100 %, hold it against the light, and type x and y of each target. Print and export then offers the printer.",
    h("div", { class: "pairs" }, button("Make the test page", () => start("calibration", { paper: paperChosen() }), { class: "quiet" })),
    h("div", { class: "pairs" }, name, read, button("Save the printer", save, { class: "quiet" })),
  );
}
