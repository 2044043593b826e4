import { duration } from '../../base/kernel/format.js';
import { isBan } from './ban-signs.js';
import { resetTime } from './clock.js';
import { wasServed } from './sample.js';
import { endOfWait } from './when-allowed.js';
import { comebacks } from './comebacks.js';
import type { KeyRun } from './key-run.js';
import { blunt, fault, held, type Shown } from './shown.js';

/** Judges `ban-only-after-abuse`: a client that got one 429 and waited is not banned. */
export function banOnlyAfterAbuse(run: KeyRun): Shown | null {
  const { name, figures, clock } = run;
  if (run.bursts.length === 0 && run.spoiled === null) return null;
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
  const kept = waited.find(({ next }) => wasServed(next));
  if (kept !== undefined) return held(`The key was allowed again after one 429 and a wait of ${kept.took}.`);
  return blunt('too-little-data', `${name} sent no request after a single 429 and its wait`);
}
