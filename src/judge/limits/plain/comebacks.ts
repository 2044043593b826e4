import { wasRefused, wasServed, type Sample } from '../sample.js';

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
  return all.flatMap((refusal, at) => {
    const [before, next] = [all[at - 1], all[at + 1]];
    if (next === undefined || !wasRefused(refusal) || next.sentAt < refusal.answeredAt) return [];
    const isLone = before !== undefined && wasServed(before) && before.answeredAt <= refusal.sentAt;
    return [{ refusal, next, isLone }];
  });
}
