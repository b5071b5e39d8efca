/** Shuffles that come out the same for the same seed, on every machine. No page in it. */

/** A stream of numbers from 0 up to 1 (mulberry32 over an FNV-1a hash of the seed's letters). */
export function stream(seed) {
  let state = 0x811c9dc5;
  for (const letter of String(seed)) state = Math.imul(state ^ letter.codePointAt(0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** All of `cards` in an order that only the seed decides (Fisher and Yates). */
export function shuffled(cards, seed) {
  const next = stream(seed);
  const order = [...cards];
  for (let index = order.length - 1; index > 0; index -= 1) {
    const other = Math.floor(next() * (index + 1));
    [order[index], order[other]] = [order[other], order[index]];
  }
  return order;
}

/** Each card as often as it has copies. */
export function deckOf(cards) {
  return cards.flatMap((card) => Array.from({ length: card.copies }, () => card));
}

/** The cards of a deck list with its copies, in its order; `lacking` are the ids of those that are not there. */
export function listed(list, cards) {
  const known = new Map(cards.filter((card) => card.component === list.component).map((card) => [card.id, card]));
  const held = list.copies.filter(([id]) => known.has(id));
  return {
    cards: held.map(([id, copies]) => ({ ...known.get(id), copies })),
    lacking: list.copies.filter(([id]) => !known.has(id)).map(([id]) => id),
  };
}
