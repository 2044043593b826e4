import { unestablished, type Judged, type ReasonCode } from '../findings/finding.js';
import type { ServerClock } from './clock.js';
import { duration } from '../../base/kernel/format.js';
import { returnsIn } from './key-samples.js';
import { subject, type KeySeries } from './series.js';
import { bySending, refusedIn, wasRefused, wasServed, type Sample } from './sample.js';
import { AGREEMENT_MS } from './timing.js';
import { best, judgeReturn } from './after-refusal.js';
import type { KeyReading } from './reading.js';
import { CLOCK_LATE_MS, endOfWait, requestsAfterReset } from './waits.js';

/**
 * True if a 429 demands a much longer wait than concurrent ones: a ban may have begun, which Reset does not
 * show.
 */
const mayBeOfBan = ({ concurrent }: KeySeries, refusal: Sample, clock: ServerClock | null): boolean => {
  const ends = endOfWait(refusal, clock)?.earliest ?? -Infinity;
  const refused = concurrent?.samples.filter(wasRefused) ?? [];
  return refused.some((other) => ends > (endOfWait(other, clock)?.latest ?? Infinity) + AGREEMENT_MS);
};

/** Reasons why a 429 names no time to wait for. */
const NO_MOMENT = {
  'no-reset': ['prerequisite', 'The 429 has no X-RateLimit-Reset in Unix seconds.'],
  'no-clock': ['clock-unknown', 'No Date header shows when Reset is reached.'],
  past: ['prerequisite', 'The Reset of the 429 was already past.'],
} as const satisfies Record<string, readonly [ReasonCode, string]>;

/** Judges `rate-reset-truthful`: after Reset a request succeeds. */
export function resetTruthful(reading: KeyReading): Judged {
  const { key, clock } = reading;
  const findings = key.recoveries.map((recovery): Judged => {
    const { refusal, refusals } = recovery;
    const after = requestsAfterReset(recovery, clock);
    if (after.kind !== 'asked') {
      const [code, why] = NO_MOMENT[after.kind];
      return unestablished(code, why);
    }
    // A client that waited out each 429 gave no cause for a ban.
    const waited = endOfWait(refusal, clock)?.latest ?? Infinity;
    const promise = `Reset ${duration(after.latest - refusal.answeredAt)} after it`;
    const answers = bySending(returnsIn([recovery]));
    return after.answers.flatMap((answer) => {
      const index = answers.indexOf(answer);
      // An earlier success may have used the one request that Reset gave back.
      if (!wasServed(answer) && answers.slice(0, index).some(wasServed)) return [];
      // If it succeeded soon after, its 429 was no ban.
      const forgiven = !mayBeOfBan(key, refusal, clock) && answers.slice(index + 1).some(wasServed);
      const impolite = refusedIn(answers.slice(0, index).filter((earlier) => earlier.sentAt < waited));
      const met = forgiven ? 1 : refusals + impolite;
      return [
        judgeReturn({
          reading,
          refusal,
          answer,
          refusals: met,
          promise,
          due: after.due,
          lateMs: CLOCK_LATE_MS,
        }),
      ];
    });
  });
  return best(findings, unestablished('too-little-data', `${subject(key.key)} sent no request after Reset.`));
}
