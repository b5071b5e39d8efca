/** A card's values as a form: typed, checked and saved as they are typed. */
import * as api from "./api.js";
import { dataTree } from "./data.js";
import { button, h, settled } from "./dom.js";
import { control } from "./fields.js";
import { notice } from "./notices.js";
import { openPlace } from "./opening.js";
import { whenThere } from "./pictures.js";
import { conflictBox, save, stepWords } from "./saving.js";
import { endDraft, keepDraft, showDraft } from "./side.js";
import { placeOf, store } from "./store.js";
import { inWords } from "./wording.js";

/** ms without a key after which a value is saved. */
const PAUSE = 40;
/** Most ms that a value waits for its picture before it is saved. */
const PATIENCE = 250;

let count = 0;

/** The form of a card, kept up to date by `show(card)`. */
export function cardForm() {
  const box = h("div", { class: "data form" });
  let shown = null;
  let rows = new Map();
  let asked = 0;

  const show = async (card) => {
    const isOther = !shown || placeOf(shown) !== placeOf(card);
    if (!isOther && shown === card) return;
    shown = card;
    if (store.language && store.language !== store.ownLanguage) return box.replaceChildren(dataTree(card));
    if (isOther) {
      rows = new Map();
      box.replaceChildren(dataTree(card));
    } else if (rows.size && [...rows.values()].every((row) => row.agrees(card))) {
      for (const row of rows.values()) row.place(card);
      return;
    }
    asked += 1;
    const mine = asked;
    let form;
    try {
      form = await api.form(card.component, card.id);
    } catch {
      if (mine === asked && !rows.size) box.replaceChildren(dataTree(card));
      return;
    }
    const found = form.cards[0];
    if (mine !== asked) return;
    if (!found) {
      if (!rows.size) box.replaceChildren(dataTree(card));
      return;
    }
    const names = form.fields.map((field) => field.name).join("\n");
    if (isOther || !rows.size || box.names !== names) build(card, form);
    box.names = names;
    for (const row of rows.values()) row.show(found, card);
  };

  const build = (card, form) => {
    rows = new Map(form.fields.map((field) => [field.name, fieldRow(field, form)]));
    const has = (field) => valueAt(form.cards[0].fields, field.path) !== undefined || field.required;
    const parts = [form.fields.filter(has), form.fields.filter((field) => !has(field))].map((fields) => fields.map((field) => rows.get(field.name).element));
    const known = new Set(form.fields.map((field) => field.path[0]));
    const others = Object.entries(card.fields).filter(([name]) => !known.has(name));
    const rest = others.length ? [dataTree({ ...card, fields: Object.fromEntries(others) })] : [];
    box.replaceChildren(...parts[0], ...rest, ...(parts[1].length ? [h("details", { class: "more-fields", open: parts[1].length < 4 }, h("summary", { text: `${parts[1].length} empty fields` }), parts[1])] : []));
  };
  return { element: box, show };
}

export function valueAt(fields, path) {
  return path.reduce((value, step) => (value !== null && typeof value === "object" ? value[step] : undefined), fields);
}

/** One field: its name, its control, and what is wrong with it. */
function fieldRow(field, form) {
  let card = null;
  let known;
  let newest = 0;
  let group = "";
  const trouble = h("div", { class: "field-trouble", hidden: true });
  const name = button(field.name, () => openPlace(card.file, card.lines[field.path[0]] ?? card.line, 1), { class: "key" });
  const line = h("span", { class: "line", "aria-hidden": "true" });
  const isText = field.kind === "other";

  const send = (value, anyway = false) => {
    const edit = { component: card.component, card: card.id, path: field.path };
    if (isText && typeof value === "string") edit.text = value;
    else if (value !== undefined) edit.value = value;
    if (!isText && known === undefined) edit.absent = true;
    else if (!isText) edit.was = known;
    const mine = newest;
    save(edit, { label: stepWords(card, field.name), group: `${group}`, anyway, told: (answer) => heard(answer, value, mine) });
  };
  const heard = (answer, value, mine) => {
    if (mine === newest) {
      newest += 1; // a picture that comes later is of no use
      if (answer?.saved) keepDraft(placeOf(card));
      else endDraft(placeOf(card));
    }
    if (!answer) return;
    trouble.hidden = true;
    if (answer.saved) {
      known = value;
      if (answer.findings.length) problems(answer.findings, null);
    } else if (answer.conflicts) {
      const [conflict] = answer.conflicts;
      const mine = () => ((known = conflict.theirs), send(value));
      const theirs = () => ((known = conflict.theirs), shown.show(known), (trouble.hidden = true));
      trouble.replaceChildren(conflictBox(conflict, inWords, { mine, theirs }));
      trouble.hidden = false;
    } else problems(answer.findings ?? [], () => send(value, true));
  };
  const problems = (findings, anyway) => {
    const words = findings.map((finding) => h("p", {}, h("span", { class: "message", text: capital(finding.message) }), finding.hint && h("span", { class: "hint", text: ` ${capital(finding.hint)}` })));
    const isOther = findings.length && findings.every((finding) => !(finding.path ?? "").startsWith(field.path[0]));
    trouble.replaceChildren(...(isOther ? [h("p", { class: "muted", text: "Another field is affected:" })] : []), ...words, ...(anyway ? [h("div", { class: "pairs" }, h("span", { class: "muted", text: "Not saved." }), button("Save it anyway", anyway, { class: "quiet" }))] : []));
    trouble.hidden = !findings.length;
    element.classList.toggle("invalid", Boolean(findings.length));
  };
  // The picture comes first: the card is drawn with the value before that is checked and saved.
  let drawing = Promise.resolve();
  const draw = async (value, mine) => {
    if (mine !== newest) return;
    const sides = await api.sketch({ component: card.component, card: card.id, path: field.path, value }, store).catch(() => ({}));
    if (mine !== newest || !sides.face) return;
    showDraft(placeOf(card), sides);
    await new Promise(whenThere);
  };
  const later = settled(async (value, mine) => {
    await Promise.race([drawing, new Promise((end) => setTimeout(end, PATIENCE))]);
    if (mine === newest) send(value);
  }, PAUSE);
  const changed = (value) => {
    element.classList.remove("invalid");
    newest += 1;
    const mine = newest;
    if (!isText && value !== undefined) drawing = drawing.then(() => draw(value, mine));
    if (["text", "other", "number"].includes(field.kind)) later(value, mine);
    else send(value);
  };
  const shown = control(field, changed, { label: field.name, icons: form.icons ?? [], upload: (file) => upload(file, card) });
  const element = h("div", { class: `form-row ${field.kind}`, title: field.note || null, on: { focusin: () => begin() } }, h("div", { class: "form-label" }, name, line), shown.element, trouble);
  const begin = () => {
    if (element.contains(document.activeElement) && element.active) return;
    element.active = true;
    count += 1;
    group = String(count);
  };
  element.addEventListener("focusout", () => (element.active = false));

  return {
    element,
    place: (now) => {
      card = now;
      name.title = `${card.file}:${card.lines[field.path[0]] ?? card.line ?? "?"}`;
      line.textContent = card.lines[field.path[0]] ?? "";
    },
    /** Whether the card shows what the form holds, so that it needn't be asked for. */
    agrees: (now) => isText || known === undefined || JSON.stringify(valueAt(now.fields, field.path)) === JSON.stringify(known),
    show(record, now) {
      this.place(now);
      const value = isText ? record.texts?.[field.name] : valueAt(record.fields, field.path);
      if (shown.holds(document.activeElement) && element.active) return;
      known = value;
      trouble.hidden = true;
      element.classList.remove("invalid");
      shown.show(value);
    },
  };
}

/** Words that begin a sentence; names of files stay as they are. */
export function capital(words) {
  const text = String(words);
  return /^\p{Ll}/u.test(text) && !/^\S*[_/.]\S/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** Put a picture among the game's; gives its name for a card's field. */
async function upload(file, card) {
  try {
    const data = await encoded(file);
    const { value, file: place } = await api.putArt({ component: card.component, name: file.name, data });
    notice(`Saved ${place}`);
    return value;
  } catch (error) {
    notice(`The picture can’t be saved: ${error.message}`);
    return null;
  }
}

/** A file's content, in base64. */
export function encoded(file) {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(String(reader.result).replace(/^[^,]*,/u, "")));
    reader.addEventListener("error", () => fail(new Error("it can’t be read")));
    reader.readAsDataURL(file);
  });
}
