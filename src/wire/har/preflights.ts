import { countWhile } from '../../base/kernel/sorted.js';
import type { HarSpan } from './times.js';

/** Longest time between the start of a request and that of its preflight, ms, if the request itself took less. */
const LONGEST_GAP_MS = 1000;

/** Starts and ends of the preflights to one address, Unix ms: two numbers each, because a browser records thousands. */
interface Preflights {
  starts: number[];
  ends: number[];
  isSorted: boolean;
}

/**
 * Keeps the CORS preflights of a file. Firefox starts a request before its preflight, and leaves the preflight's time out of the
 * request's length.
 */
export function preflightBook() {
  const byAddress = new Map<string, Preflights>();
  return {
    add(address: string, { startedAt, time }: HarSpan): void {
      const own = byAddress.get(address) ?? { starts: [], ends: [], isSorted: true };
      byAddress.set(address, own);
      own.isSorted &&= startedAt >= (own.starts.at(-1) ?? -Infinity);
      own.starts.push(startedAt);
      own.ends.push(startedAt + time);
    },
    /** Returns what a request waited for its own preflight, ms. Takes them in order of time, so add all before. */
    delayOf(address: string, span: HarSpan | null): number {
      const own = byAddress.get(address);
      if (span === null || own === undefined) return 0;
      if (!own.isSorted) sort(own);
      const until = span.startedAt + Math.max(span.time, LONGEST_GAP_MS);
      let longest = 0;
      for (
        let at = countWhile(own.starts, (start) => start < span.startedAt);
        (own.starts[at] ?? Infinity) <= until;
        at += 1
      )
        longest = Math.max(longest, (own.ends[at] ?? 0) - span.startedAt);
      return longest;
    },
  };
}

function sort(own: Preflights): void {
  const { starts, ends } = own;
  const order = starts.map((_, at) => at).toSorted((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0));
  own.starts = order.map((at) => starts[at] ?? 0);
  own.ends = order.map((at) => ends[at] ?? 0);
  own.isSorted = true;
}
