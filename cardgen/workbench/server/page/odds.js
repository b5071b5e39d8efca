/** Chances of draws without putting back, in whole numbers of any size: nothing is rounded before it is
 *  written. No page in it. */

/** Ways to choose `some` of `all`, as a BigInt; 0 where there are none. */
export function choose(all, some) {
  if (some < 0 || some > all) return 0n;
  let ways = 1n;
  const least = Math.min(some, all - some);
  for (let index = 1; index <= least; index += 1) ways = (ways * BigInt(all - least + index)) / BigInt(index);
  return ways;
}

/**
 * Of `cards` cards of which `hits` count, `drawn` are drawn: the ways to hold 0, 1, … of those that count.
 * @returns {{ways: bigint[], all: bigint}} `ways[k] / all` is the chance of exactly k
 */
export function hypergeometric(cards, hits, drawn) {
  for (const count of [cards, hits, drawn]) if (!Number.isInteger(count) || count < 0) throw new RangeError("counts of cards are whole numbers from 0");
  if (hits > cards) throw new RangeError("more cards count than there are");
  const draw = Math.min(drawn, cards);
  const ways = Array.from({ length: draw + 1 }, (_, held) => choose(hits, held) * choose(cards - hits, draw - held));
  return { ways, all: choose(cards, draw) };
}

/** The chance of at least `least` that count, as a fraction in lowest terms. */
export function atLeast(cards, hits, drawn, least) {
  const { ways, all } = hypergeometric(cards, hits, drawn);
  const good = ways.reduce((sum, each, held) => (held >= least ? sum + each : sum), 0n);
  return lowest({ over: good, under: all });
}

/** The chance of exactly `held` that count, as a fraction in lowest terms. */
export function exactly(cards, hits, drawn, held) {
  const { ways, all } = hypergeometric(cards, hits, drawn);
  return lowest({ over: ways[held] ?? 0n, under: all });
}

/** How many that count are held on average, as a fraction in lowest terms. */
export function mean(cards, hits, drawn) {
  return cards ? lowest({ over: BigInt(Math.min(drawn, cards)) * BigInt(hits), under: BigInt(cards) }) : { over: 0n, under: 1n };
}

export function lowest({ over, under }) {
  let [a, b] = [over, under];
  while (b) [a, b] = [b, a % b];
  return a ? { over: over / a, under: under / a } : { over, under };
}

/** A fraction with so many digits after the point, rounded to the nearest (halves up): "0.98566". */
export function decimal({ over, under }, digits) {
  const ten = 10n ** BigInt(digits);
  const rounded = (2n * over * ten + under) / (2n * under);
  const text = rounded.toString().padStart(digits + 1, "0");
  return digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text;
}

/** A fraction as a percentage: "98.57 %"; what is not quite all or none never reads as if it were. */
export function percentage(fraction, digits = 2) {
  const { over, under } = fraction;
  const text = decimal({ over: over * 100n, under }, digits);
  const least = digits ? `0.${"0".repeat(digits - 1)}1` : "1";
  const most = digits ? `99.${"9".repeat(digits)}` : "99";
  if (over > 0n && Number(text) === 0) return `under ${least} %`;
  if (over < under && Number(text) === 100) return `over ${most} %`;
  return `${text} %`;
}

/** A fraction as a number between 0 and 1, for lengths on the screen. */
export function share(fraction) {
  return Number(decimal(fraction, 12));
}

/** A chance as hands: "About one hand in 4", "All but about one hand in 18". */
export function oneIn({ over, under }) {
  if (!over) return "Never";
  if (over === under) return "Always";
  const rare = 2n * over <= under;
  const times = Number(decimal({ over: under, under: rare ? over : under - over }, 1));
  const words = times < 10 ? String(times) : Math.round(times).toLocaleString("en");
  return rare ? `About one hand in ${words}` : `All but about one hand in ${words}`;
}
