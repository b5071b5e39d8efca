/** Edits on their way to the files: one request at a time, the newest value of each field, undo and redo. */
import * as api from "./api.js";
import { button, h } from "./dom.js";
import { notice } from "./notices.js";
import { store } from "./store.js";

/** Edits that wait, by their field; and whether a request is under way. */
const waiting = new Map();
let sending = false;

export const keyOf = (edit) => [edit.component, edit.card, ...edit.path].join("\n");

/**
 * Save a field. `told(answer)` hears how it went: `saved`, `findings`, `conflicts`.
 * @param {{component: string, card: string, path: string[], value?: any, text?: string, was?: any}} edit
 */
export function save(edit, { label, group = "", anyway = false, told = () => {} }) {
  const key = keyOf(edit);
  const before = waiting.get(key);
  // `was` is what the file holds: that of the edit that this one replaces.
  if (before) {
    delete edit.was;
    delete edit.absent;
    for (const name of ["was", "absent"]) if (name in before.edit) edit[name] = before.edit[name];
  }
  waiting.set(key, { edit, label, group, anyway, told });
  store.set({ saving: true });
  if (!sending) next();
}

async function next() {
  const [key, first] = waiting.entries().next().value ?? [];
  if (!first) {
    store.set({ saving: false });
    return;
  }
  waiting.delete(key);
  sending = true;
  const answer = await send([first.edit], first);
  first.told(answer);
  const newer = waiting.get(key);
  if (newer && answer?.saved && !("text" in first.edit)) holds(newer.edit, first.edit);
  sending = false;
  next();
}

/** Note that a file holds the value of an edit, before a newer one of the same field. */
function holds(newer, saved) {
  delete newer.was;
  delete newer.absent;
  if ("value" in saved) newer.was = saved.value;
  else newer.absent = true;
}

/** Save several edits as one step; gives the answer, or null if the server refused. */
export async function saveAll(edits, { label, anyway = false }) {
  return send(edits, { label, group: "", anyway });
}

async function send(edits, { label, group, anyway }) {
  for (let tries = 0; tries < 2; tries += 1) {
    try {
      const answer = await api.edit({ edits, label, group, anyway });
      store.set({ undo: answer.undo, redo: answer.redo });
      if (answer.changed) continue; // another program saved in this moment: the edit is made on its version
      return answer;
    } catch (error) {
      notice(`It can’t be saved: ${error.message}`);
      return null;
    }
  }
  notice("It can’t be saved: another program keeps changing the file");
  return null;
}

export async function turnBack(redo = false) {
  try {
    const answer = await api.undo(redo);
    store.set({ undo: answer.undo, redo: answer.redo });
    if (answer.changed) notice(`${answer.changed} was changed by another program since. Nothing was ${redo ? "redone" : "undone"}`);
    else if (answer.saved) notice(`${redo ? "Redone" : "Undone"}: ${answer.label || "edit"}`);
  } catch (error) {
    notice(`It can’t be undone: ${error.message}`);
  }
}

/** Write the last version of a broken file that this workbench could read; it can be undone. */
export async function bringBack(file) {
  try {
    const answer = await api.bringBack(file);
    store.set({ undo: answer.undo, redo: answer.redo });
    notice(answer.saved ? `${file} is as it was before the mistake` : `${file} was broken from the start: open it and fix the place`);
  } catch (error) {
    notice(`It can’t be brought back: ${error.message}`);
  }
}

/** The words of a step in the list of undone things. */
export function stepWords(card, name) {
  return `${name} of ${card.fields.title ?? card.fields.name ?? card.id}`;
}

/** Both versions of a value that was changed elsewhere, and the ways out. */
export function conflictBox(conflict, words, { mine, theirs }) {
  return h(
    "div",
    { class: "conflict", role: "alert" },
    h("p", { text: "Another program changed this value." }),
    h("dl", {}, h("dt", { text: "Yours" }), h("dd", { text: words(conflict.mine) }), h("dt", { text: "In the file" }), h("dd", { text: words(conflict.theirs) })),
    h("div", { class: "pairs" }, button("Save mine", mine, { class: "quiet" }), button("Take the file’s", theirs, { class: "quiet" })),
  );
}
