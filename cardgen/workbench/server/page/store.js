/** What the page knows, in one place. Whoever shows some of it watches the names it reads. */

export class Store {
  #watchers = new Map();
  #due = new Set();

  constructor(values) {
    Object.assign(this, values);
  }

  /** Set values; those who watch any that became others are called together, once, before the next frame. */
  set(values) {
    for (const [name, value] of Object.entries(values)) {
      if (Object.is(this[name], value)) continue;
      this[name] = value;
      this.#due.add(name);
    }
    if (this.#due.size && !this.waiting) {
      this.waiting = true;
      queueMicrotask(() => this.#tell());
    }
  }

  /** Call `does` now and whenever one of `names` changed. Gives a function that ends it. */
  watch(names, does, { now = true } = {}) {
    const watcher = { names, does };
    for (const name of names) {
      if (!this.#watchers.has(name)) this.#watchers.set(name, new Set());
      this.#watchers.get(name).add(watcher);
    }
    if (now) does(this);
    return () => names.forEach((name) => this.#watchers.get(name).delete(watcher));
  }

  #tell() {
    this.waiting = false;
    const due = [...this.#due];
    this.#due.clear();
    const called = new Set(due.flatMap((name) => [...(this.#watchers.get(name) ?? [])]));
    for (const watcher of called) {
      try {
        watcher.does(this);
      } catch (error) {
        console.error(error);
      }
    }
  }
}

/** The page's store. Cards are a Map in the game's order, by `placeOf`. */
export const store = new Store({
  // The game, as the server last said it.
  epoch: 0,
  game: { id: "", title: "", languages: [] },
  ownLanguage: "",
  components: [],
  cards: new Map(),
  sheets: [],
  decks: [],
  stateFindings: [],
  broken: false,
  loaded: false,
  connected: true,
  // The slow look at it.
  checked: null,
  checking: false,
  rules: [],
  rulesKnown: false,
  // Both together.
  findings: [],
  findingsByCard: new Map(),
  // What was edited here: the steps to undo and redo, and whether something is being saved.
  undo: null,
  redo: null,
  saving: false,
  // Children of the server.
  jobs: new Map(),
  // What it offers to print and export: see choices.js.
  offers: null,
  offersProblem: "",
  // What changed: since a revision, and since the page was opened.
  revision: "HEAD",
  since: null,
  edited: new Set(),
  // What is looked at.
  view: "cards",
  component: "",
  pile: "",
  query: "",
  matching: [],
  table: false,
  sort: "",
  descending: false,
  selected: "",
  panel: "card",
  // How it is looked at; kept between visits.
  zoom: 1,
  calibration: 1,
  backs: false,
  bleed: false,
  trim: false,
  safe: false,
  vision: "",
  half: false,
  language: "",
  lowInk: false,
  theme: "",
  paper: "",
});

/** A card's name among all: its component and id. */
export function placeOf(card) {
  return `${card.component}/${card.id}`;
}

/** The component of a card. */
export function componentOf(card) {
  return store.components.find((each) => each.id === card.component);
}

const KEPT = ["zoom", "calibration", "backs", "bleed", "trim", "safe", "vision", "half", "theme", "sort", "descending", "paper", "table"];
const ADDRESSED = { view: "cards", component: "", pile: "", query: "", selected: "", revision: "HEAD" };
const SHELF = "cardgen-preview";

/** Take what was kept from the last visit and what the address says, and keep both up to date. */
export function remember() {
  const kept = read();
  store.set(Object.fromEntries(KEPT.filter((name) => typeof kept[name] === typeof store[name]).map((name) => [name, kept[name]])));
  follow();
  store.watch(KEPT, () => write(Object.fromEntries(KEPT.map((name) => [name, store[name]]))), { now: false });
  store.watch(Object.keys(ADDRESSED), address, { now: false });
  addEventListener("hashchange", follow);
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(SHELF) ?? "{}") ?? {};
  } catch {
    return {};
  }
}

function write(values) {
  try {
    localStorage.setItem(SHELF, JSON.stringify(values));
  } catch {
    // A browser that keeps nothing: the next visit starts afresh.
  }
}

function follow() {
  const said = new URLSearchParams(location.hash.slice(1));
  store.set(Object.fromEntries(Object.entries(ADDRESSED).map(([name, plain]) => [name, said.get(name) ?? plain])));
}

function address() {
  const said = new URLSearchParams();
  for (const [name, plain] of Object.entries(ADDRESSED)) if (store[name] !== plain) said.set(name, store[name]);
  const text = said.toString();
  if (location.hash.slice(1) !== text) history.replaceState(null, "", text ? `#${text}` : location.pathname);
}
