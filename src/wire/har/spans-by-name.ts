import { countWhile } from '../../base/kernel/sorted.js';
import type { HarSpan } from './times.js';

/** Keeps the starts of some entries of a file by a name: a browser records thousands, in any order. */
export function spansByName() {
  const startsOf = new Map<string, number[]>();
  let isSorted = true;
  return {
    add(name: string, span: HarSpan | null): void {
      if (span === null) return;
      const own = startsOf.get(name) ?? [];
      startsOf.set(name, own);
      own.push(span.startedAt);
      isSorted = false;
    },
    /** Returns whether an entry of a name starts during another. Add all before. */
    hasStartingIn(name: string, span: HarSpan | null): boolean {
      if (!isSorted) for (const each of startsOf.values()) each.sort((one, other) => one - other);
      isSorted = true;
      const own = startsOf.get(name);
      if (span === null || own === undefined) return false;
      const next = own[countWhile(own, (start) => start < span.startedAt)];
      return next !== undefined && next <= span.startedAt + span.time;
    },
  };
}
