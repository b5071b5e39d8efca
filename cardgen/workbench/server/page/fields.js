/** Controls for a card's values by their kinds. Each shows a value and tells `changed(value)`; `undefined`
 *  is no value. */
import { button, h } from "./dom.js";
import { icon } from "./icons.js";

const COLOR = /^#[0-9a-f]{6}$/iu;

/** A control: `element`, `show(value)`, `holds(node)`. */
export function control(field, changed, { label, icons = [], upload = null }) {
  const make = { flag, choice, number, list, color, art }[field.kind] ?? text;
  return make(field, changed, { label, icons, upload });
}

function plain(element, show) {
  return { element, show, holds: (node) => element.contains(node) };
}

function text(field, changed, { label, icons }) {
  // Without the space before the next word: YAML would need quotes for it.
  const read = () => area.value.trimEnd() || undefined;
  const area = h("textarea", { class: "entry", rows: 1, "aria-label": label, spellcheck: field.kind === "text" ? null : "false", on: { input: () => changed(read()) } });
  if (field.maxLength) area.maxLength = field.maxLength;
  const box = icons.length && field.kind === "text" ? proposing(area, icons) : area;
  return { ...plain(box, (value) => (area.value = value === undefined || value === null ? "" : String(value).replace(/\n$/u, ""))), area };
}

function number(field, changed, { label }) {
  const entry = h("input", { class: "entry", type: "text", inputmode: "decimal", "aria-label": label, on: { input: () => changed(read(entry.value)), keydown: (event) => step(event) } });
  const read = (words) => (words.trim() === "" ? undefined : /^-?(\d+\.?\d*|\.\d+)$/u.test(words.trim()) ? Number(words) : words);
  const step = (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const now = read(entry.value);
    if (!by || (now !== undefined && typeof now !== "number")) return;
    event.preventDefault();
    entry.value = String(Math.round(((now ?? 0) + by) * 1000) / 1000);
    changed(read(entry.value));
  };
  return plain(entry, (value) => (entry.value = value ?? ""));
}

function select(options, changed, label) {
  const made = h("select", { class: "entry select", "aria-label": label, on: { change: () => changed(values.get(made.value)) } });
  const values = new Map();
  const show = (value) => {
    values.clear();
    const all = value === undefined || options.some(([each]) => each === value) ? options : [...options, [value, String(value)]];
    made.replaceChildren(
      ...[[undefined, "–"], ...all].map(([each, words], index) => {
        values.set(String(index), each);
        return h("option", { value: String(index), text: words, selected: each === value });
      }),
    );
  };
  return plain(made, show);
}

function choice(field, changed, { label }) {
  return select(field.choices.map((word) => [word, word]), changed, label);
}

function flag(field, changed, { label }) {
  return select([[true, "Yes"], [false, "No"]], changed, label);
}

/** Entries one below the other; those of a few words as switches. */
function list(field, changed, { label, icons }) {
  const box = h("div", { class: "entries", role: "group", "aria-label": label });
  let values = [];
  const tell = () => changed(values.length ? [...values] : undefined);
  const read = (words) => (field.items === "number" && /^-?\d+(\.\d+)?$/u.test(words.trim()) ? Number(words) : words);
  const row = (value, index) => {
    const entry = h("input", { class: "entry", type: "text", value: String(value), "aria-label": `${label} ${index + 1}`, on: { input: () => ((values[index] = read(entry.value)), tell()) } });
    return h("div", { class: "entry-row" }, entry, button(`Remove ${label} ${index + 1}`, () => (values.splice(index, 1), tell(), draw()), { icon: icon("close"), class: "plain" }));
  };
  const draw = () => {
    if (field.choices.length) {
      const names = [...new Set([...field.choices, ...values])];
      box.replaceChildren(h("div", { class: "switches" }, names.map((name) => button(String(name), () => toggle(name), { class: "chip", "aria-pressed": String(values.includes(name)) }))));
      return;
    }
    const add = button("Add", () => (values.push(""), draw(), box.querySelectorAll("input")[values.length - 1]?.focus()), { class: "quiet" });
    box.replaceChildren(...values.map(row), add);
  };
  const toggle = (name) => {
    values = values.includes(name) ? values.filter((each) => each !== name) : [...values, name];
    tell();
    draw();
  };
  return plain(box, (value) => ((values = Array.isArray(value) ? [...value] : value === undefined || value === null ? [] : [value]), draw()));
}

function color(field, changed, { label }) {
  const entry = h("input", { class: "entry", type: "text", "aria-label": label, on: { input: () => (paint(), changed(entry.value || undefined)) } });
  const picker = h("input", { class: "picker", type: "color", "aria-label": `${label}: pick`, on: { input: () => ((entry.value = picker.value), changed(entry.value)) } });
  const paint = () => COLOR.test(entry.value) && (picker.value = entry.value);
  return plain(h("div", { class: "entry-row" }, picker, entry), (value) => ((entry.value = value ?? ""), paint()));
}

/** The name of a picture, and a place to drop one. */
function art(field, changed, { label, upload }) {
  const entry = h("input", { class: "entry", type: "text", "aria-label": label, on: { input: () => changed(entry.value || undefined) } });
  const chooser = h("input", { type: "file", accept: ".svg,.png,.jpg,.jpeg,.webp,.avif,.heic,.heif,.bmp,.gif,.tif,.tiff", hidden: true, "aria-label": `${label}: file`, on: { change: () => take(chooser.files) } });
  const take = async (files) => {
    const name = files.length ? await upload(files[0]) : null;
    if (!name) return;
    entry.value = name;
    changed(name);
  };
  const box = h("div", { class: "entry-row drop", title: "Drop a picture here" }, entry, button("Choose a picture", () => chooser.click(), { icon: icon("open"), class: "plain" }), chooser);
  dropping(box, take);
  return plain(box, (value) => (entry.value = value ?? ""));
}

/** Take the files that are dropped on an element. */
export function dropping(element, take) {
  element.addEventListener("dragover", (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    element.classList.add("over");
  });
  element.addEventListener("dragleave", () => element.classList.remove("over"));
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    element.classList.remove("over");
    take(event.dataTransfer.files);
  });
}

/** Propose the names of icons after a colon. */
function proposing(area, icons) {
  const offers = h("ul", { class: "offers", role: "listbox", hidden: true });
  let at = 0;
  const word = () => /:([\w-]*)$/u.exec(area.value.slice(0, area.selectionStart));
  const pick = (name) => {
    const found = word();
    if (!found) return;
    const start = area.selectionStart - found[0].length;
    area.setRangeText(`:${name}:`, start, area.selectionStart, "end");
    offers.hidden = true;
    area.dispatchEvent(new Event("input"));
    area.focus();
  };
  const mark = () => [...offers.children].forEach((each, index) => each.setAttribute("aria-selected", String(index === at)));
  area.addEventListener("input", () => {
    const found = word();
    const before = found ? area.value[area.selectionStart - found[0].length - 1] : "";
    const names = found && !/[\p{L}\p{N}]/u.test(before ?? "") ? icons.filter((name) => name.includes(found[1])).slice(0, 8) : [];
    offers.hidden = !names.length;
    at = 0;
    offers.replaceChildren(...names.map((name) => h("li", { role: "option", text: `:${name}:`, on: { mousedown: (event) => (event.preventDefault(), pick(name)) } })));
    mark();
    if (names.length) offers.scrollIntoView({ block: "nearest" });
  });
  area.addEventListener("keydown", (event) => {
    if (offers.hidden) return;
    const count = offers.children.length;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") at = (at + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
    else if (event.key === "Enter" || event.key === "Tab") pick(offers.children[at].textContent.slice(1, -1));
    else if (event.key === "Escape") (offers.hidden = true), event.stopPropagation();
    else return;
    event.preventDefault();
    mark();
  });
  area.addEventListener("blur", () => (offers.hidden = true));
  return h("div", { class: "proposing" }, area, offers);
}
