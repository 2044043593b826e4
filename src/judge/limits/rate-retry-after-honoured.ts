import { duration } from '../../base/kernel/format.js';
import { BOTH_ROUNDED_MS } from './bounds.js';
import { isBan } from './ban-signs.js';
import { unixResetTime } from './clock.js';
import { CLOCK_GRACE_MS } from './headers/reset-fault.js';
import { endOfWait, longestWaitMs } from './when-allowed.js';
import { readRetryAfter } from '../../base/interface/retry-after.js';
import { wasRefused, wasRefusedWithinDay, wasServed, type Sample } from './sample.js';
import { dayMs } from './series.js';
import { comebacks } from './comebacks.js';
import type { KeyRun } from './key-run.js';
import { blunt, fault, held, open, type Shown } from './shown.js';

const promise = (retryAfter: string | null): string => `Retry-After: ${retryAfter}`;

/** Judges `rate-retry-after-honoured`: after one 429 and the wait of Retry-After, the next request succeeds. */
export function retryAfterHonoured(run: KeyRun): Shown {
  const { name, figures, clock } = run;
  const longestMs = longestWaitMs(figures) + CLOCK_GRACE_MS;
  const waits = comebacks(run.all)
    .map((one) => ({ ...one, due: endOfWait(one.refusal, clock) }))
    .filter(({ refusal }) => wasRefusedWithinDay(refusal, figures));
  for (const { refusal, next, due, isLone } of waits) {
    if (due === null || !isLone) continue;
    const waitedMs = next.sentAt - refusal.answeredAt;
    const isOver = next.sentAt >= due.latest;
    if (isOver && wasRefusedWithinDay(next, figures) && !isBan(next, refusal, figures))
      return fault(`${name} gets 429 again after the announced wait.`, {
        expected: `a request allowed after ${promise(refusal.retryAfter)}`,
        actual: `429 after a wait of ${duration(waitedMs)}`,
        measured: {
          dueMs: due.latest - refusal.answeredAt,
          tookMs: waitedMs,
          ...(isFraction(refusal, due.latest, run) && { what: ['fraction'] }),
        },
      });
    const announcedMs = due.earliest - refusal.answeredAt;
    // Beyond a day, `rate-retry-after-present` reports it.
    const isNeedless = announcedMs > longestMs && announcedMs <= dayMs(figures) + CLOCK_GRACE_MS;
    if (isNeedless && wasServed(next) && waitedMs < longestMs)
      return fault(`${name} announces a longer wait than it needs.`, {
        expected: `a wait of at most ${duration(longestMs)}`,
        actual: `${promise(refusal.retryAfter)}, although a request was allowed after ${duration(waitedMs)}`,
        measured: { dueMs: due.latest - refusal.answeredAt, tookMs: waitedMs, what: ['needless'] },
      });
  }
  const waited = waits.filter(({ next, due }) => due !== null && next.sentAt >= due.latest);
  // Among other refusals a ban may explain one after the wait. Then only an isolated refusal shows more.
  const isDoubtful = waited.some(({ refusal, next }) => wasRefused(next) && !isBan(next, refusal, figures));
  const kept = waited.find(({ next, isLone }) => wasServed(next) && (isLone || !isDoubtful));
  if (kept !== undefined) {
    const took = duration(kept.next.sentAt - kept.refusal.answeredAt);
    return held(`Allowed again ${took} after the 429 (${promise(kept.refusal.retryAfter)}).`);
  }
  const one =
    waits.find(({ next, due, isLone }) => isLone && (due === null || next.sentAt >= due.latest)) ??
    waited.find(({ next }) => wasRefused(next));
  if (one === undefined)
    return blunt('prerequisite', `${name} got no 429 on its own, or did not wait until its end`);
  const kind = readRetryAfter(one.refusal.retryAfter).kind;
  if (kind === 'absent' || kind === 'invalid')
    return open('prerequisite', 'The 429 has no valid Retry-After');
  if (one.due === null)
    return open('clock-unknown', "Retry-After is a date, and no Date header shows the server's time");
  return open(
    'prerequisite',
    `${name} got ${one.next.status} after the wait of a 429 (${promise(one.refusal.retryAfter)})`,
  );
}

/** Is true if by Reset only a fraction of a second of the wait is missing, as where it was rounded down. */
function isFraction(refusal: Sample, dueAt: number, { clock }: KeyRun): boolean {
  const reset = unixResetTime(refusal, clock);
  // Retry-After may lose a fraction of a second, and Reset may be rounded up by another.
  return reset !== null && reset.earliest - dueAt < BOTH_ROUNDED_MS;
}
