/** The order in which pictures are fetched: a few at a time, what is on the screen first. What has scrolled
 *  away before its turn is never asked for; what is under way is let come, so that the server never has more
 *  to draw than a few. Those that come in a row are put into the page some at a time: it is painted anew for
 *  each time, not for each picture. */

const AT_ONCE = 5;
/** ms between two times. The first picture, and the last one on the screen, wait for nothing. */
const TOGETHER = 80;

const waiting = new Map();
const running = new Set();
let there = [];
let calls = [];
let putAt = -TOGETHER;
let timer = 0;

/** Have `fetches` called when it is `owner`'s turn; it gives a promise, perhaps of a function that puts the
 *  picture into the page. What `owner` waited for is dropped. Owners that say `isSeen` come first. */
export function queue(owner, fetches) {
  waiting.delete(owner);
  waiting.set(owner, fetches);
  if (running.size < AT_ONCE) queueMicrotask(next);
}

/** `owner` wants nothing any more. */
export function forget(owner) {
  waiting.delete(owner);
}

/** Call `does` as soon as all pictures on the screen are there. */
export function whenThere(does) {
  calls.push(does);
  put();
}

function next() {
  while (running.size < AT_ONCE && waiting.size) {
    const owner = [...waiting.keys()].find((each) => each.isSeen) ?? waiting.keys().next().value;
    const fetches = waiting.get(owner);
    waiting.delete(owner);
    const turn = { owner };
    running.add(turn);
    fetches()
      .then((puts) => puts && there.push(puts), () => null)
      .finally(() => {
        running.delete(turn);
        next();
        put();
      });
  }
}

function put() {
  const all = !waitsForSeen();
  const rest = putAt + TOGETHER - performance.now();
  if (all || rest <= 0) {
    clearTimeout(timer);
    timer = 0;
    if (there.length) putAt = performance.now();
    const puts = there;
    there = [];
    for (const does of puts) does();
  } else if (there.length && !timer) {
    timer = setTimeout(() => {
      timer = 0;
      put();
    }, rest);
  }
  if (!all) return;
  const due = calls;
  calls = [];
  for (const does of due) does();
}

function waitsForSeen() {
  return [...running].some(({ owner }) => owner.isSeen) || [...waiting.keys()].some((owner) => owner.isSeen);
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
