/** What changed since a revision, as the server says it, in the shape that the page shows. No page in it. */

/**
 * @param {object} said the answer of since.json
 * @returns {{commit: string, subject: string, notes: string[], changed: object[], new: object[], removed: object[]}}
 *   cards as {component, id, file, line, fields, copies, face, back, renamed}; `face` and `back` are
 *   {old, new} keys or null; `copies` only where it differs
 */
export function tidy(said) {
  return {
    commit: said.commit ?? "",
    subject: said.subject ?? "",
    notes: [...(said.settings ?? []), ...(said.uncompared ?? []).map(notCompared), ...(said.notes ?? [])].map(inWords),
    changed: (said.changed ?? []).map(tidyCard),
    new: (said.new ?? []).map(tidyCard),
    removed: (said.removed ?? []).map(tidyCard),
  };
}

function tidyCard(said) {
  if (Array.isArray(said)) return tidyCard({ component: said[0], id: said[1] });
  const pair = (side) => (typeof side === "string" ? { old: side, new: null } : side && (side.old || side.new) ? side : null);
  const copies = said.copies && said.copies.old !== said.copies.new ? said.copies : null;
  return {
    component: said.component,
    id: said.id ?? said.card,
    file: said.file ?? null,
    line: said.line ?? null,
    fields: (said.fields ?? []).filter(({ path }) => !(copies && path === "copies")),
    copies,
    face: pair(said.face),
    back: pair(said.back),
    renamed: said.renamed_from ?? null,
  };
}

function notCompared({ component, card }) {
  return `${component} / ${card} can’t be compared: it has errors now or had some then`;
}

function inWords(note) {
  return typeof note === "string" ? note : [note.file, note.line].filter(Boolean).join(":") + (note.file ? ": " : "") + note.message;
}
