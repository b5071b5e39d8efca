/** Finds the card that was selected in what became of the game. */
import { placeOf } from "./store.js";

/** The place of a card, selected `before`, in the cards `after`: both are Maps by place. A card keeps its id if its
 *  file states one. An id that is made from a title can pass to another card, so such a card is known by where it
 *  is in its file. Gives "" where the card is gone and another has its id, else the id, which may come back. */
export function follow(selected, before, after) {
  const card = before.get(selected);
  if (!card) return selected;
  const named = after.get(selected)?.file === card.file ? "id" in card.lines : after.has(selected);
  if (named) return selected;
  const old = besides(before, card);
  const now = besides(after, card);
  const at = old.indexOf(card);
  const most = Math.min(old.length, now.length);
  let first = 0;
  while (first < most && same(old[first], now[first])) first += 1;
  let last = 0;
  while (last < most - first && same(old[old.length - 1 - last], now[now.length - 1 - last])) last += 1;
  if (at < first) return placeOf(now[at]);
  if (at >= old.length - last) return placeOf(now[at + now.length - old.length]);
  const changed = now.slice(first, now.length - last);
  const moved = changed.find((each) => same(each, card));
  if (moved) return placeOf(moved);
  const edited = now.length === old.length ? now[at] : changed.find((each) => each.id === card.id);
  if (edited) return placeOf(edited);
  return after.has(selected) ? "" : selected;
}

/** The cards of a card's component and file, in order. */
function besides(cards, { component, file }) {
  return [...cards.values()].filter((each) => each.component === component && each.file === file).sort((a, b) => a.number - b.number);
}

/** Whether two cards have the same fields, whatever their ids are. */
function same(one, other) {
  return one === other || content(one) === content(other);
}

function content({ fields }) {
  return JSON.stringify({ ...fields, id: "" });
}
