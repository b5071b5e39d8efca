/** What could stand where the caret is in a search; no page in it. */
import { leaves, OWN_NAMES, valueOf, WORDS } from "./query.js";

const MOST = 9;

/**
 * @param {string} text
 * @param {number} caret
 * @param {object[]} cards those whose values are offered
 * @param {string[]} fields
 * @returns {{from: number, to: number, items: {text: string, label: string, about: string}[]}}
 */
export function complete(text, caret, cards, fields) {
  const before = text.slice(0, caret);
  const start = /[^\s()]*$/u.exec(before).index + (/^-/u.test(before.slice(/[^\s()]*$/u.exec(before).index)) ? 1 : 0);
  const word = before.slice(start);
  const split = /^([\p{L}_][\p{L}\p{N}_.-]*)(:|=|!=)(.*,)?("?)([^,"]*)$/u.exec(word);
  const to = caret + /^[^\s(),]*/u.exec(text.slice(caret))[0].length;
  if (!split) return { from: start, to, items: names(word, cards, fields) };
  const [, name, , , , part] = split;
  const from = caret - part.length - split[4].length;
  return { from, to, items: values(name, part.toLowerCase(), cards, fields) };
}

function names(word, cards, fields) {
  const wanted = word.toLowerCase();
  if (!wanted) return [];
  const known = [...new Set([...fields, ...OWN_NAMES])];
  const nested = wanted.includes(".") ? within(wanted, cards) : [];
  const starting = known.filter((name) => name.toLowerCase().startsWith(wanted));
  const holding = known.filter((name) => !name.toLowerCase().startsWith(wanted) && name.toLowerCase().includes(wanted));
  return [...starting, ...holding, ...nested].slice(0, MOST).map((name) => {
    const sign = signOf(name, cards);
    return { text: name + sign, label: name + sign, about: Object.hasOwn(WORDS, name) ? Object.keys(WORDS[name]).slice(0, 3).join(", ") + " …" : example(name, cards) };
  });
}

/** Fields within a field, by the cards' own data. */
function within(wanted, cards) {
  const parent = wanted.slice(0, wanted.lastIndexOf("."));
  const found = new Set();
  for (const card of cards) {
    const name = Object.keys(card.fields).find((each) => each.toLowerCase() === parent) ?? parent;
    const value = valueOf(card, name);
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && typeof each === "object") for (const key of Object.keys(each)) found.add(`${name}.${key}`);
    }
  }
  return [...found].filter((name) => name.toLowerCase().startsWith(wanted));
}

function signOf(name, cards) {
  if (Object.hasOwn(WORDS, name)) return ":";
  const value = cards.map((card) => valueOf(card, name)).find((each) => each !== undefined);
  if (value !== null && typeof value === "object" && !Array.isArray(value)) return ".";
  return typeof value === "string" && value.length > 30 ? "~" : ":";
}

function example(name, cards) {
  const found = new Set();
  for (const card of cards) {
    for (const value of leaves(valueOf(card, name))) found.add(String(value));
    if (found.size > 3) break;
  }
  const words = [...found].slice(0, 3).join(", ");
  return words.length > 42 ? `${words.slice(0, 40)}…` : words;
}

function values(name, part, cards, fields) {
  if (Object.hasOwn(WORDS, name)) {
    const offered = Object.entries(WORDS[name]).map(([text, about]) => ({ text, label: text, about }));
    if (name === "has") offered.push(...fields.map((field) => ({ text: field, label: field, about: "the field is filled" })));
    return offered.filter(({ text }) => text.toLowerCase().startsWith(part)).slice(0, MOST);
  }
  const counts = new Map();
  for (const card of cards) {
    for (const value of new Set(leaves(valueOf(card, name)))) {
      const words = String(value);
      if (words.length <= 40) counts.set(words, (counts.get(words) ?? 0) + 1);
    }
  }
  return [...counts]
    .filter(([words]) => words.toLowerCase().includes(part))
    .sort(([a, one], [b, two]) => Number(b.toLowerCase().startsWith(part)) - Number(a.toLowerCase().startsWith(part)) || two - one)
    .slice(0, MOST)
    .map(([words, count]) => ({ text: /[\s,()"]/u.test(words) ? `"${words.replaceAll('"', "")}"` : words, label: words, about: count === 1 ? "1 card" : `${count} cards` }));
}
