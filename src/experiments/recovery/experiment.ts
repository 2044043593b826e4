import {
  type ReasonCode,
  unestablished,
  untried,
  kept,
  violated,
  type Judged,
  type Judgement,
  judgementsOf,
} from '../../findings/finding.js';
import { resetTime, type ServerClock } from '../../limits/clock.js';
import { readRetryAfter } from '../../limits/headers/retry-after.js';
import { counted, duration } from '../../format/format.js';
import { returnsIn, type KeySeries, type RecoverySeries, subject } from '../../limits/series.js';
import { isBan } from '../../limits/ban-signs.js';
import { bySending, describesDay, refusedIn, wasRefused, wasServed, type Sample } from '../../limits/sample.js';
import { AGREEMENT_MS, isInMilliseconds } from '../../limits/timing.js';
import { isLongBySeconds, inShort } from '../../limits/bounds.js';
import { windowsSeen } from '../../limits/windows-seen.js';
import { showsRounding } from '../burst/refusal-phase.js';
import { refills } from '../window/spread.js';
import type { Experiment } from '../experiment.js';
import { requestsAfterReset, CLOCK_LATE_MS, timingOf, endOfWait } from './waits.js';

/** Lateness, ms, beyond which a success says nothing about the wait. */
const LATE_MS = 500;

/** A request sent after a time that a 429 named. */
interface Return extends Pick<RecoverySeries, 'refusal' | 'refusals'> {
  readonly key: KeySeries;
  readonly answer: Sample;
  /** When it should succeed, by our clock. */
  readonly due: number;
  /** Most lateness at which it still judges that time, ms. */
  readonly lateMs: number;
  /** Promise of the 429, in words. */
  readonly told: string;
}

function judgeReturn({ key, refusal, answer, refusals, due, lateMs, told }: Return): Judgement {
  const name = subject(key.key);
  const waited = duration(answer.sentAt - refusal.answeredAt);
  const unclear = (code: ReasonCode, what: string): Judgement =>
    unestablished(code, `${name} ${what}, ${waited} after the 429 (${told}).`);
  const timing = timingOf(answer, due, lateMs);
  if (timing !== 'in time') return unclear('too-little-data', `retried ${timing}`);
  if (wasServed(answer)) return kept([], `Allowed again ${waited} after the 429 (${told}).`);
  if (answer.status === 0) return unclear('transport', 'got no response');
  if (refusals > 1)
    return unclear('refused-legally', `had ${refusals} requests refused, after which a ban is permitted`);
  if (isBan(answer, refusal, key.figures))
    return unclear('prerequisite', `got ${answer.status}, which looks like a ban`);
  if (!wasRefused(answer)) return unclear('transport', `got ${answer.status}`);
  if (describesDay(answer, key.figures) && !describesDay(refusal, key.figures))
    return unclear('rate-limited', "got 429 by the day's limit");
  return violated([], `${name} gets 429 again after the announced wait.`, {
    expected: `allowed again (${told})`,
    actual: `429 after a wait of ${waited}`,
    measured: { dueMs: due - refusal.answeredAt, tookMs: answer.sentAt - refusal.answeredAt },
  });
}

/** Chooses the best founded verdict: a violation, else proof, else the reason why not. */
function best(judged: Judged, otherwise: Judgement): Judgement {
  const all = judgementsOf(judged);
  const of = (wanted: Judgement['kind']): Judgement | undefined => all.find(({ kind }) => kind === wanted);
  return of('violated') ?? of('kept') ?? all[0] ?? otherwise;
}

/** Judges `rate-retry-after-honoured`: after one 429 and the wait of Retry-After, the next request succeeds. */
function retryAfterHonoured(key: KeySeries, clock: ServerClock | null): Judged {
  const findings = key.recoveries.map(({ refusal, retry, resetRetry, refusals }): Judged => {
    if (retry === null) return null;
    const after = readRetryAfter(refusal.retryAfter);
    if (after.kind === 'absent' || after.kind === 'invalid' || isInMilliseconds(refusal, key.figures, clock)) {
      return unestablished('prerequisite', 'The 429 has no valid Retry-After.');
    }
    const due = endOfWait(refusal, clock);
    if (due === null)
      return unestablished('clock-unknown', "Retry-After is a date, and no Date header shows the server's time.");
    const told = `Retry-After: ${refusal.retryAfter}`;
    if (wasServed(retry) && retry.sentAt < due.latest) {
      return unestablished('too-little-data', `The retry came before the wait was over (${told}).`);
    }
    const between = resetRetry !== null && wasRefused(resetRetry) && resetRetry.sentAt < retry.sentAt ? 1 : 0;
    const lateMs = after.kind === 'date' ? CLOCK_LATE_MS : LATE_MS;
    return judgeReturn({ key, refusal, answer: retry, refusals: refusals + between, due: due.latest, lateMs, told });
  });
  const none = unestablished('prerequisite', `${subject(key.key)} got no 429, or did not wait until its end.`);
  return best(findings, none);
}

/** True if a 429 demands a much longer wait than concurrent ones: a ban may have begun, which Reset does not show. */
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
function resetTruthful(key: KeySeries, clock: ServerClock | null): Judged {
  const findings = key.recoveries.map((recovery): Judged => {
    const { refusal, refusals } = recovery;
    const after = requestsAfterReset(recovery, clock);
    if (after.kind !== 'asked') {
      const [code, why] = NO_MOMENT[after.kind];
      return unestablished(code, why);
    }
    // A client that waited out each 429 gave no cause for a ban.
    const waited = endOfWait(refusal, clock)?.latest ?? Infinity;
    const told = `Reset ${duration(after.latest - refusal.answeredAt)} after it`;
    const answers = bySending(returnsIn([recovery]));
    return after.answers.flatMap((answer) => {
      const index = answers.indexOf(answer);
      // An earlier success may have used the one request that Reset gave back.
      if (!wasServed(answer) && answers.slice(0, index).some(wasServed)) return [];
      // If it succeeded soon after, its 429 was no ban.
      const forgiven = !mayBeOfBan(key, refusal, clock) && answers.slice(index + 1).some(wasServed);
      const impolite = refusedIn(answers.slice(0, index).filter((earlier) => earlier.sentAt < waited));
      const met = forgiven ? 1 : refusals + impolite;
      return [judgeReturn({ key, refusal, answer, refusals: met, told, due: after.due, lateMs: CLOCK_LATE_MS })];
    });
  });
  return best(findings, unestablished('too-little-data', `${subject(key.key)} sent no request after Reset.`));
}

/** Judges `ban-only-after-abuse`: a client that got one 429 and waited is not banned. */
function onlyAfterAbuse(key: KeySeries, clock: ServerClock | null): Judged {
  const name = subject(key.key);
  // A client that succeeds after several 429s would have succeeded after one.
  const forgiven = key.recoveries.find(({ retry }) => retry !== null && wasServed(retry));
  const recovery = key.recoveries.find(({ refusals }) => refusals === 1) ?? forgiven;
  const retry = recovery?.retry ?? null;
  if (recovery === undefined || retry === null || retry.status === 0) {
    return unestablished('too-little-data', `${name} sent no request after a single 429.`);
  }
  const { refusal } = recovery;
  const waited = duration(retry.sentAt - refusal.answeredAt);
  const met = counted(recovery.refusals, '429 response');
  const [wait, reset] = [endOfWait(refusal, clock), resetTime(refusal, clock)];
  if (wasServed(retry)) {
    const found = kept([], `The key was allowed again after ${met} and a wait of ${waited}.`);
    const soonest = Math.min(wait?.latest ?? Infinity, reset?.latest ?? Infinity);
    return retry.sentAt > soonest + AGREEMENT_MS ? [found, untried(`a ban shorter than ${waited}`)] : [found];
  }
  const due = wait ?? reset;
  if (due !== null && retry.sentAt >= due.latest && isBan(retry, refusal, key.figures)) {
    return violated([], `${name}'s key is banned after a single 429.`, {
      expected: 'a key that waits after its first 429 is allowed again',
      actual: `${retry.status} after a wait of ${waited}`,
      measured: { status: retry.status },
    });
  }
  const what = `${name} got ${retry.status} after a wait of ${waited}, which need not be a ban.`;
  return unestablished('prerequisite', what);
}

/** True if a wait of this key, rounded to the nearest second, would have been too short for its retry. */
function isShown({ burst, recoveries: [first], figures, earlier }: KeySeries, clock: ServerClock | null): boolean {
  const samples = burst?.samples ?? [];
  const own = windowsSeen(samples, figures).pieces.at(-1)?.samples[0];
  const due = first === undefined ? null : endOfWait(first.refusal, clock);
  if (own === undefined || !first?.retry || due === null || refills(samples, figures)) return false;
  return showsRounding(own, first.refusal, first.retry.answeredAt - due.earliest, { figures, clock, earlier });
}

/** Reports for `rate-retry-after-honoured` that no wait showed whether it is rounded up or to the nearest second. */
export function unknownRounding(keys: readonly KeySeries[], clock: ServerClock | null): Judged {
  const some = keys.find(({ recoveries: [first] }) => (first?.retry ? wasServed(first.retry) : false));
  if (some === undefined || keys.some((key) => isShown(key, clock))) return null;
  const why = isLongBySeconds(some.figures) ? 'no 429 came at a suitable moment' : inShort(some.figures);
  return untried(`whether Retry-After is rounded up to the second (${why})`);
}

/** Sends one request after Retry-After, and one after Reset. */
export const recovery: Experiment = {
  name: 'recovery',
  after: ['burst'],
  keys: 'each-plan',
  runs: { kind: 'always' },
  cost: ({ minuteSeconds }) => ({ requests: 2, seconds: minuteSeconds + 1 }),
  judges: [
    ['rate-retry-after-honoured', ({ key, clock }) => retryAfterHonoured(key, clock)],
    ['rate-reset-truthful', ({ key, clock }) => resetTruthful(key, clock)],
    ['ban-only-after-abuse', ({ key, clock }) => onlyAfterAbuse(key, clock)],
  ],
};
