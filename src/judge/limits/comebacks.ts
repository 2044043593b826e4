import { wasRefused, wasServed, type Sample } from './sample.js';

/** A refusal and the next request of its key: nothing was sent between. */
export interface Comeback {
  readonly refusal: Sample;
  readonly next: Sample;
  /**
   * Is true if the refusal is the first after a success, and no request was beside it: no ban explains what
   * follows.
   */
  readonly isLone: boolean;
}

/** Finds refusals, and the request after each. */
export function comebacks(all: readonly Sample[]): readonly Comeback[] {
  let answered = -Infinity;
  return all.flatMap((refusal, at) => {
    const [before, next, later] = [all[at - 1], all[at + 1], all[at + 2]];
    const isAlone =
      answered <= refusal.sentAt && (next === undefined || (later?.sentAt ?? Infinity) >= next.answeredAt);
    answered = Math.max(answered, refusal.answeredAt);
    if (next === undefined || !wasRefused(refusal) || next.sentAt < answered) return [];
    return [{ refusal, next, isLone: isAlone && before !== undefined && wasServed(before) }];
  });
}
