import type { OperationName } from '../../base/interface/types.js';
import { duration } from '../../base/kernel/format.js';
import { isBan, isForbidden } from './ban-signs.js';
import { OVERTAKEN } from './bounds.js';
import { resetTime } from './clock.js';
import { leftOf, wasRefused, wasServed, type Sample } from './sample.js';
import { endOfWait } from './when-allowed.js';
import { comebacks } from './comebacks.js';
import type { KeyRun } from './key-run.js';
import { blunt, fault, held, type Shown } from './shown.js';

/** Judges `ban-only-after-abuse`: a client that got one 429 and waited is not banned, nor one that got none. */
export function banOnlyAfterAbuse(run: KeyRun): Shown {
  const { name, figures, clock } = run;
  const waited = comebacks(run.all).flatMap(({ refusal, next, isLone }) => {
    const due = endOfWait(refusal, clock) ?? resetTime(refusal, clock);
    const isOver = due !== null && next.sentAt >= due.latest;
    return isOver && next.status !== 0 && (isLone || wasServed(next))
      ? [{ refusal, next, took: duration(next.sentAt - refusal.answeredAt) }]
      : [];
  });
  const banned = waited.find(({ refusal, next }) => !wasServed(next) && isBan(next, refusal, figures));
  if (banned !== undefined)
    return fault(`${name}'s key is banned after a single 429.`, {
      expected: 'a key that waits after its first 429 is allowed again',
      actual: `${banned.next.status} after a wait of ${banned.took}`,
      measured: { status: banned.next.status },
    });
  const sudden = bannedAtOnce(run);
  if (sudden !== null)
    return fault(`${name}'s key is banned without abuse.`, {
      expected: 'no ban of a key that met one 429 at most, whatever other keys did',
      actual: `${sudden.status} right after a success`,
      measured: { status: sudden.status },
    });
  const kept = waited.find(({ next }) => wasServed(next));
  if (kept !== undefined) return held(`The key was allowed again after one 429 and a wait of ${kept.took}.`);
  return blunt('too-little-data', `${name} sent no request after a single 429 and its wait`);
}

/**
 * Finds a key that is forbidden twice what it got before, although requests were left and it met one refusal
 * at most; null without.
 */
function bannedAtOnce({ all, figures }: KeyRun): Sample | null {
  const got = new Set<OperationName>();
  let [refused, left] = [0, 0];
  let first: Sample | null = null;
  for (const sample of all) {
    if (wasRefused(sample) && (refused += 1) > 1) return null;
    if (wasServed(sample)) {
      got.add(sample.operation);
      left = leftOf(sample, figures) ?? 0;
      first = null;
    } else if (isForbidden(sample) && got.has(sample.operation) && left >= OVERTAKEN) {
      if (first !== null) return first;
      first = sample;
    }
  }
  return null;
}
