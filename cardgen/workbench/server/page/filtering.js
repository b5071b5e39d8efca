/** Which cards are shown, in which order: by component, search and sort. */
import * as api from "./api.js";
import { tidy } from "./comparing.js";
import { parse, sorted } from "./query.js";
import { placeOf, store } from "./store.js";

/** Fields of the components that are looked at, in the order in which they come. */
export function fieldsShown() {
  const shown = store.component ? store.components.filter((each) => each.id === store.component) : store.components;
  return [...new Set(shown.flatMap((component) => component.fields))];
}

/** What a search can ask of besides the card itself. */
export function context() {
  return {
    edited: store.edited,
    changed: new Set([...(store.since?.changed ?? []).map(placeOf), ...newPlaces()]),
    new: newPlaces(),
    findings: store.findingsByCard,
  };
}

function newPlaces() {
  return new Set((store.since?.new ?? []).map(placeOf));
}

let asked = null;

/** What changed since the revision that is compared with, fetched once. */
export async function askSince() {
  const rev = store.revision;
  if (asked === rev) return;
  asked = rev;
  const { epoch } = store;
  try {
    const since = tidy(await api.since(rev, store));
    if (store.revision === rev) store.set({ since: { ...since, rev, epoch }, sinceProblem: null });
  } catch (error) {
    if (store.revision === rev) store.set({ sinceProblem: error });
  } finally {
    asked = null;
  }
}

function filter() {
  const { match, problems } = parse(store.query, fieldsShown());
  const around = context();
  const within = [...store.cards.values()].filter((card) => !store.component || card.component === store.component);
  let found = within.filter((card) => match(card, around));
  if (/\bis:(changed|new)\b/u.test(store.query) && !store.since && !store.sinceProblem) askSince();
  if (store.sort) found = sorted(found, store.sort, store.descending);
  else if (store.descending) found.reverse();
  const isSame = found.length === store.matching.length && found.every((card, index) => card === store.matching[index]);
  store.set({ within: within.length, problems, ...(isSame ? {} : { matching: found }) });
}

export function beginFiltering() {
  store.watch(["cards", "components", "component", "query", "sort", "descending", "since", "edited", "findingsByCard"], filter);
}
