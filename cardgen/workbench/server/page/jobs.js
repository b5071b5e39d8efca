/** Work that children of the server do: starting it, how far it is, what came of it. */
import * as api from "./api.js";
import { duplexSelect, offeredSelect, paperSelect, targetSelect, titleOfTarget } from "./choices.js";
import { amount, button, h } from "./dom.js";
import { findingWords } from "./findings.js";
import { titleOf } from "./grid.js";
import { icon } from "./icons.js";
import { menu } from "./menus.js";
import { notice } from "./notices.js";
import { copy } from "./opening.js";
import { store } from "./store.js";

/** Files that are named one by one when a job is done. */
const FEW = 4;
/** ms after which a job that added something is put away by itself. */
const STAY = 8000;
const ADDING = ["add", "pull", "font", "translation"];
const TITLES = { build: "Building PDFs", export: "Exporting", report: "Writing the report", proof: "Drawing proofs", add: "Adding", pull: "Refreshing the spreadsheets", font: "Adding a font", translation: "Collecting texts", calibration: "Calibrating a printer" };

/** What of the variant that is looked at a kind of job takes. */
const VARIANT = { build: ["language", "low_ink"], export: ["language", "low_ink"], proof: ["language", "low_ink"], report: ["language"] };

/** Ask for a job in the variant that is looked at; what is said in `options` goes first, and what is empty is
 *  left out. */
export async function start(kind, options = {}) {
  const looked = { language: store.language, low_ink: store.lowInk };
  const variant = Object.fromEntries((VARIANT[kind] ?? []).map((name) => [name, looked[name]]));
  const empty = (value) => value === "" || value === null || value === undefined || value === false || (Array.isArray(value) && !value.length);
  const said = Object.fromEntries(Object.entries({ ...variant, ...options }).filter(([, value]) => !empty(value)));
  try {
    const { id } = await api.startJob(kind, said);
    if (!store.jobs.has(id)) store.set({ jobs: new Map([...store.jobs, [id, { id, kind, options: said, step: "", done: 0, total: 0, state: "running", files: [], findings: [], seconds: 0 }]]) });
  } catch (error) {
    notice(error.missing ? "This server can’t do that; use the command line" : `It can’t be started: ${error.message}`);
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
      else if (known?.state !== job.state) {
        const putAway = () => (away.add(job.id), store.set({ jobs: new Map(store.jobs) }));
        cards.set(job.id, { state: job.state, article: card(job, putAway) });
        if (job.state === "done" && ADDING.includes(job.kind)) setTimeout(putAway, STAY);
      }
      return cards.get(job.id).article;
    });
    if (wanted.length !== dock.children.length || wanted.some((each, index) => each !== dock.children[index])) dock.replaceChildren(...wanted);
  });
  return dock;
}

function card(job, putAway) {
  const running = job.state === "running";
  const wanted = wantedWords(job.options ?? {});
  const made = h(
    "article",
    { class: `job ${job.state}` },
    h(
      "header",
      {},
      h("b", { text: TITLES[job.kind] }),
      h("span", { class: "muted grow", text: wanted, title: wanted }),
      running ? button("Stop", () => api.stopJob(job.id).catch((error) => notice(`It can’t be stopped: ${error.message}`)), { icon: icon("stop"), class: "plain end" }) : button("Dismiss", putAway, { icon: icon("close"), class: "plain end" }),
    ),
    running && h("progress", { "aria-label": TITLES[job.kind] }),
    h("p", { class: "muted so-far" }),
    job.findings?.length ? h("p", { text: findingWords(job.findings) + `: ${job.findings[0].message}` }) : null,
    job.files?.length ? h("ul", {}, job.files.slice(0, FEW).map((file, index) => madeRow(job, file, index))) : null,
    job.state === "done" && !job.files?.length ? h("p", { class: "muted", text: "No files changed." }) : null,
    job.files?.length > FEW ? h("p", {}, h("span", { class: "muted", text: `and ${amount(job.files.length - FEW, "file")} more in ` }), folder(job.files)) : null,
  );
  progress(made, job);
  return made;
}

/** What a job was asked for, besides what it is: "a4, low ink". */
function wantedWords({ to, since, sheets, components, paper, language, low_ink: low }) {
  const words = [to && titleOfTarget(to), since && `changed since ${since}`, sheets?.join(", "), components?.join(", "), paper, language, low && "low ink"];
  return words.filter(Boolean).join(", ");
}

/** A file that was made: opened in a tab of its own where a browser can, and its place to be copied. */
function madeRow(job, file, index) {
  const name = file.shown ?? file.path;
  const address = api.madeFile(job.id, index, file.path);
  const place = () => copy(file.path);
  return h(
    "li",
    {},
    address ? h("a", { class: "link code", href: address, target: "_blank", rel: "noopener noreferrer", title: `Open ${file.path}`, text: name }) : button(name, place, { class: "link code", title: "Copy the path" }),
    h("span", { class: "muted", text: [file.pages ? amount(file.pages, "page") : "", size(file.bytes)].filter(Boolean).join(", ") }),
    address && button(`Copy the path of ${name}`, place, { icon: icon("copy"), class: "plain" }),
  );
}

/** The folder that holds all of these files, its place to be copied. */
function folder(files) {
  const shared = (paths) => {
    const parts = paths.map((path) => path.split("/").slice(0, -1));
    const differs = parts[0].findIndex((part, index) => parts.some((each) => each[index] !== part));
    return parts[0].slice(0, differs < 0 ? undefined : differs).join("/");
  };
  const place = shared(files.map((file) => file.path.replaceAll("\\", "/")));
  return button(shared(files.map((file) => (file.shown ?? file.path).replaceAll("\\", "/"))) || place, () => copy(place), { class: "link code", title: "Copy the path" });
}

/** Whether it is not yet its turn: jobs are done one after the other. */
function waits(job) {
  return !job.step && [...store.jobs.values()].some((other) => other.id < job.id && other.state === "running");
}

/** How far a job is, on its card. */
function progress(made, job) {
  const running = job.state === "running";
  const state = { running: job.step ? `${job.step.charAt(0).toUpperCase()}${job.step.slice(1)}` : waits(job) ? "Waiting for its turn" : "Starting", done: "Done", failed: "It failed", stopped: "Stopped" }[job.state];
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

/** The button that builds and exports, with how far the work is. */
export function printButton() {
  const made = button("Print and export", () => {}, { icon: icon("print"), words: true, class: "chip print", title: "Print and export" });
  const words = made.lastElementChild;
  const fields = { paper: paperSelect("Paper", { sizes: true }), duplex: duplexSelect("Two-sided", "Two-sided as set by the sheet"), to: targetSelect("Export to"), printer: offeredSelect("Printer", [["", "Any printer"]], (offers) => offers.printers, (offers) => offers?.defaults.printer), inks: inksSelect() };
  menu(made, (close) => printForm(close, fields), { className: "wide", label: "Print and export" });
  store.watch(["jobs"], () => {
    const running = [...store.jobs.values()].filter((job) => shownHere(job) && job.state === "running");
    words.textContent = running.length ? `${TITLES[running[0].kind]}${running[0].total > 1 ? ` ${Math.floor((100 * running[0].done) / running[0].total)} %` : ""}` : "Print and export";
    made.classList.toggle("on", running.length > 0);
  });
  return made;
}

/** The inks of the PDFs: RGB for printers at home, CMYK for presses. */
function inksSelect() {
  const titles = { "": "RGB, for a printer", x4: "CMYK, PDF/X-4", x1a: "CMYK, PDF/X-1a" };
  return h("select", { class: "select", "aria-label": "Inks", title: "Inks" }, Object.entries(titles).map(([value, text]) => h("option", { value, text })));
}

function printForm(close, { paper, duplex, to, printer, inks }) {
  // The deck is printed most often; boards, boxes and rulebooks are ticked where there is no deck.
  const cards = new Set(store.components.filter((component) => component.kind === "card").map((component) => component.id));
  const isDeck = (sheet) => !sheet.book && sheet.components.some((name) => cards.has(name));
  const anyDeck = store.sheets.some(isDeck);
  const ticks = store.sheets.map((sheet) => h("input", { type: "checkbox", checked: !anyDeck || isDeck(sheet), value: sheet.name }));
  const found = store.matching.length < store.cards.size ? store.matching : [];
  const some = h("input", { type: "checkbox" });
  const chosenCard = store.cards.get(store.selected);
  const one = h("input", { type: "checkbox" });
  const ink = h("input", { type: "checkbox", checked: store.lowInk });
  const going = h("input", { type: "checkbox" });
  const build = () => {
    const chosen = ticks.filter((tick) => tick.checked).map((tick) => tick.value);
    const only = one.checked ? [chosenCard] : some.checked ? found : [];
    const names = (key) => [...new Set(only.map((card) => card[key]))];
    const press = inks.value ? { inks: "cmyk", standard: inks.value } : {};
    start("build", { sheets: chosen.length === ticks.length ? [] : chosen, paper: paper.value, duplex: duplex.value, printer: printer.value, ...press, low_ink: ink.checked, keep_going: going.checked, cards: names("id"), components: names("component") });
    close();
  };
  const make = button("Build PDFs", build, { class: "main", disabled: !ticks.length });
  for (const tick of ticks) tick.addEventListener("change", () => (make.disabled = !ticks.some((each) => each.checked)));
  return [
    h("h3", { text: "PDFs to print" }),
    ticks.length ? h("div", { class: "ticks" }, store.sheets.map((sheet, index) => h("label", {}, ticks[index], h("span", { text: sheet.name })))) : h("p", { class: "muted", text: "This game has no sheets." }),
    h("div", { class: "pairs" }, paper, duplex, printer, inks),
    found.length ? h("label", {}, some, h("span", { text: `Only the ${amount(found.length, "card")} that the search shows` })) : "",
    chosenCard ? h("label", {}, one, h("span", { text: `Only the selected card, ${titleOf(chosenCard)}` })) : "",
    h("label", {}, ink, h("span", { text: "Low ink" })),
    h("label", {}, going, h("span", { text: "Keep going: print a box for each card with errors" })),
    store.offersProblem ? h("p", { class: "trouble", text: store.offersProblem }) : "",
    make,
    h("h3", { text: "For other programs and services" }),
    h("div", { class: "pairs" }, to, button("Export", () => (start("export", { to: to.value }), close()), { class: "quiet" })),
    h("h3", { text: "Rules, figures and deck list" }),
    button("Write the report", () => (start("report"), close()), { class: "quiet" }),
  ];
}
