import { minuteMs, type Figures } from './bounds.js';
import { bySending, wasServed, type Sample } from './sample.js';

/** More requests in a span than its windows can hold, whatever the algorithm. */
export interface Overfull {
  readonly served: number;
  readonly most: number;
  /** Length of the windows that hold at most `most`, ms. */
  readonly dueMs: number;
  readonly tookMs: number;
}

/**
 * Finds a span with more allowed requests than its windows can hold; null if there is none. A span of `n` windows touches
 * `n + 1` at most, so `(n + 1) * L` may be allowed in it: more is possible for no algorithm.
 */
export function overfullSpan(samples: readonly Sample[], figures: Figures): Overfull | null {
  const all = bySending(samples.filter(wasServed));
  let latest = -Infinity;
  const answered = all.map(({ answeredAt }) => (latest = Math.max(latest, answeredAt)));
  for (let windows = 1; (windows + 1) * figures.perMinute < all.length; windows += 1) {
    const most = (windows + 1) * figures.perMinute;
    const dueMs = windows * minuteMs(figures);
    for (let last = most; last < all.length; last += 1) {
      const from = all[last - most]?.sentAt ?? 0;
      const tookMs = (answered[last] ?? from) - from;
      if (tookMs < dueMs) return { served: most + 1, most, dueMs, tookMs };
    }
  }
  return null;
}
