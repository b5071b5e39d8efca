/**
 * The search's language, without the page: `parse(text, fields)` gives what tells whether a card matches, and
 * what can't be read in words.
 *
 *     suit:sun           is (lists: holds); several with commas: suit:sun,moon; a range: cost:1..3
 *     cost>3             also >= < <= = !=
 *     text~draw          contains
 *     requires.points>3  a field within a field
 *     draw "two words"   anywhere on the card
 *     -rare              not
 *     a or b, ( )        either; terms side by side must all hold
 *     is:changed has:art words of the page, see WORDS
 */

/** What `is:` and `has:` know besides fields, with what they say. */
export const WORDS = {
  is: {
    changed: "differs from the compared revision",
    edited: "changed since this page was opened",
    new: "not in the compared revision",
    good: "drawn as it is printed",
    marked: "drawn with its problems marked",
    stale: "shown as its last valid picture",
    missing: "without a picture",
  },
  has: {
    findings: "has findings",
    back: "has its own back",
    copies: "more than one copy",
  },
};

/** Names that every card has besides its fields. */
export const OWN_NAMES = ["id", "copies", "number", "component", "file", "is", "has"];

const OPERATORS = [">=", "<=", "!=", ":", "=", ">", "<", "~"];
const NAME = /^[\p{L}_][\p{L}\p{N}_-]*(\.[\p{L}\p{N}_-]+)*/u;

/**
 * @param {string} text
 * @param {string[]} fields names of fields of the cards that are looked at
 * @returns {{match: (card: object, context?: object) => boolean, problems: {at: number, end: number, message: string}[], empty: boolean}}
 *   `context`: `changed`, `edited`, `new` are sets of "component/id", `findings` a map from them.
 *   A term that can't be read is among the problems and left out.
 */
export function parse(text, fields = []) {
  const reader = new Reader(text, fields);
  const test = reader.either();
  while (reader.skip() < text.length) {
    reader.problem(reader.at, reader.at + 1, `the closing bracket has no opening one`);
    reader.at += 1;
    reader.either();
  }
  return { match: (card, context = {}) => (test ? test(card, context) : true), problems: reader.problems, empty: !test };
}

class Reader {
  constructor(text, fields) {
    Object.assign(this, { text, fields, at: 0, problems: [] });
  }

  problem(at, end, message) {
    this.problems.push({ at, end, message });
  }

  skip() {
    while (this.at < this.text.length && /\s/u.test(this.text[this.at])) this.at += 1;
    return this.at;
  }

  /** terms {"or" terms} */
  either() {
    const sides = [this.all()];
    while (this.word("or")) sides.push(this.all());
    const tests = sides.filter(Boolean);
    if (tests.length < 2) return tests[0] ?? null;
    return (card, context) => tests.some((test) => test(card, context));
  }

  all() {
    const tests = [];
    while (this.skip() < this.text.length && this.text[this.at] !== ")" && !this.ahead("or")) {
      const test = this.term();
      if (test) tests.push(test);
    }
    if (!tests.length) return null;
    return (card, context) => tests.every((test) => test(card, context));
  }

  ahead(word) {
    const next = this.text.slice(this.at, this.at + word.length + 1).toLowerCase();
    return next.startsWith(word) && (next.length === word.length || /[\s(]/u.test(next[word.length]));
  }

  word(word) {
    this.skip();
    if (!this.ahead(word)) return false;
    this.at += word.length;
    return true;
  }

  term() {
    if (this.text[this.at] === "-" && this.at + 1 < this.text.length && !/\s/u.test(this.text[this.at + 1])) {
      this.at += 1;
      const test = this.term();
      return test && ((card, context) => !test(card, context));
    }
    if (this.text[this.at] === "(") return this.bracket();
    return this.plain();
  }

  bracket() {
    const from = this.at;
    this.at += 1;
    const test = this.either();
    this.skip();
    if (this.text[this.at] === ")") this.at += 1;
    else this.problem(from, from + 1, "the bracket is not closed");
    return test;
  }

  plain() {
    const from = this.at;
    const name = NAME.exec(this.text.slice(from))?.[0];
    const operator = name && OPERATORS.find((each) => this.text.startsWith(each, from + name.length));
    if (!operator) return contains(this.value().text);
    this.at = from + name.length + operator.length;
    const values = this.values();
    if (!values.length || values.every((value) => value.text === "" && !value.quoted)) {
      this.problem(from, this.at, `“${name}${operator}” needs a value after it`);
      return null;
    }
    return this.comparison(name, operator, values, from);
  }

  /** Values with commas between them. */
  values() {
    const found = [this.value()];
    while (this.text[this.at] === ",") {
      this.at += 1;
      found.push(this.value());
    }
    return found.filter((value) => value.text !== "" || value.quoted);
  }

  value() {
    const quote = { '"': '"', "“": "”", "„": "“" }[this.text[this.at]];
    if (quote) {
      const from = this.at;
      const end = this.text.slice(from + 1).search(quote === '"' ? /"/u : /["”“]/u);
      if (end < 0) {
        this.problem(from, this.text.length, "the quotation mark is not closed");
        this.at = this.text.length;
        return { text: this.text.slice(from + 1), quoted: true };
      }
      this.at = from + end + 2;
      return { text: this.text.slice(from + 1, from + 1 + end), quoted: true };
    }
    const from = this.at;
    while (this.at < this.text.length && !/[\s,()]/u.test(this.text[this.at])) this.at += 1;
    if (this.at === from && /,/u.test(this.text[from] ?? "")) this.at += 1;
    return { text: this.text.slice(from, this.at), quoted: false };
  }

  comparison(name, operator, values, from) {
    if (Object.hasOwn(WORDS, name.toLowerCase()) && (operator === ":" || operator === "=")) return this.pageWord(name.toLowerCase(), values, from);
    const known = this.nameOf(name, from);
    if (!known) return null;
    if ([">", ">=", "<", "<="].includes(operator)) {
      const bound = numberOf(values[0].text);
      if (values.length > 1 || bound === null) {
        this.problem(from, this.at, `“${values.map((value) => value.text).join(",")}” is not a number, which ${name}${operator} needs`);
        return null;
      }
      return (card) => leaves(valueOf(card, known)).some((value) => order(value, operator, bound));
    }
    const tests = values.map((value) => (operator === "~" ? holdsText(value.text) : isValue(value)));
    const any = (card) => leaves(valueOf(card, known)).some((value) => tests.some((test) => test(value)));
    return operator === "!=" ? (card) => !any(card) : any;
  }

  pageWord(name, values, from) {
    const tests = [];
    for (const { text } of values) {
      const word = text.toLowerCase();
      if (Object.hasOwn(WORDS[name], word)) tests.push((card, context) => PAGE_TESTS[`${name}:${word}`](card, context));
      else if (name === "has" && this.find(text)) tests.push(filled(this.find(text)));
      else {
        const guess = closest(text, [...Object.keys(WORDS[name]), ...(name === "has" ? this.fields : [])]);
        const known = Object.keys(WORDS[name]).join(", ");
        this.problem(from, this.at, `nothing ${name === "is" ? "is" : "has"} “${text}”; ${guess ? `did you mean “${guess}”` : `known: ${known}`}`);
      }
    }
    return tests.length ? (card, context) => tests.some((test) => test(card, context)) : null;
  }

  /** The field as it is spelt in the data; a problem if no card has it. */
  nameOf(name, from) {
    const found = this.find(name);
    if (found) return found;
    const guess = closest(name, [...this.fields, ...OWN_NAMES]);
    this.problem(from, this.at, `no card here has a field “${name}”${guess ? `; did you mean “${guess}”` : ""}`);
    return null;
  }

  find(name) {
    const [first, ...rest] = name.split(".");
    const known = [...this.fields, ...OWN_NAMES.slice(0, 5)];
    const top = known.find((each) => each === first) ?? known.find((each) => each.toLowerCase() === first.toLowerCase());
    return top && [top, ...rest].join(".");
  }
}

const PAGE_TESTS = {
  "is:changed": (card, context) => has(context.changed, card),
  "is:edited": (card, context) => has(context.edited, card),
  "is:new": (card, context) => has(context.new, card),
  "is:good": (card) => card.face?.look === "good",
  "is:marked": (card) => looks(card, "marked"),
  "is:stale": (card) => looks(card, "stale"),
  "is:missing": (card) => looks(card, "none"),
  "has:findings": (card, context) => has(context.findings, card),
  "has:back": (card) => Boolean(card.back),
  "has:copies": (card) => card.copies > 1,
};

function has(places, card) {
  return Boolean(places?.has(`${card.component}/${card.id}`));
}

function looks(card, look) {
  return card.face?.look === look || card.back?.look === look;
}

function filled(name) {
  return (card) => leaves(valueOf(card, name)).some((value) => value !== null && value !== "" && value !== false);
}

/** A card's value by a name with dots; lists on the way are gone into. Undefined where there is none. */
export function valueOf(card, name) {
  if (name === "copies" || name === "number" || name === "component" || name === "file") return card[name];
  let found = [card.fields];
  for (const part of name.split(".")) {
    found = found.flatMap((value) => (Array.isArray(value) ? value : [value]));
    found = found.filter((value) => value !== null && typeof value === "object").map((value) => (Object.hasOwn(value, part) ? value[part] : undefined));
    found = found.filter((value) => value !== undefined);
  }
  if (!found.length) return name === "id" ? card.id : undefined;
  return found.length === 1 ? found[0] : found;
}

/** Words, numbers and truths within a value; the keys of a mapping count as words. */
export function leaves(value) {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap(leaves);
  if (value !== null && typeof value === "object") return Object.entries(value).flatMap(([key, each]) => [key, ...leaves(each)]);
  return [value];
}

function fold(text) {
  return String(text).normalize("NFKC").toLowerCase();
}

function holdsText(text) {
  const wanted = fold(text);
  return (value) => fold(value ?? "").includes(wanted);
}

/** Anywhere on the card: its id and all its fields. */
function contains(text) {
  const test = holdsText(text);
  return (card) => test(card.id) || Object.values(card.fields).some((value) => leaves(value).some(test));
}

function isValue({ text, quoted }) {
  const range = !quoted && /^(-?[\d.]*\d)?\.\.(-?\d[\d.]*)?$/u.exec(text);
  if (range && (range[1] || range[2])) {
    const [low, high] = [numberOf(range[1] ?? "-Infinity"), numberOf(range[2] ?? "Infinity")];
    if (low !== null && high !== null) return (value) => typeof value === "number" && value >= low && value <= high;
  }
  const number = quoted ? null : numberOf(text);
  const truth = quoted ? undefined : { true: true, yes: true, false: false, no: false }[fold(text)];
  const wanted = fold(text);
  return (value) => {
    if (typeof value === "number" && number !== null) return value === number;
    if (typeof value === "boolean" && truth !== undefined) return value === truth;
    return fold(value ?? "") === wanted;
  };
}

function numberOf(text) {
  if (text === "Infinity" || text === "-Infinity") return Number(text);
  return /^[-+−]?(\d+([.,]\d+)?|[.,]\d+)$/u.test(text) ? Number(text.replace("−", "-").replace(",", ".")) : null;
}

function order(value, operator, bound) {
  const number = typeof value === "number" ? value : typeof value === "string" ? numberOf(value) : null;
  if (number === null) return false;
  if (operator === ">") return number > bound;
  if (operator === ">=") return number >= bound;
  return operator === "<" ? number < bound : number <= bound;
}

/** The name that is at most two letters off, or begins the same; undefined if none. */
export function closest(name, names) {
  const wanted = name.toLowerCase();
  let best;
  let least = Math.min(3, Math.max(2, wanted.length));
  for (const each of names) {
    const off = each.toLowerCase().startsWith(wanted) ? 0.5 : distance(wanted, each.toLowerCase(), least);
    if (off < least) [best, least] = [each, off];
  }
  return best;
}

function distance(a, b, most) {
  if (Math.abs(a.length - b.length) >= most) return most;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length];
}

/** Cards in the order of a field: numbers by size before words by the alphabet, cards without it last, in the
 *  order in which they came where it is alike. */
export function sorted(cards, name, descending = false) {
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  const sign = descending ? -1 : 1;
  const rank = (value) => (value === undefined || value === null || value === "" ? 2 : typeof value === "number" ? 0 : 1);
  // Each card's value is read once, not once a comparison.
  const keyed = cards.map((card) => {
    const value = leaves(valueOf(card, name))[0];
    return { card, rank: rank(value), value: typeof value === "number" ? value : String(value) };
  });
  keyed.sort((a, b) => {
    if (a.rank !== b.rank) return a.rank - b.rank;
    if (a.rank === 2) return 0;
    return sign * (a.rank ? collator.compare(a.value, b.value) : a.value - b.value);
  });
  return keyed.map(({ card }) => card);
}
