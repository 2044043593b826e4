import { onceEach } from '../../base/kernel/once-each.js';
import type { Between } from './clock.js';
import { CLOCK_GRACE_MS } from './headers/reset-fault.js';
import type { KeyRun } from './key-run.js';
import { wasRefused, wasRefusedByMinute, wasServed, type Sample } from './sample.js';

/** A refusal and the next request of its key: nothing was sent between. */
export interface Comeback {
  readonly refusal: Sample;
  /** Place of the refusal among the samples. */
  readonly at: number;
  readonly next: Sample;
  /**
   * Is true if the refusal is the first after a success, and no request overlaps it: no ban explains what
   * follows.
   */
  readonly isLone: boolean;
}

/** Several rows read those of one key. */
export const comebacks = onceEach((all: readonly Sample[]): readonly Comeback[] => {
  const found: Comeback[] = [];
  let answered = -Infinity;
  for (const [at, refusal] of all.entries()) {
    const before = answered;
    answered = Math.max(answered, refusal.answeredAt);
    const next = all[at + 1];
    if (!wasRefused(refusal) || next === undefined || next.sentAt < answered) continue;
    const isAlone = before <= refusal.sentAt && (all[at + 2]?.sentAt ?? Infinity) >= next.answeredAt;
    const previous = all[at - 1];
    found.push({ refusal, at, next, isLone: isAlone && previous !== undefined && wasServed(previous) });
  }
  return found;
});

/** Finds each 429 of the minute right after a success: a second one in a row may speak of a ban. */
export const firstRefusals = ({ all, figures }: Pick<KeyRun, 'all' | 'figures'>): readonly Sample[] =>
  all.filter((sample, at) => wasRefusedByMinute(sample, figures) && wasServed(all[at - 1] ?? sample));

/** Is true for a Reset within a window: one further ahead speaks of no minute, which is another fault. */
export const isWithinWindow = (
  { answeredAt }: Sample,
  reset: Between,
  { windowMs }: Pick<KeyRun, 'windowMs'>,
): boolean => reset.earliest <= answeredAt + windowMs + CLOCK_GRACE_MS;
