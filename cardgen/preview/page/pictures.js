/** The order in which pictures are fetched: a few at a time, what is on the screen first. What has scrolled
 *  away before its turn is never asked for; what is under way is let come, so that the server never has more
 *  to draw than a few. */

const AT_ONCE = 5;

const waiting = new Map();
let running = 0;

/** Have `fetches` called when it is `owner`'s turn; it gives a promise. What `owner` waited for is dropped.
 *  Owners that say `isSeen` come first. */
export function queue(owner, fetches) {
  waiting.delete(owner);
  waiting.set(owner, fetches);
  if (running < AT_ONCE) queueMicrotask(next);
}

/** `owner` wants nothing any more. */
export function forget(owner) {
  waiting.delete(owner);
}

function next() {
  while (running < AT_ONCE && waiting.size) {
    const owner = [...waiting.keys()].find((each) => each.isSeen) ?? waiting.keys().next().value;
    const fetches = waiting.get(owner);
    waiting.delete(owner);
    running += 1;
    fetches()
      .catch(() => null)
      .finally(() => {
        running -= 1;
        next();
      });
  }
}

/** Images whose pictures are under way: one that is dropped by its owner may be collected, and then its
 *  `decode()` would never end, nor would the next ones get their turn. */
const held = new Set();

/** An image with its picture there and ready to be painted. Throws where it can't be had. */
export async function loaded(image, address) {
  held.add(image);
  try {
    image.src = address;
    await image.decode();
  } finally {
    held.delete(image);
  }
  return image;
}
