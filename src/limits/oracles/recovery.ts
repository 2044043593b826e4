import type { Finding } from '../../checks/finding.js';
import { bySending, speaksOfDay, wasRefused, wasServed } from '../answers.js';
import { type Between, inOurTime, resetTime, type ServerClock } from '../clock.js';
import { readReset } from '../header-number.js';
import { readRetryAfter } from '../retry-after.js';
import type { Sample } from '../sample.js';
import { counted, duration, inconclusive, kept, subject, violated } from '../say.js';
import type { KeySeries } from '../series.js';
import { isBan } from './ban-signs.js';
import { isInMilliseconds } from './milliseconds.js';

const HONOURED = 'rate-retry-after-honoured';
const TRUTHFUL = 'rate-reset-truthful';
const NO_BAN = 'ban-only-after-abuse';

/** A request that comes later than a machine's delays explain proves nothing about the wait when it is served. */
const LATE_MS = 500;
/** The server's clock, which a date is held against, is known to a second. */
const CLOCK_LATE_MS = 1250;
/** A Reset may be rounded down: only a second later is a refusal a broken promise. */
const RESET_GRACE_MS = 1000;
/** The grace that `rate-headers-wellformed` gives a Reset in the past: beyond it the header is that row's. */
const PAST_MS = 4000;

/** When, in our time, Retry-After lets the client back; null where it does not say. */
function endOfWait(refusal: Sample, clock: ServerClock | null): Between | null {
  const after = readRetryAfter(refusal.retryAfter);
  if (after.kind === 'seconds') {
    const waitMs = after.seconds * 1000;
    return { earliest: refusal.sentAt + waitMs, latest: refusal.answeredAt + waitMs };
  }
  if (after.kind !== 'date' || clock === null) return null;
  const { earliest, latest } = inOurTime(after.unixMs, clock);
  return { earliest, latest: Math.max(latest, refusal.answeredAt) };
}

/** A request sent after a time that a refusal had named. */
interface Return {
  readonly key: KeySeries;
  readonly refusal: Sample;
  readonly answer: Sample;
  /** 429s that the key had met before. */
  readonly refusals: number;
  /** When it should be served, in our time. */
  readonly due: number;
  /** How much later a request may be sent and still judge that time, ms. */
  readonly lateMs: number;
  /** What the refusal said, in words. */
  readonly told: string;
}

/** The verdict on one return, for either row. */
function judgeReturn(row: string, { key, refusal, answer, refusals, due, lateMs, told }: Return): Finding {
  const name = subject(key.key);
  const waited = duration(answer.sentAt - refusal.answeredAt);
  const unclear = (code: Parameters<typeof inconclusive>[1], what: string): Finding =>
    inconclusive(row, code, `${name} ${what}, ${waited} after the refusal, ${told}.`);
  if (wasServed(answer)) {
    if (answer.sentAt > due + lateMs) return unclear('too-little-data', 'was asked too late');
    return kept(row, `Served again ${waited} after the refusal, ${told}.`);
  }
  if (answer.status === 0) return unclear('transport', 'got no answer');
  if (answer.sentAt < due) return unclear('too-little-data', 'was asked too soon');
  if (refusals > 1) return unclear('refused-legally', `had been refused ${refusals} times, after which a ban is legal`);
  if (isBan(answer, refusal, key.figures)) return unclear('prerequisite', `was answered ${answer.status} as if banned`);
  if (!wasRefused(answer)) return unclear('transport', `was answered ${answer.status}`);
  if (speaksOfDay(answer, key.figures) && !speaksOfDay(refusal, key.figures)) {
    return unclear('rate-limited', "was refused by the day's limit");
  }
  const message = `${name} is refused again after the time that it was told.`;
  return violated(row, message, `served, ${told}`, `429 after ${waited} of waiting`);
}

/** Of several recoveries the best founded verdict: a breach, else proof that it held, else why not. */
function best(findings: readonly Finding[], otherwise: Finding): readonly Finding[] {
  const of = (kind: Finding['kind']): Finding | undefined => findings.find((finding) => finding.kind === kind);
  return [of('violated') ?? of('kept') ?? findings[0] ?? otherwise];
}

/** `rate-retry-after-honoured`: after one refusal and the wait that Retry-After asks for, the next request is served. */
export function retryAfterHonoured(key: KeySeries, clock: ServerClock | null): readonly Finding[] {
  const findings = key.recoveries.flatMap(({ refusal, retry, resetRetry, refusals }): readonly Finding[] => {
    if (retry === null) return [];
    const after = readRetryAfter(refusal.retryAfter);
    if (after.kind === 'absent' || after.kind === 'invalid' || isInMilliseconds(refusal, key.figures, clock)) {
      return [inconclusive(HONOURED, 'prerequisite', 'The 429 carries no valid Retry-After to wait for.')];
    }
    const due = endOfWait(refusal, clock);
    if (due === null)
      return [inconclusive(HONOURED, 'clock-unknown', 'Retry-After is a date, and no Date tells the time.')];
    const told = `told Retry-After: ${refusal.retryAfter}`;
    if (wasServed(retry) && retry.sentAt < due.latest) {
      return [inconclusive(HONOURED, 'too-little-data', `The wait was not spent to its end, ${told}.`)];
    }
    const between = resetRetry !== null && wasRefused(resetRetry) && resetRetry.sentAt < retry.sentAt ? 1 : 0;
    const lateMs = after.kind === 'date' ? CLOCK_LATE_MS : LATE_MS;
    const back: Return = { key, refusal, answer: retry, refusals: refusals + between, due: due.latest, lateMs, told };
    return [judgeReturn(HONOURED, back)];
  });
  const none = inconclusive(HONOURED, 'prerequisite', `${subject(key.key)} met no 429 that it could wait out.`);
  return best(findings, none);
}

/** Reset and Retry-After are both rounded. */
const AGREEMENT_MS = 2000;

/** Whether the Reset of a refusal had come when it was answered, although it asks for a longer wait. */
export function resetHasPassed(refusal: Sample, clock: ServerClock | null): boolean {
  const [reset, wait] = [resetTime(refusal, clock), endOfWait(refusal, clock)];
  if (reset === null || wait === null) return false;
  return reset.latest < refusal.answeredAt && wait.earliest > refusal.answeredAt + AGREEMENT_MS;
}

/** Whether a refusal asks for much longer than others side by side with it: a ban may have begun, which Reset does not tell. */
const mayBeOfBan = ({ concurrent }: KeySeries, refusal: Sample, clock: ServerClock | null): boolean => {
  const ends = endOfWait(refusal, clock)?.earliest ?? -Infinity;
  const refused = concurrent?.samples.filter(wasRefused) ?? [];
  return refused.some((other) => ends > (endOfWait(other, clock)?.latest ?? Infinity) + AGREEMENT_MS);
};

/** `rate-reset-truthful`: after the time in Reset a request is served. */
export function resetTruthful(key: KeySeries, clock: ServerClock | null): readonly Finding[] {
  const findings = key.recoveries.flatMap(({ refusal, retry, resetRetry, refusals }): readonly Finding[] => {
    if (readReset(refusal.reset)?.unit !== 'unix-seconds') {
      return [inconclusive(TRUTHFUL, 'prerequisite', 'The 429 carries no X-RateLimit-Reset in Unix seconds.')];
    }
    const due = resetTime(refusal, clock);
    if (due === null) return [inconclusive(TRUTHFUL, 'clock-unknown', 'No Date tells when Reset has come.')];
    if (due.latest < refusal.sentAt - PAST_MS) {
      return [inconclusive(TRUTHFUL, 'prerequisite', 'The Reset of the 429 had passed before it was sent.')];
    }
    // A client that waited out each refusal gave no cause for a ban.
    const waited = endOfWait(refusal, clock)?.latest ?? Infinity;
    const told = `its Reset ${duration(due.latest - refusal.answeredAt)} after it`;
    const answers = bySending([retry, resetRetry].filter((answer) => answer !== null));
    return answers.flatMap((answer, index) => {
      if (answer.sentAt < (wasServed(answer) ? due.earliest : due.latest)) return [];
      // The one request that Reset gave back may be the one that was served before.
      if (!wasServed(answer) && answers.slice(0, index).some(wasServed)) return [];
      // Served soon after, it was not for a ban that it had been refused.
      const forgiven = !mayBeOfBan(key, refusal, clock) && answers.slice(index + 1).some(wasServed);
      const impolite = answers
        .slice(0, index)
        .filter((earlier) => wasRefused(earlier) && earlier.sentAt < waited).length;
      const met = forgiven ? 1 : refusals + impolite;
      const grace = { due: due.latest + RESET_GRACE_MS, lateMs: CLOCK_LATE_MS };
      return [judgeReturn(TRUTHFUL, { key, refusal, answer, refusals: met, told, ...grace })];
    });
  });
  return best(
    findings,
    inconclusive(TRUTHFUL, 'too-little-data', `${subject(key.key)} was not asked again after Reset.`),
  );
}

/** `ban-only-after-abuse`: a client that met one 429 and waited it out is not banned. */
export function onlyAfterAbuse(key: KeySeries, clock: ServerClock | null): readonly Finding[] {
  const name = subject(key.key);
  // Who is served after several refusals would have been after one.
  const forgiven = key.recoveries.find(({ retry }) => retry !== null && wasServed(retry));
  const recovery = key.recoveries.find(({ refusals }) => refusals === 1) ?? forgiven;
  const retry = recovery?.retry ?? null;
  if (recovery === undefined || retry === null || retry.status === 0) {
    return [inconclusive(NO_BAN, 'too-little-data', `${name} was not asked again after a single 429.`)];
  }
  const { refusal } = recovery;
  const waited = duration(retry.sentAt - refusal.answeredAt);
  const met = counted(recovery.refusals, '429');
  if (wasServed(retry)) return [kept(NO_BAN, `After ${met} and ${waited} of waiting the key was served.`)];
  const due = endOfWait(refusal, clock) ?? resetTime(refusal, clock);
  if (due !== null && retry.sentAt >= due.latest && isBan(retry, refusal, key.figures)) {
    const message = `${name}'s key is banned after a single 429.`;
    return [
      violated(
        NO_BAN,
        message,
        'a key that waited out its first 429 is served',
        `${retry.status} after ${waited} of waiting`,
      ),
    ];
  }
  const what = `was answered ${retry.status} after ${waited} of waiting, which need not be a ban`;
  return [inconclusive(NO_BAN, 'prerequisite', `${name} ${what}.`)];
}
