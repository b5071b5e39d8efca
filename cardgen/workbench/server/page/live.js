/** Keeps the store like the server's game: the first state, then what its events say. */
import * as api from "./api.js";
import { follow } from "./following.js";
import { notice } from "./notices.js";
import { fetchAtOnce } from "./side.js";
import { placeOf, store } from "./store.js";

const FLASH = 1600;
/** ms in which changes are shown together, or more for thousands of cards, which take that long to show. */
const TOGETHER = 120;
const together = () => Math.max(TOGETHER, store.cards.size / 5);
let loading = null;
let again = false;
let adopting = false;

/** Fetch all of the game in the variant that is looked at. Asked twice at once, it is fetched once more. */
export function load() {
  if (loading) {
    again = true;
    return loading;
  }
  loading = fetchState().finally(() => {
    loading = null;
    if (again) {
      again = false;
      load();
    }
  });
  return loading;
}

async function fetchState() {
  try {
    const state = await api.state(store);
    const cards = new Map(state.cards.map((card) => [placeOf(card), card]));
    const changed = store.loaded && !store.switching ? [...cards.values()].filter((card) => lookChanged(store.cards.get(placeOf(card)), card)) : [];
    store.set({
      epoch: state.epoch,
      game: state.game,
      ownLanguage: store.language ? store.ownLanguage : state.game.language,
      components: state.components,
      ...taken(keep(cards)),
      sheets: state.sheets,
      decks: state.decks,
      stateFindings: state.findings,
      broken: state.broken,
      loaded: true,
      switching: false,
    });
    flash(changed);
  } catch (error) {
    if (store.switching && !error.missing) notice(`This variant can’t be shown: ${error.message}`);
    store.set({ switching: false });
  }
}

/** A game that can't be read may come without cards: the last ones stay. */
function keep(cards) {
  return cards.size || !store.cards.size ? cards : store.cards;
}

/** What the store takes for the cards as they are now: the card that is selected stays so under another id. */
function taken(cards) {
  return { cards, selected: follow(store.selected, store.cards, cards) };
}

/** Whether a card looks other than it did; one that is drawn for the first time does not. */
function lookChanged(old, card) {
  if (old && !old.face?.key && card.face?.look === "good") return false;
  return !old || old.face?.key !== card.face?.key || old.back?.key !== card.back?.key || old.face?.look !== card.face?.look;
}

function flash(cards) {
  if (!cards.length) return;
  const places = cards.map(placeOf);
  store.set({ edited: new Set([...store.edited, ...places]), flashing: new Set(places) });
  setTimeout(() => store.set({ flashing: new Set() }), FLASH);
}

/** Whether an event is about the variant that is looked at. */
function ours(variant) {
  if (!variant) return !store.lowInk && !store.language;
  return Boolean(variant.low_ink) === store.lowInk && (variant.language ?? "") === store.language;
}

function hello(said) {
  const first = said.variant;
  if (first && !store.variantKnown && !store.switching) {
    adopting = first.low_ink !== store.lowInk || (first.language ?? "") !== store.language;
    store.set({ language: first.language ?? "", lowInk: Boolean(first.low_ink) });
  }
  store.variantKnown = true;
  if (said.epoch === undefined || !ours(first) ? !store.connected : said.epoch !== store.epoch) load();
}

/** Cards that changed since all was checked: what the last check said of them may not hold any more. */
let touched = new Set();
let told = [];
let toldAt = 0;

/** A change is shown at once; those that come in a row, as when a game is first laid out, some at a time. */
function change(event) {
  if (!ours(event.variant)) return;
  fetchAtOnce(event.cards);
  told.push(event);
  if (told.length > 1) return;
  const wait = Math.max(0, toldAt + together() - performance.now());
  if (wait) setTimeout(take, wait);
  else take();
}

function take() {
  const events = told;
  told = [];
  toldAt = performance.now();
  const cards = new Map(store.cards);
  const changed = new Map();
  if (!store.loaded || events.some((event) => event.whole || event.cards.some((card) => !cards.has(placeOf(card))))) {
    load();
    return;
  }
  for (const event of events) {
    for (const card of event.cards) {
      if (lookChanged(cards.get(placeOf(card)), card)) changed.set(placeOf(card), card);
      cards.set(placeOf(card), card);
    }
    for (const place of event.gone) cards.delete(place.join("/"));
  }
  const last = events[events.length - 1];
  for (const event of events) for (const card of event.cards) touched.add(placeOf(card));
  store.set({ epoch: last.epoch, ...taken(cards), stateFindings: last.findings, broken: last.broken });
  flash([...changed.values()]);
}

function checked(event) {
  const running = Array.isArray(event.running) ? event.running.length > 0 : Boolean(event.running);
  if (!running) touched = new Set();
  const judged = event.rules && (event.rules.length || event.waits || !running);
  store.set({ checking: running, checked: event, waits: event.waits ?? "", ...(judged ? { rules: event.rules, rulesKnown: true } : {}) });
}

/** Start: state, events, and what the slow look has found so far. */
export async function begin() {
  store.watch(["stateFindings", "checked", "cards"], gatherFindings, { now: false });
  store.watch(["language", "lowInk"], () => {
    if (adopting) {
      adopting = false;
      return;
    }
    store.variantKnown = true;
    store.set({ switching: true, since: null, sinceProblem: null });
    load();
  }, { now: false });
  await load();
  api.listen({
    hello,
    sheet: (said) => store.set({ sheetNews: said }),
    change,
    checked,
    job: (job) => store.set({ jobs: new Map([...store.jobs, [job.id, job]]) }),
    connected: (connected) => {
      if (connected && !store.connected) load();
      store.set({ connected });
    },
  });
  await Promise.allSettled([askRules(), askJobs()]);
}

async function askRules() {
  const said = await api.rules();
  if (!store.checked) checked({ findings: [], ...said });
}

async function askJobs() {
  const said = await api.jobs();
  const running = (said.jobs ?? said).filter((job) => job.state === "running");
  store.set({ jobs: new Map([...running.map((job) => [job.id, job]), ...store.jobs]) });
}

const WEIGHT = { error: 0, warning: 1, note: 2 };

let gathered = "[]";

/** All findings once, the heaviest first, and those of each card; nobody is called where they are the same. */
function gatherFindings() {
  const seen = new Map();
  const lines = cardLines();
  for (const finding of [...store.stateFindings, ...(store.checked?.findings ?? [])]) finding.cards = finding.cards?.length ? finding.cards : cardAt(lines, finding);
  const slow = (store.checked?.findings ?? []).filter(({ cards }) => !cards.length || !cards.every((place) => touched.has(place.join("/"))));
  for (const finding of [...store.stateFindings, ...slow]) {
    const key = [finding.code, finding.message, finding.file, finding.line, finding.column, finding.path].join("\n");
    if (!seen.has(key)) seen.set(key, finding);
  }
  const findings = [...seen.values()].sort((a, b) => WEIGHT[a.severity] - WEIGHT[b.severity]);
  const byCard = new Map();
  for (const finding of findings) {
    for (const place of finding.cards) {
      const name = place.join("/");
      byCard.set(name, [...(byCard.get(name) ?? []), finding]);
    }
  }
  const said = JSON.stringify(findings);
  if (said === gathered) return;
  gathered = said;
  store.set({ findings, findingsByCard: byCard });
}

/** Cards of each file, by the lines at which they begin. */
function cardLines() {
  const lines = new Map();
  for (const card of store.cards.values()) {
    if (!card.line) continue;
    if (!lines.has(card.file)) lines.set(card.file, []);
    lines.get(card.file).push(card);
  }
  for (const cards of lines.values()) cards.sort((a, b) => a.line - b.line);
  return lines;
}

/** The card within whose lines a finding stands, where the server doesn't say whose it is. */
function cardAt(lines, finding) {
  if (!finding.line) return [];
  const card = lines.get(finding.file)?.findLast((each) => each.line <= finding.line);
  return card ? [[card.component, card.id]] : [];
}
