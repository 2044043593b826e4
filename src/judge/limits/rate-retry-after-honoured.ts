import { unestablished, untried, type Judged } from '../findings/finding.js';
import type { ServerClock } from './clock.js';
import { readRetryAfter } from '../../base/interface/retry-after.js';
import { subject, type KeySeries } from './series.js';
import { wasRefused, wasServed } from './sample.js';
import { isInMilliseconds } from './timing.js';
import { inShort, isLongBySeconds } from './bounds.js';
import { windowsSeen } from './windows-seen.js';
import { best, judgeReturn, LATE_MS } from './after-refusal.js';
import type { KeyReading } from './reading.js';
import { showsRounding } from './refusal-phase.js';
import { refills } from './spread.js';
import { CLOCK_LATE_MS, endOfWait } from './waits.js';

/** Judges `rate-retry-after-honoured`: after one 429 and the wait of Retry-After, the next request succeeds. */
export function retryAfterHonoured(reading: KeyReading): Judged {
  const { key, clock } = reading;
  const findings = key.recoveries.map(({ refusal, retry, resetRetry, refusals }): Judged => {
    if (retry === null) return null;
    const after = readRetryAfter(refusal.retryAfter);
    if (
      after.kind === 'absent' ||
      after.kind === 'invalid' ||
      isInMilliseconds(refusal, key.figures, clock)
    ) {
      return unestablished('prerequisite', 'The 429 has no valid Retry-After.');
    }
    const due = endOfWait(refusal, clock);
    if (due === null)
      return unestablished(
        'clock-unknown',
        "Retry-After is a date, and no Date header shows the server's time.",
      );
    const promise = `Retry-After: ${refusal.retryAfter}`;
    if (wasServed(retry) && retry.sentAt < due.latest) {
      return unestablished('too-little-data', `The retry came before the wait was over (${promise}).`);
    }
    const between = resetRetry !== null && wasRefused(resetRetry) && resetRetry.sentAt < retry.sentAt ? 1 : 0;
    const lateMs = after.kind === 'date' ? CLOCK_LATE_MS : LATE_MS;
    return judgeReturn({
      reading,
      refusal,
      answer: retry,
      refusals: refusals + between,
      due: due.latest,
      lateMs,
      promise,
    });
  });
  const none = unestablished(
    'prerequisite',
    `${subject(key.key)} got no 429, or did not wait until its end.`,
  );
  return best(findings, none);
}

/** True if a wait of this key, rounded to the nearest second, would have been too short for its retry. */
function isShown(
  { burst, recoveries: [first], figures, earlier }: KeySeries,
  clock: ServerClock | null,
): boolean {
  const samples = burst?.samples ?? [];
  const own = windowsSeen(samples, figures).pieces.at(-1)?.samples[0];
  const due = first === undefined ? null : endOfWait(first.refusal, clock);
  if (own === undefined || !first?.retry || due === null || refills(samples, figures)) return false;
  return showsRounding(own, first.refusal, first.retry.answeredAt - due.earliest, {
    figures,
    clock,
    earlier,
  });
}

/**
 * Reports for `rate-retry-after-honoured` that no wait showed whether it is rounded up or to the nearest
 * second.
 */
export function unknownRounding(keys: readonly KeySeries[], clock: ServerClock | null): Judged {
  const some = keys.find(({ recoveries: [first] }) => (first?.retry ? wasServed(first.retry) : false));
  if (some === undefined || keys.some((key) => isShown(key, clock))) return null;
  const why = isLongBySeconds(some.figures) ? 'no 429 came at a suitable moment' : inShort(some.figures);
  return untried(`whether Retry-After is rounded up to the second (${why})`);
}
