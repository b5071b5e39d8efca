/** Work that children of the server do: starting it, how far it is, what came of it. */
import * as api from "./api.js";
import { amount, button, h } from "./dom.js";
import { findingWords } from "./findings.js";
import { icon } from "./icons.js";
import { menu } from "./menus.js";
import { notice } from "./notices.js";
import { copy } from "./opening.js";
import { store } from "./store.js";

export const PAPERS = ["letter", "a4", "legal", "tabloid", "a3", "arch-b"];
export const DUPLEX = { "long-edge": "Turned on the long edge", "short-edge": "Turned on the short edge", fold: "Folded", none: "Single-sided" };
const TARGETS = {
  png: "Pictures (PNG)",
  svg: "Drawings (SVG)",
  tts: "Tabletop Simulator",
  pcio: "playingcards.io",
  cockatrice: "Cockatrice",
  "vtt-kit": "Tabletopia and others",
  boardgamesmaker: "BoardGamesMaker",
  drivethru: "DriveThruCards",
  mpc: "MakePlayingCards",
  printerstudio: "PrinterStudio",
  printshop: "A print shop",
  tgc: "The Game Crafter",
};
const TITLES = { build: "Building PDFs", export: "Exporting", report: "Writing the report", proof: "Drawing proofs" };

/** Ask for a job; options that are empty are left out. */
export async function start(kind, options = {}) {
  const said = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== "" && value !== null && value !== undefined && value !== false && !(Array.isArray(value) && !value.length)));
  try {
    const { id } = await api.startJob(kind, { ...(store.lowInk ? { low_ink: true } : {}), ...(store.language ? { language: store.language } : {}), ...said });
    if (!store.jobs.has(id)) store.set({ jobs: new Map([...store.jobs, [id, { id, kind, options: said, step: "", done: 0, total: 0, state: "running", files: [], findings: [], seconds: 0 }]]) });
  } catch (error) {
    notice(error.missing ? "This server can’t do that yet; the command line can" : `It can’t be started: ${error.message}`);
  }
}

const shownHere = (job) => Object.hasOwn(TITLES, job.kind);

/** Jobs that run, and those that ended until they are put away. */
export function jobDock() {
  const away = new Set();
  const cards = new Map();
  const dock = h("section", { class: "jobs", "aria-label": "Jobs" });
  store.watch(["jobs"], () => {
    const shown = [...store.jobs.values()].filter((job) => shownHere(job) && !away.has(job.id));
    dock.hidden = !shown.length;
    const wanted = shown.slice(-4).map((job) => {
      const known = cards.get(job.id);
      if (known?.state === "running" && job.state === "running") progress(known.article, job);
      else if (known?.state !== job.state) cards.set(job.id, { state: job.state, article: card(job, () => (away.add(job.id), store.set({ jobs: new Map(store.jobs) }))) });
      return cards.get(job.id).article;
    });
    if (wanted.length !== dock.children.length || wanted.some((each, index) => each !== dock.children[index])) dock.replaceChildren(...wanted);
  });
  return dock;
}

function card(job, putAway) {
  const running = job.state === "running";
  const wanted = [job.options?.to, job.options?.changed_since && `changed since ${job.options.changed_since}`, (job.options?.sheets ?? []).join(", "), job.options?.low_ink && "low ink"].filter(Boolean).join(", ");
  const made = h(
    "article",
    { class: `job ${job.state}` },
    h(
      "header",
      {},
      h("b", { text: TITLES[job.kind] }),
      h("span", { class: "muted", text: wanted }),
      running ? button("Stop", () => api.stopJob(job.id).catch((error) => notice(`It can’t be stopped: ${error.message}`)), { icon: icon("stop"), class: "plain end" }) : button("Put away", putAway, { icon: icon("close"), class: "plain end" }),
    ),
    running && h("progress", { "aria-label": TITLES[job.kind] }),
    h("p", { class: "muted so-far" }),
    job.findings?.length ? h("p", { text: findingWords(job.findings) + `: ${job.findings[0].message}` }) : null,
    job.files?.length ? h("ul", {}, job.files.slice(0, 12).map((file) => h("li", {}, button(file.shown ?? file.path, () => copy(file.path), { class: "link code", title: "Copy where it is" }), h("span", { class: "muted", text: [file.pages ? amount(file.pages, "page") : "", size(file.bytes)].filter(Boolean).join(", ") })))) : null,
    job.files?.length > 12 ? h("p", { class: "muted", text: `and ${amount(job.files.length - 12, "file")} more` }) : null,
  );
  progress(made, job);
  return made;
}

/** How far a job is, on its card. */
function progress(made, job) {
  const running = job.state === "running";
  const state = { running: job.step || "Starting", done: "Done", failed: "It failed", stopped: "Stopped" }[job.state];
  const counted = running && job.total > 1;
  const bar = made.querySelector("progress");
  if (bar && counted) {
    bar.max = job.total;
    bar.value = job.done;
  } else bar?.removeAttribute("value");
  made.querySelector(".so-far").textContent = [state, counted ? `${job.done} of ${job.total}` : "", job.seconds ? `${Math.max(0.1, Math.round(job.seconds * 10) / 10)} s` : ""].filter(Boolean).join(" · ");
}

function size(bytes) {
  if (!bytes) return "";
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

export function select(label, options, settings = {}) {
  return h("select", { class: "select", "aria-label": label, ...settings }, Object.entries(options).map(([value, text]) => h("option", { value, text })));
}

/** The button that builds and exports, with how far the work is. */
export function printButton() {
  const made = button("Print and export", () => {}, { icon: icon("print"), words: true, class: "chip print" });
  const words = made.lastElementChild;
  menu(made, (close) => printForm(close), { className: "wide", label: "Print and export" });
  store.watch(["jobs"], () => {
    const running = [...store.jobs.values()].filter((job) => shownHere(job) && job.state === "running");
    words.textContent = running.length ? `${TITLES[running[0].kind]}${running[0].total > 1 ? ` ${Math.floor((100 * running[0].done) / running[0].total)} %` : ""}` : "Print and export";
    made.classList.toggle("on", running.length > 0);
  });
  return made;
}

function printForm(close) {
  const ticks = store.sheets.map((sheet) => h("input", { type: "checkbox", checked: true, value: sheet.name }));
  const paper = select("Paper", Object.fromEntries(PAPERS.map((name) => [name, name])));
  const duplex = select("Two-sided", { "": "Two-sided as the sheet says", ...DUPLEX });
  const ink = h("input", { type: "checkbox", checked: store.lowInk });
  const going = h("input", { type: "checkbox" });
  const to = select("Export to", TARGETS);
  const build = () => {
    const chosen = ticks.filter((tick) => tick.checked).map((tick) => tick.value);
    start("build", { sheets: chosen.length === ticks.length ? [] : chosen, paper: paper.value, duplex: duplex.value, low_ink: ink.checked, keep_going: going.checked });
    close();
  };
  return [
    h("h3", { text: "PDFs to print" }),
    h("div", { class: "ticks" }, store.sheets.map((sheet, index) => h("label", {}, ticks[index], h("span", { text: sheet.name })))),
    h("div", { class: "pairs" }, paper, duplex),
    h("label", {}, ink, h("span", { text: "Low ink" })),
    h("label", {}, going, h("span", { text: "Keep going: a box in the place of cards in error" })),
    button("Build PDFs", build, { class: "main" }),
    h("h3", { text: "For other programs and services" }),
    h("div", { class: "pairs" }, to, button("Export", () => (start("export", { to: to.value }), close()), { class: "quiet" })),
    h("h3", { text: "Rules, figures and deck list" }),
    button("Write the report", () => (start("report"), close()), { class: "quiet" }),
  ];
}
