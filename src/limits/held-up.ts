import { minuteMs } from './bounds.js';
import type { Sample } from './sample.js';
import type { KeySeries, Stall } from './series.js';

/** A stall this long makes timers, and the answers read after it, too late for what is judged within a second, ms. */
const LONG_MS = 1000;
/** Of a window: short stalls that take so much of one together make a burst as slow as a long one. */
const MUCH_SHARE = 0.2;

/** The most time that stalls took within any stretch of `spanMs`, ms. */
function mostWithin(stalls: readonly Stall[], spanMs: number): number {
  let [most, sum, first] = [0, 0, 0];
  for (const { from, to } of stalls) {
    sum += to - from;
    for (let old = stalls[first]; old !== undefined && old.from < to - spanMs; old = stalls[(first += 1)])
      sum -= old.to - old.from;
    most = Math.max(most, sum, to - from);
  }
  return most;
}

/**
 * The longest that the sender of a key's requests was held up while they were under way, ms; null where it was not, or by
 * so little that the times of its samples tell what they are held against. A sample's times enclose what the server did
 * at any rate; after a long stall they enclose too much, and what was to be sent at a moment was sent at another.
 * @param all every sample of the key, in the order of sending
 */
export function heldUpMs({ figures, stalls }: KeySeries, all: readonly Sample[]): number | null {
  const [from, to] = [all[0]?.sentAt ?? Infinity, Math.max(...all.map(({ answeredAt }) => answeredAt))];
  const during = stalls.filter((stall) => stall.to >= from && stall.from <= to);
  const window = minuteMs(figures);
  const longest = Math.max(0, ...during.map((stall) => stall.to - stall.from));
  const much = mostWithin(during, window);
  if (longest >= LONG_MS) return longest;
  return much >= Math.max(LONG_MS, MUCH_SHARE * window) ? much : null;
}
