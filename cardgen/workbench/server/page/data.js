/** The data that made a card, as a tidy tree with links to its lines. */
import { button, h } from "./dom.js";
import { icon } from "./icons.js";
import { openPlace } from "./opening.js";
import { store } from "./store.js";

const SHORT = 40;

/** All fields of a card. */
export function dataTree(card) {
  return h("div", { class: "data" }, Object.entries(card.fields).map(([name, value]) => field(card, name, value, name, card.lines[name] ?? card.line, 0)));
}

function field(card, name, value, path, line, depth) {
  const nested = value !== null && typeof value === "object" && !flat(value);
  const opens = () => openPlace(card.file, line, 1);
  const row = h(
    "div",
    { class: "row", vars: { "--depth": depth } },
    button(name, opens, { class: "key", title: `${card.file}:${line ?? "?"}` }),
    nested ? h("span", { class: "value muted", text: Array.isArray(value) ? `${value.length} entries` : "" }) : shown(value),
    askable(value) && filterButton(path, value),
    depth === 0 && line && h("span", { class: "line", text: String(line), "aria-hidden": "true" }),
  );
  if (!nested) return row;
  const inside = Array.isArray(value) ? value.map((each, index) => [String(index + 1), each, path]) : Object.entries(value).map(([key, each]) => [key, each, `${path}.${key}`]);
  return h("div", { class: "branch" }, row, inside.map(([key, each, way]) => field(card, key, each, way, line, depth + 1)));
}

/** Lists of short words are read on one line. */
function flat(value) {
  return Array.isArray(value) && value.every((each) => each === null || typeof each !== "object") && value.join(", ").length < 60;
}

function shown(value) {
  const words = Array.isArray(value) ? value.join(", ") || "none" : value === null ? "none" : String(value);
  const kind = Array.isArray(value) ? "list" : value === null ? "nothing" : typeof value;
  return h("span", { class: `value ${kind}`, text: words });
}

function askable(value) {
  return ["number", "boolean"].includes(typeof value) || (typeof value === "string" && value.length > 0 && value.length <= SHORT);
}

function filterButton(path, value) {
  const words = String(value);
  const term = `${path}:${/[\s,()"]/u.test(words) ? `"${words.replaceAll('"', "")}"` : words}`;
  const add = () => store.set({ query: [store.query.trim(), term].filter(Boolean).join(" "), view: "cards" });
  return button(`Only cards with ${term}`, add, { icon: icon("filter"), class: "plain filter" });
}
