/** Two values compared, word by word. No page in it. */

const MOST = 1200;

/** A value of a card's data as one reads it. */
export function inWords(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(inWords).join(", ");
  if (typeof value === "object") return Object.entries(value).map(([name, each]) => `${name}: ${inWords(each)}`).join("; ");
  return String(value);
}

/**
 * What is the same, gone and new between two texts, in their order.
 * @returns {{kind: "same"|"old"|"new", text: string}[]}
 */
export function wordDifferences(old, fresh) {
  const [a, b] = [split(old), split(fresh)];
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > from && endB > from && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1];
  const parts = [];
  add(parts, "same", a.slice(0, from));
  middle(parts, a.slice(from, endA), b.slice(from, endB));
  add(parts, "same", a.slice(endA));
  return parts;
}

function split(text) {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

function add(parts, kind, words) {
  if (!words.length) return;
  const last = parts[parts.length - 1];
  if (last?.kind === kind) last.text += words.join("");
  else parts.push({ kind, text: words.join("") });
}

/** By the longest common subsequence; texts too long for that are said to differ as a whole. */
function middle(parts, a, b) {
  if (!a.length || !b.length || a.length > MOST || b.length > MOST) {
    add(parts, "old", a);
    add(parts, "new", b);
    return;
  }
  const rows = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) rows[i][j] = a[i] === b[j] ? rows[i + 1][j + 1] + 1 : Math.max(rows[i + 1][j], rows[i][j + 1]);
  }
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add(parts, "same", [a[i]]);
      [i, j] = [i + 1, j + 1];
    } else if (j >= b.length || (i < a.length && rows[i + 1][j] >= rows[i][j + 1])) {
      add(parts, "old", [a[i]]);
      i += 1;
    } else {
      add(parts, "new", [b[j]]);
      j += 1;
    }
  }
}
