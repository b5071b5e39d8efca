/** The rules' verdicts, and the report with its charts. */
import { amount, button, h } from "./dom.js";
import { findingRow } from "./findings.js";
import { icon } from "./icons.js";
import { store } from "./store.js";

const VERDICTS = {
  broken: ["Broken", "the rule has a mistake or matches nothing"],
  fail: ["Fails", "a bound is broken"],
  undecided: ["Undecided", "no answer within the allowed steps"],
  pass: ["Holds", "all bounds are met"],
  report: ["Measured", "no bounds, only figures"],
};
const ORDER = Object.keys(VERDICTS);

export function verdictSign(verdict) {
  return h("span", { class: `verdict ${verdict}` }, icon(verdict in VERDICTS ? verdict : "note"), h("span", { text: VERDICTS[verdict]?.[0] ?? verdict }));
}

export function rulesView() {
  const side = h("ul", { class: "components", role: "listbox", "aria-label": "Verdicts" });
  const list = h("div", { class: "rules" });
  const report = h("div", { class: "report-frame", hidden: true });
  const title = h("h2", { text: "Rules" });
  const charts = button("Report with charts", () => showReport(report.hidden), { class: "chip", "aria-pressed": "false", icon: icon("report"), words: true });
  const again = button("Update the report", () => showReport(true), { class: "chip", hidden: true });
  const main = h("div", { class: "view" }, h("div", { class: "toolbar" }, title, h("span", { class: "muted grow", id: "rules-words" }), again, charts), list, report);
  const opened = new Set();
  let only = "";
  let drawn = "";

  const showReport = (shown) => {
    report.hidden = !shown;
    list.hidden = shown;
    again.hidden = !shown;
    charts.setAttribute("aria-pressed", String(shown));
    report.replaceChildren(...(shown ? [h("p", { class: "empty", text: "The report is being made …" }), h("iframe", { src: `report.html?epoch=${store.epoch}&${Date.now()}`, sandbox: "", title: "Report", referrerpolicy: "no-referrer" })] : []));
  };

  const draw = () => {
    const counts = new Map();
    for (const rule of store.rules) counts.set(rule.verdict, (counts.get(rule.verdict) ?? 0) + 1);
    if (only && !counts.has(only)) only = "";
    const entry = (verdict, name, count) =>
      h(
        "li",
        { role: "presentation" },
        h(
          "button",
          { type: "button", role: "option", "aria-selected": String(only === verdict), title: VERDICTS[verdict]?.[1], on: { click: () => ((only = verdict), showReport(false), draw()) } },
          verdict ? h("span", { class: `verdict ${verdict}` }, icon(verdict)) : h("span", { class: "outline none" }),
          h("span", { class: "name", text: name }),
          h("span", { class: "count", text: String(count) }),
        ),
      );
    side.replaceChildren(entry("", "Every rule", store.rules.length), ...ORDER.filter((verdict) => counts.has(verdict)).map((verdict) => entry(verdict, VERDICTS[verdict][0], counts.get(verdict))));
    main.querySelector("#rules-words").textContent = store.checking ? "being checked …" : store.waits || (store.rulesKnown ? "" : "not checked yet");
    const told = JSON.stringify([store.rules, only, store.rulesKnown, store.waits, store.checking && !store.rules.length]);
    if (told === drawn) return;
    drawn = told;
    const shown = store.rules.filter((rule) => !only || rule.verdict === only).sort((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict));
    list.replaceChildren(...(shown.length ? shown.map(row) : [h("p", { class: "empty", text: store.waits ? `${store.waits.charAt(0).toUpperCase()}${store.waits.slice(1)}.` : store.checking && !store.rulesKnown ? "The rules are being checked …" : store.rulesKnown ? "This game has no rules yet. Write them in rules.yaml next to its data." : "The rules aren’t checked yet." })]));
  };

  const row = (rule) => {
    const name = `${rule.id} ${rule.deck ?? ""}`;
    const trouble = rule.verdict === "fail" || rule.verdict === "broken";
    const made = h(
      "details",
      { class: `rule ${rule.verdict}`, open: opened.has(name) || (trouble && !opened.has(`-${name}`)) },
      h("summary", {}, verdictSign(rule.verdict), h("span", { class: "question" }, h("b", { text: rule.title || rule.id }), h("span", { class: "muted", text: rule.summary })), h("code", { class: "muted", text: rule.kind })),
      rule.findings?.length ? h("ul", { class: "findings" }, rule.findings.map((finding) => findingRow(finding, { showCard: true }))) : null,
      explanationOf(rule),
    );
    made.addEventListener("toggle", () => {
      opened.delete(made.open ? `-${name}` : name);
      opened.add(made.open ? name : `-${name}`);
    });
    return made;
  };

  store.watch(["rules", "rulesKnown", "checking", "waits"], draw);
  return { side: [h("h2", { class: "panel-title", text: "Verdicts" }), side], main };
}

/** The reasons of a verdict; where findings give them already, folded. */
function explanationOf(rule) {
  const words = h("pre", { class: "explanation", text: rule.explanation ?? "" });
  return rule.findings?.length ? h("details", { class: "more-fields" }, h("summary", { text: "How it was counted" }), words) : words;
}

/** "2 fail" for the view's tab; the count of all where none does. */
export function rulesCount() {
  const bad = store.rules.filter((rule) => rule.verdict === "fail" || rule.verdict === "broken").length;
  return { words: bad ? String(bad) : String(store.rules.length), trouble: bad > 0, about: bad ? `${amount(bad, "rule")} broken` : amount(store.rules.length, "rule") };
}
