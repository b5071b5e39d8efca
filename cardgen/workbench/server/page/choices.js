/** What there is to choose from where something is printed or exported, as the project knows it: papers, how
 *  backs meet faces, targets of exports. */
import * as api from "./api.js";
import { h, settled } from "./dom.js";
import { store } from "./store.js";
import { sizeWords } from "./units.js";

/** Words for what is chosen by a name; what has none here is shown by its name. */
const DUPLEX = { "long-edge": "Turned on the long edge", "short-edge": "Turned on the short edge", fold: "Folded", none: "Single-sided" };
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
/** ms without a save after which they are asked for again: that takes the server long, and typing comes first. */
const REST = 1500;

/** Ask now, and again when files were saved or the server came back. */
export function beginChoices() {
  ask();
  store.watch(["checked", "connected", "undo", "redo"], settled(ask, REST), { now: false });
}

async function ask() {
  if (!store.connected) return;
  try {
    const offers = await api.choices();
    if (JSON.stringify(offers) !== JSON.stringify(store.offers)) store.set({ offers });
    store.set({ offersProblem: "" });
  } catch (error) {
    store.set({ offersProblem: `Papers and targets can’t be read: ${error.message}` });
  }
}

/** The paper that is chosen, the same wherever it is asked for; the project's default where there is none of that name. */
export function paperChosen() {
  const names = (store.offers?.papers ?? []).map((paper) => paper.name);
  return [store.paper, store.offers?.defaults.paper, names[0]].find((name) => names.includes(name)) ?? store.paper;
}

/** `sizes`: whether there is room to say how large each is. */
export function paperSelect(label, { sizes = false } = {}) {
  const made = h("select", { class: "select", "aria-label": label, on: { change: () => store.set({ paper: made.value }) } });
  store.watch(["offers", "offersProblem", "paper"], () => {
    const papers = store.offers?.papers ?? [];
    options(made, papers.map(({ name, size_mm: size }) => [name, sizes ? `${name} · ${sizeWords(size)}` : name]), paperChosen());
    made.disabled = !papers.length;
    made.title = store.offersProblem || label;
    made.classList.toggle("trouble", Boolean(store.offersProblem));
  });
  return made;
}

/** `own` is what it is called that nothing is chosen. */
export function duplexSelect(label, own) {
  const made = h("select", { class: "select", "aria-label": label, title: label });
  store.watch(["offers"], () => options(made, [["", own], ...(store.offers?.duplex ?? []).map((name) => [name, DUPLEX[name] ?? name])], made.value));
  return made;
}

export function targetSelect(label) {
  const made = h("select", { class: "select", "aria-label": label, title: label });
  store.watch(["offers"], () => {
    const targets = store.offers?.targets ?? [];
    options(made, targets.map((name) => [name, titleOfTarget(name)]), made.value || targets[0]);
    made.disabled = !targets.length;
  });
  return made;
}

/** A choice of `[name, title]`, the first one meaning none, and the names of `of(offers)`. */
export function offeredSelect(label, none, of, usual = () => undefined) {
  const made = h("select", { class: "select", "aria-label": label, title: label });
  store.watch(["offers"], () => {
    const names = (store.offers && of(store.offers)) ?? [];
    const before = made.options.length > none.length ? made.value : usual(store.offers);
    options(made, [...none, ...names.map((name) => [name, name])], before ?? made.value);
    if (made.selectedIndex < 0) made.selectedIndex = 0;
    made.disabled = !made.options.length;
  });
  return made;
}

export function titleOfTarget(name) {
  return Object.hasOwn(TARGETS, name) ? TARGETS[name] : name;
}

function options(select, entries, value) {
  select.replaceChildren(...entries.map(([name, text]) => h("option", { value: name, text })));
  select.value = value;
}
