import { countWhile } from '../../base/kernel/sorted.js';
import type { HarSpan } from './times.js';

/** Start and end of an entry, Unix ms. */
export interface Ends {
  readonly start: number;
  readonly end: number;
}

/** Keeps the spans of some entries of a file by a name: a browser records thousands, in any order. */
export function spansByName() {
  const byName = new Map<string, Ends[]>();
  let isSorted = true;
  return {
    /** Adds an entry; one without times has no place. */
    add(name: string, span: HarSpan | null): void {
      if (span === null) return;
      const own = byName.get(name) ?? [];
      byName.set(name, own);
      own.push({ start: span.startedAt, end: span.startedAt + span.time });
      isSorted = false;
    },
    /**
     * Returns the entries of a name that start during another. Add all before.
     *
     * @param leastMs time after its start that counts as during it, if it took less, ms
     */
    startingIn(name: string, span: HarSpan | null, leastMs: number): readonly Ends[] {
      if (!isSorted) for (const each of byName.values()) each.sort((one, other) => one.start - other.start);
      isSorted = true;
      const own = byName.get(name);
      if (span === null || own === undefined) return [];
      const until = span.startedAt + Math.max(span.time, leastMs);
      return own.slice(
        countWhile(own, ({ start }) => start < span.startedAt),
        countWhile(own, ({ start }) => start <= until),
      );
    },
  };
}
