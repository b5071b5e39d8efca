/** The cards of a component as a table: every card a row, of which only those in sight are on the page. */
import * as api from "./api.js";
import { amount, button, h, settled } from "./dom.js";
import { icon } from "./icons.js";
import { valueAt } from "./form.js";
import { notice } from "./notices.js";
import { saveAll } from "./saving.js";
import { placeOf, store } from "./store.js";
import { idFrom, parseRows } from "./pasting.js";

const ROW = 29;
/** Rows that are made above and below those in sight. */
const SPARE = 8;
/** Cards that are read one by one after an edit. */
const FEW = 4;
const WIDTHS = { text: 200, number: 80, choice: 120, flag: 80, list: 160, color: 110, art: 160, other: 160 };
const NUMBER = 46;

class Table {
  constructor() {
    this.fields = [];
    this.records = new Map();
    this.rows = [];
    this.at = { row: 0, column: 0 };
    this.chosen = new Set();
    /** Texts of cells that are being saved, and the end of the last save. */
    this.typed = new Map();
    this.lastSave = Promise.resolve();
    this.head = h("div", { class: "table-head", role: "row" });
    this.body = h("div", { class: "table-body" });
    this.scroller = h("div", { class: "table-scroller", role: "grid", tabIndex: 0, "aria-label": "Cards as a table", on: { scroll: () => this.draw(), keydown: (event) => this.key(event), paste: (event) => this.paste(event), copy: (event) => this.copy(event), mousedown: (event) => this.point(event), dblclick: (event) => this.begin(event) } }, this.head, this.body);
    this.count = h("span", { class: "muted" });
    this.trouble = h("div", { class: "table-trouble", role: "alert", hidden: true });
    const tools = h(
      "div",
      { class: "table-tools", role: "toolbar", "aria-label": "Rows" },
      button("Add a card", () => this.add(), { icon: icon("add"), words: true, class: "quiet" }),
      button("Duplicate", () => this.duplicate(), { icon: icon("copy"), words: true, class: "quiet" }),
      button("Delete", () => this.remove(), { icon: icon("close"), words: true, class: "quiet" }),
      this.count,
      h("span", { class: "muted end", text: "Paste rows from a spreadsheet with Ctrl+V" }),
    );
    this.element = h("div", { class: "table-view", hidden: true }, tools, this.trouble, this.scroller);
    this.reload = settled(() => this.loadChanged(), 150);
    store.watch(["table", "component", "components"], () => this.turn());
    store.watch(["cards"], () => this.element.hidden || this.reload(), { now: false });
    store.watch(["matching", "findingsByCard"], () => this.element.hidden || this.arrange());
    new ResizeObserver(() => this.draw()).observe(this.scroller);
  }

  get component() {
    const withCards = (id) => [...store.cards.values()].some((card) => card.component === id);
    return store.component || (store.components.find((each) => withCards(each.id))?.id ?? "");
  }

  turn() {
    this.element.hidden = !store.table;
    if (!store.table || !this.component) return;
    if (this.loaded !== this.component) {
      this.loaded = this.component;
      this.fields = [];
      this.records = new Map();
      this.typed.clear();
      this.seen = null;
      this.at = { row: 0, column: 0 };
      this.chosen.clear();
      this.load();
    } else if (this.seen) this.loadChanged();
  }

  async load() {
    const asked = this.component;
    let form;
    try {
      form = await api.form(asked);
    } catch (error) {
      notice(`The table can’t be shown: ${error.message}`);
      return;
    }
    if (asked !== this.component) return;
    if (!form.cards.length && form.findings?.length) {
      this.problems(form.findings.map((each) => each.message), null);
      if (this.records.size) return;
    }
    this.fields = form.fields;
    this.records = new Map(form.cards.map((card) => [`${asked}/${card.id}`, card]));
    this.seen = store.cards;
    this.arrange();
  }

  /** Read the cards again that changed since the table was read: one by one if they are few. */
  async loadChanged() {
    const asked = this.component;
    const own = [...store.cards].filter(([, card]) => card.component === asked);
    const seen = this.seen ?? new Map();
    const isSame = (one, other) => one === other || (one && JSON.stringify(one.fields) === JSON.stringify(other.fields));
    const changed = own.filter(([place, card]) => !isSame(seen.get(place), card)).map(([place]) => place);
    const gone = [...this.records.keys()].some((place) => !store.cards.has(place));
    this.seen = store.cards;
    if (gone || changed.some((place) => !this.records.has(place)) || !(await this.loadFew(changed))) await this.load();
  }

  /** Read a few cards again; false if that isn't enough. */
  async loadFew(places) {
    const asked = this.component;
    if (!places.length || places.length > FEW) return !places.length;
    const forms = await Promise.all(places.map((place) => api.form(asked, place.slice(asked.length + 1)).catch(() => null)));
    if (asked !== this.component) return true;
    if (forms.some((form) => form?.cards.length !== 1)) return false;
    for (const { cards: [card] } of forms) this.records.set(`${asked}/${card.id}`, card);
    this.draw(true);
    return true;
  }

  /** The rows in the order of the search. */
  arrange() {
    const places = store.matching.map(placeOf);
    const isWhole = store.within === places.length && !store.sort && !store.descending;
    const known = places.filter((place) => this.records.has(place));
    // Cards that the game can't read are in the file nevertheless.
    const others = isWhole ? [...this.records.keys()].filter((place) => !store.cards.has(place)) : [];
    this.rows = [...known, ...others];
    this.at.row = Math.min(this.at.row, Math.max(0, this.rows.length - 1));
    this.count.textContent = this.rows.length === this.records.size ? amount(this.rows.length, "card") : `${this.rows.length} of ${amount(this.records.size, "card")}`;
    this.drawHead();
    this.draw(true);
  }

  /** The headings, made only if they differ: a click on one that is replaced meanwhile would be lost. */
  drawHead() {
    const needs = [this.fields, store.sort, store.descending];
    if (this.headed?.every((each, index) => each === needs[index])) return;
    this.headed = needs;
    const columns = [`${NUMBER}px`, ...this.fields.map((field) => `${WIDTHS[field.kind] ?? 160}px`)].join(" ");
    this.element.style.setProperty("--columns", columns);
    this.head.replaceChildren(h("span", { class: "cell number", role: "columnheader" }), ...this.fields.map((field) => this.heading(field)));
  }

  heading(field) {
    const sorted = store.sort === field.name;
    // Ascending, descending, and as in the file again.
    const sort = () => store.set(sorted ? { sort: store.descending ? "" : field.name, descending: !store.descending } : { sort: field.name, descending: false });
    return h("span", { class: "cell", role: "columnheader", title: field.note || null, "aria-sort": sorted ? (store.descending ? "descending" : "ascending") : null }, button(field.name + (sorted ? (store.descending ? " ↓" : " ↑") : ""), sort, { class: "plain" }));
  }

  draw(anew = false) {
    if (this.element.hidden || this.editing) return;
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - SPARE);
    const last = Math.min(this.rows.length, Math.ceil((this.scroller.scrollTop + this.scroller.clientHeight) / ROW) + SPARE);
    if (!anew && first === this.first && last === this.last) return;
    [this.first, this.last] = [first, last];
    this.body.style.setProperty("height", `${this.rows.length * ROW}px`);
    this.scroller.setAttribute("aria-rowcount", String(this.rows.length));
    this.body.replaceChildren(...this.rows.slice(first, last).map((place, index) => this.row(place, first + index)));
  }

  row(place, index) {
    const record = this.records.get(place);
    const severity = store.findingsByCard.get(place)?.[0]?.severity ?? (store.cards.has(place) ? "" : "error");
    const cells = this.fields.map((field, column) => {
      const active = index === this.at.row && column === this.at.column;
      return h("span", { class: `cell ${field.kind}${active ? " active" : ""}`, role: "gridcell", data: { column } }, field.kind === "color" ? swatch(this.text(record, field)) : this.text(record, field));
    });
    return h("div", { class: `table-row${this.chosen.has(place) ? " chosen" : ""}`, role: "row", "aria-rowindex": index + 1, "aria-selected": String(this.chosen.has(place)), data: { index }, vars: { "--top": `${index * ROW}px` } }, h("span", { class: `cell number ${severity}`, role: "rowheader", data: { column: -1 }, text: String(index + 1) }), cells);
  }

  /** A value as a cell shows it, and as it is typed. */
  text(record, field) {
    const typed = this.typed.get(`${this.component}/${record.id}\n${field.name}`);
    if (typed !== undefined) return typed;
    if (field.name in (record.texts ?? {})) return record.texts[field.name];
    const value = valueAt(record.fields, field.path);
    return value === undefined || value === null ? "" : String(value).replace(/\n$/u, "");
  }

  // ---- moving and choosing

  point(event) {
    const cell = event.target.closest?.(".cell");
    const row = cell?.closest(".table-row");
    if (!row || this.editing?.contains(event.target)) return;
    const index = Number(row.dataset.index);
    if (this.editing) this.commit();
    if (Number(cell.dataset.column) < 0) this.choose(index, event.shiftKey, event.ctrlKey || event.metaKey);
    else {
      this.chosen.clear();
      this.go(index, Number(cell.dataset.column));
    }
    this.scroller.focus({ preventScroll: true });
    event.preventDefault();
  }

  choose(index, isRange, isMore) {
    const place = this.rows[index];
    if (!isRange && !isMore) this.chosen.clear();
    const [from, to] = isRange ? [Math.min(this.at.row, index), Math.max(this.at.row, index)] : [index, index];
    for (const each of this.rows.slice(from, to + 1)) this.chosen.add(each);
    if (!isRange) this.at.row = index;
    store.set({ selected: place });
    this.draw(true);
  }

  go(row, column) {
    this.at = { row: Math.max(0, Math.min(row, this.rows.length - 1)), column: Math.max(0, Math.min(column, this.fields.length - 1)) };
    const top = this.at.row * ROW;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    else if (top + 3 * ROW > this.scroller.scrollTop + this.scroller.clientHeight) this.scroller.scrollTop = top + 3 * ROW - this.scroller.clientHeight;
    this.draw(true);
    this.body.querySelector(".cell.active")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (this.rows[this.at.row]) store.set({ selected: this.rows[this.at.row] });
  }

  key(event) {
    if (this.editing) return;
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / ROW) - 2);
    const { row, column } = this.at;
    const held = event.ctrlKey || event.metaKey;
    const moves = { ArrowDown: [row + 1, column], ArrowUp: [row - 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1], PageDown: [row + page, column], PageUp: [row - page, column], Home: [held ? 0 : row, 0], End: [held ? this.rows.length - 1 : row, this.fields.length - 1] };
    if (moves[event.key]) this.go(...moves[event.key]);
    else if (event.key === "Tab" && !event.shiftKey && column < this.fields.length - 1) this.go(row, column + 1);
    else if (event.key === "Tab" && event.shiftKey && column > 0) this.go(row, column - 1);
    else if (event.key === "Enter" || event.key === "F2") this.edit();
    else if (event.key === "Delete" || event.key === "Backspace") this.set([[row, column, ""]]);
    else if (event.key.length === 1 && !held && !event.altKey) this.edit(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- editing

  begin(event) {
    if (event.target.closest?.(".cell[data-column]")) this.edit();
  }

  edit(typed = null) {
    const field = this.fields[this.at.column];
    const cell = this.body.querySelector(".cell.active");
    if (!cell || !field) return;
    const now = this.text(this.records.get(this.rows[this.at.row]), field);
    const choices = field.kind === "flag" ? ["true", "false"] : field.choices;
    const listed = choices.length && field.kind !== "list" ? `choices-${this.at.column}` : null;
    const entry = h("textarea", { class: "cell-entry", rows: 1, "aria-label": field.name, value: typed ?? now });
    const offers = listed && h("ul", { class: "offers", role: "listbox" }, choices.map((name) => h("li", { role: "option", text: name, on: { mousedown: (event) => ((entry.value = name), this.commit(1, 0), event.preventDefault(), event.stopPropagation()) } })));
    this.editing = h("div", { class: "cell-edit" }, entry, offers || null);
    cell.replaceChildren(this.editing);
    entry.focus();
    entry.setSelectionRange(entry.value.length, entry.value.length);
    entry.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.altKey) this.commit(1, 0);
      else if (event.key === "Tab") this.commit(0, event.shiftKey ? -1 : 1);
      else if (event.key === "Escape") this.leave();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    entry.addEventListener("blur", () => this.editing && this.commit());
  }

  leave() {
    this.editing = null;
    this.draw(true);
    this.scroller.focus({ preventScroll: true });
  }

  commit(down = 0, right = 0) {
    const words = this.editing.querySelector("textarea").value;
    const { row, column } = this.at;
    this.leave();
    if (down || right) this.go(row + down, column + right);
    this.set([[row, column, words]]);
  }

  /** Save texts of cells: `[row, column, text]`. They are seen at once. */
  set(cells) {
    const asked = [];
    for (const [row, column, text] of cells) {
      const place = this.rows[row];
      const record = this.records.get(place);
      const field = this.fields[column];
      if (!record || !field || this.text(record, field) === text) continue;
      asked.push([place, field, text]);
      this.typed.set(`${place}\n${field.name}`, text);
    }
    if (!asked.length) return null;
    this.draw(true);
    return this.inTurn(async () => {
      const known = asked.filter(([place]) => this.records.has(place));
      const edits = known.map(([place, field, text]) => this.change(this.records.get(place), field, text));
      const label = edits.length === 1 ? `${edits[0].path.join(".")} of ${edits[0].card}` : amount(edits.length, "cell");
      const answer = edits.length ? await this.save(edits, label) : null;
      for (const [place, field, text] of known) {
        const name = `${place}\n${field.name}`;
        if (this.typed.get(name) === text) this.typed.delete(name);
      }
      this.draw(true);
      return answer;
    });
  }

  /** Call `does` after the saves before it, whose values it replaces. */
  inTurn(does) {
    this.lastSave = this.lastSave.then(does, does);
    return this.lastSave;
  }

  change(record, field, text) {
    const was = valueAt(record.fields, field.path);
    return { component: this.component, card: record.id, path: field.path, text, ...(was === undefined ? { absent: true } : { was }) };
  }

  async save(edits, label, anyway = false) {
    const answer = await saveAll(edits, { label, anyway });
    if (!answer) return null;
    this.trouble.hidden = true;
    if (answer.conflicts) {
      const lines = answer.conflicts.map(({ card, path, mine, theirs }) => `${card}, ${path.join(".")}: yours is “${mine ?? ""}”, the file’s is “${theirs ?? ""}”`);
      const mine = edits.map(({ was: _was, absent: _absent, ...edit }) => edit);
      this.problems(["Another program changed these values:", ...lines], [["Save mine", () => this.save(mine, label, anyway)], ["Take the file’s", () => this.load()]]);
    } else if (!answer.saved) {
      const lines = (answer.findings ?? []).map((each) => `${[each.cards[0][1], each.path].filter(Boolean).join(", ")}: ${each.message}`);
      this.problems(lines, [["Save anyway", () => this.save(edits, label, true)], ["Discard", () => {}]]);
    }
    const changed = [...new Set(edits.map((edit) => `${edit.component}/${edit.card}`))];
    if (edits.some((edit) => edit.kind || edit.path[0] === "id") || !(await this.loadFew(changed))) await this.load();
    return answer;
  }

  problems(lines, ways) {
    const more = lines.length > 5 ? [`and ${lines.length - 5} more`] : [];
    this.trouble.replaceChildren(h("ul", {}, [...lines.slice(0, 5), ...more].map((text) => h("li", { text }))), h("div", { class: "pairs" }, (ways ?? []).map(([words, does]) => button(words, () => ((this.trouble.hidden = true), does()), { class: "quiet" }))));
    this.trouble.hidden = false;
  }

  // ---- rows

  /** The places of the chosen rows, or of the one that the cursor is in. */
  get places() {
    return this.chosen.size ? this.rows.filter((place) => this.chosen.has(place)) : this.rows.slice(this.at.row, this.at.row + 1);
  }

  async add() {
    const like = this.records.get(this.rows[this.at.row] ?? this.rows[0])?.fields ?? {};
    const kept = this.fields.filter((field) => ["choice", "number", "flag"].includes(field.kind) && field.path.length === 1 && field.name !== "copies");
    const value = Object.fromEntries(kept.filter((field) => like[field.name] !== undefined).map((field) => [field.name, like[field.name]]));
    const records = [...this.records.values()];
    const isText = (field) => ["text", "other"].includes(field.kind) && field.path.length === 1 && field.name !== "id";
    for (const field of this.fields) if (isText(field) && records.every((each) => typeof each.fields[field.name] === "string")) value[field.name] = "…";
    const title = ["title", "name"].find((name) => this.fields.some((field) => field.name === name));
    if (title) value[title] = "New card";
    this.show(await this.save([{ kind: "add", component: this.component, card: "new-card", value }], "a new card"));
  }

  async duplicate() {
    const edits = this.places.map((place) => ({ kind: "copy", component: this.component, card: this.records.get(place).id }));
    if (edits.length) this.show(await this.save(edits, `${amount(edits.length, "copy", "copies")} of cards`));
  }

  async remove() {
    const edits = this.places.map((place) => ({ kind: "remove", component: this.component, card: this.records.get(place).id }));
    const answer = edits.length ? await this.save(edits, `deleting ${amount(edits.length, "card")}`) : null;
    if (answer?.saved) notice(`Deleted ${amount(edits.length, "card")}. Ctrl+Z brings ${edits.length === 1 ? "it" : "them"} back`);
    this.chosen.clear();
  }

  /** Go to the last card of an answer, as soon as its row is there. */
  show(answer) {
    const last = answer?.saved && answer.cards?.at(-1);
    if (!last) return;
    const place = last.join("/");
    const look = () => {
      const row = this.rows.indexOf(place);
      if (row >= 0) this.go(row, Math.max(1, this.at.column));
      return row >= 0;
    };
    if (look()) return;
    const stop = store.watch(["matching"], () => setTimeout(() => look() && stop(), 0), { now: false });
  }

  copy(event) {
    if (this.editing) return;
    const rows = this.chosen.size ? this.places.map((place) => this.fields.map((field) => this.text(this.records.get(place), field))) : [[this.text(this.records.get(this.rows[this.at.row]), this.fields[this.at.column])]];
    const quoted = (text) => (/[\t\n"]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    event.clipboardData.setData("text/plain", rows.map((cells) => cells.map(quoted).join("\t")).join("\n"));
    event.preventDefault();
  }

  /** Rows of a spreadsheet: below the cursor, or, under names of columns, where these say. */
  paste(event) {
    if (this.editing) return;
    event.preventDefault();
    const rows = parseRows(event.clipboardData.getData("text/plain"));
    if (rows.length) this.inTurn(() => this.pasteRows(rows));
  }

  pasteRows(rows) {
    const names = this.fields.map((field) => field.name.toLowerCase());
    const heads = rows[0].map((text) => names.indexOf(text.trim().toLowerCase()));
    const hasHead = rows.length > 1 && heads.every((column) => column >= 0);
    const columns = hasHead ? heads : rows[0].map((_, index) => this.at.column + index);
    const data = hasHead ? rows.slice(1) : rows;
    const ids = new Set([...this.records.values()].map((record) => record.id));
    const own = columns.findIndex((column) => this.fields[column]?.name === "id");
    const edits = [];
    data.forEach((cells, index) => {
      const id = own >= 0 ? cells[own]?.trim() : "";
      const record = hasHead ? this.records.get(`${this.component}/${id}`) : this.records.get(this.rows[this.at.row + index]);
      const made = record ? null : idFrom(id || cells[columns.findIndex((column) => ["title", "name"].includes(this.fields[column]?.name))] || cells[0], ids);
      if (made) edits.push({ kind: "add", component: this.component, card: made });
      cells.forEach((text, at) => {
        const field = this.fields[columns[at]];
        if (!field || (made && field.name === "id")) return;
        if (record && this.text(record, field) !== text) edits.push(this.change(record, field, text));
        else if (made && text) edits.push({ component: this.component, card: made, path: field.path, text });
      });
    });
    return edits.length ? this.save(edits, `pasting ${amount(data.length, "row")}`) : null;
  }
}

function swatch(text) {
  return [h("span", { class: "swatch", vars: { "--color": /^#[0-9a-f]{3,8}$/iu.test(text) ? text : "transparent" } }), text];
}

export function cardTable() {
  return new Table().element;
}
