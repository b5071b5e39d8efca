/** Findings: a list of one card's, and the panel of all, grouped by what they are. */
import { amount, button, h } from "./dom.js";
import { icon } from "./icons.js";
import { openPlace, placeWords } from "./opening.js";
import { store } from "./store.js";

export const SEVERITIES = { error: "Error", warning: "Warning", note: "Note" };

/** Whether the window has little height: findings are folded then. */
export const isLow = matchMedia("(max-height: 640px)");

/** One finding; a click opens its place. `number`: that of its mark on the card's picture. */
export function findingRow(finding, { number = null, showCard = false } = {}) {
  const place = finding.file ? placeWords(finding.file, finding.line, finding.column, finding.cell) : "";
  const card = showCard ? (finding.cards ?? [])[0] : null;
  const about = card && store.cards.get(card.join("/"));
  return h(
    "li",
    { class: `finding ${finding.severity}` },
    h("span", { class: `sign ${finding.severity}`, title: SEVERITIES[finding.severity] }, number ? h("b", { class: "mark-number", text: number }) : icon(finding.severity), h("span", { class: "unseen", text: SEVERITIES[finding.severity] })),
    h(
      "div",
      {},
      h("p", { class: "message", text: sentence(finding.message) }),
      finding.hint && h("p", { class: "hint", text: sentence(finding.hint) }),
      h(
        "p",
        { class: "links" },
        about && button(String(about.fields.title ?? about.id), () => store.set({ selected: card.join("/"), panel: "card", view: "cards" }), { class: "link" }),
        showCard && (finding.cards ?? []).length > 1 && h("span", { class: "muted", text: `and ${amount(finding.cards.length - 1, "card")} more` }),
        place && button(place, () => openPlace(finding.file, finding.line, finding.column, finding.cell), { class: "link code", title: finding.path || "Open in the editor" }),
      ),
    ),
  );
}

function sentence(words) {
  const text = String(words);
  const first = text.charAt(0);
  return /^\p{Ll}/u.test(text) && !/^\S*[_/.]\S/u.test(text) ? first.toUpperCase() + text.slice(1) : text;
}

/** A card's findings; those that a mark on its picture stands for carry its number, and marks that no finding
 *  tells of are added. */
export function cardFindings(findings, marks) {
  const left = marks.map((mark, index) => ({ ...mark, number: index + 1 }));
  const rows = findings.map((finding) => {
    const at = left.findIndex((mark) => mark.code === finding.code && finding.message.endsWith(mark.message));
    const [mark] = at < 0 ? [] : left.splice(at, 1);
    return findingRow({ ...finding, message: finding.message.replace(/^card '[^']*': /u, "") }, { number: mark ? String(mark.number) : null });
  });
  rows.push(...left.map((mark) => findingRow({ hint: null, file: null, cards: [], ...mark }, { number: String(mark.number) })));
  return rows.length ? h("ul", { class: "findings" }, rows) : null;
}

/** All findings by their code, the heaviest first. */
export function findingsPanel() {
  const body = h("div", { class: "panel-body" });
  const folded = new Set();
  const opened = new Set();
  let drawn = "";
  store.watch(["findings", "checked"], () => {
    const told = JSON.stringify([store.findings, Boolean(store.checked)]);
    if (told === drawn) return;
    drawn = told;
    const groups = new Map();
    for (const finding of store.findings) {
      if (!groups.has(finding.code)) groups.set(finding.code, []);
      groups.get(finding.code).push(finding);
    }
    const parts = [...groups].map(([code, findings]) => {
      const group = h(
        "details",
        { class: "group", open: isLow.matches ? opened.has(code) : !folded.has(code) },
        h("summary", {}, h("span", { class: `sign ${findings[0].severity}` }, icon(findings[0].severity), h("span", { class: "unseen", text: SEVERITIES[findings[0].severity] })), h("span", { class: "name", text: code }), h("span", { class: "count", text: String(findings.length) })),
        h("ul", { class: "findings" }, findings.slice(0, 100).map((finding) => findingRow(finding, { showCard: true }))),
        findings.length > 100 && h("p", { class: "muted", text: `and ${findings.length - 100} more` }),
      );
      group.addEventListener("toggle", () => {
        (group.open ? opened : folded).add(code);
        (group.open ? folded : opened).delete(code);
      });
      return group;
    });
    body.replaceChildren(...(parts.length ? parts : [h("p", { class: "empty", text: "Nothing was found." }, store.checked ? null : h("span", { class: "muted", text: " Contrast and rules aren’t checked yet." }))]));
  });
  return body;
}

/** "3 errors, 1 warning" */
export function findingWords(findings) {
  const counts = Object.keys(SEVERITIES).map((severity) => [findings.filter((each) => each.severity === severity).length, severity]);
  return counts.filter(([count]) => count).map(([count, severity]) => amount(count, severity)).join(", ");
}
