import type { KeyName } from '../../../base/interface/names.js';
import { duration } from '../../../base/kernel/format.js';
import type { ProfileMark } from '../../../log/record.js';
import type { KeyRun, Outcome } from '../key-run.js';
import { answered } from '../sentences.js';
import { wasRefused, wasServed, type Sample, refusedIn } from '../../../judge/limits/sample.js';
import { allowedAgain } from '../../../judge/limits/key-samples.js';
import type { RecoverySeries } from '../../../judge/limits/series.js';
import { isLongBySeconds } from '../../../judge/limits/bounds.js';
import type { Lab } from '../../load/lab.js';
import { collector, type KeySession } from '../../load/key-session.js';
import { MOST_REFUSED } from '../../load/refusal-bound.js';
import { isWithinReach, nextAllowedAt, readRetryAfter } from '../../../judge/limits/headers/retry-after.js';
import { burstsOf } from '../../../judge/limits/further-bursts.js';
import { windowProgress } from '../../../judge/limits/window-progress.js';
import {
  resetAt,
  resetHasPassed,
  resetRetryAt,
  resetWasTried,
  retryAt,
} from '../../../judge/limits/waits.js';

/** Waits out the first 429 of the burst. */
export async function waitOutRefusal({ session, lab, record }: KeyRun): Promise<Outcome | null> {
  const { burst } = record();
  const refusal = burst?.samples.find(wasRefused);
  if (burst?.end !== 'refused' || refusal === undefined) return null;
  const series = await waitOut(session, lab, refusal, refusedIn(burst.samples));
  return {
    series: { recoveries: [series] },
    sentence: sentenceOf(series),
    marks: marksOf(series, session, lab),
  };
}

/** Waits for the Reset of the first 429, if its retry succeeded sooner. */
export async function tryReset({ session, lab, record }: KeyRun): Promise<Outcome | null> {
  const key = record();
  const [first] = key.recoveries;
  if (first === undefined || allowedAgain(key) === null) return null;
  const bursts = burstsOf(key);
  const isDrained = windowProgress(bursts, key, lab.clock()).kind === 'drained';
  // In windows of a few seconds, Reset's rounding alone lets the window refill.
  if (isDrained && !isLongBySeconds(key.figures)) return null;
  const last = bursts.length > 1 ? bursts.at(-1)?.find(wasRefused) : undefined;
  const notBefore = last === undefined ? 0 : (nextAllowedAt(last, lab.clock()) ?? 0);
  const recovered = bursts.length > 1 ? { ...first, refusals: refusedIn(session.samples()) } : first;
  const series = await afterReset(session, lab, recovered, notBefore);
  if (series === null) return null;
  const marks = marksOf(series, session, lab).filter(({ kind }) => kind === 'recovered');
  return { series: { recoveries: [series] }, sentence: resetSentence(series), marks };
}

/** Waits out the last 429 of the parallel requests, if the first recovery could not judge Reset. */
export async function waitOutParallelRefusal({ session, lab, record }: KeyRun): Promise<Outcome | null> {
  const key = record();
  const [first] = key.recoveries;
  const parallel = key.concurrent?.samples ?? [];
  const last = parallel.filter(wasRefused).toSorted((one, other) => other.answeredAt - one.answeredAt)[0];
  const isOfBursts = (key.window?.at(-1)?.[0]?.sentAt ?? 0) > (parallel.at(-1)?.sentAt ?? Infinity);
  if (first === undefined || last === undefined || isOfBursts) return null;
  // A Reset that passed before the wait is over was true of another window, if of any.
  if (resetWasTried(first, lab.clock()) && !resetHasPassed(last, lab.clock())) return null;
  const refusals = refusedIn(session.samples());
  const again = await waitOut(session, lab, last, refusals);
  const series = (await afterReset(session, lab, again)) ?? again;
  const marks = marksOf(series, session, lab);
  return { series: { recoveries: [first, series] }, sentence: sentenceOf(series), marks };
}

/**
 * Describes a recovery: "Allowed again 58 s after the 429 (Retry-After: 58); the request after Reset was
 * allowed."
 */
function sentenceOf({ refusal, retry, resetRetry }: RecoverySeries): string {
  if (retry === null) return 'No request was sent after the wait.';
  const waited = duration(retry.sentAt - refusal.answeredAt);
  const header = refusal.retryAfter === null ? 'no Retry-After' : `Retry-After: ${refusal.retryAfter}`;
  const after = `${waited} after the 429 (${header})`;
  const first = wasServed(retry) ? `Allowed again ${after}` : `The retry ${after} ${answered(retry)}`;
  if (resetRetry === null) return `${first}.`;
  return `${first}; the request after Reset ${wasServed(resetRetry) ? 'was allowed' : answered(resetRetry)}.`;
}

/** Describes the test of Reset: "Allowed after Reset, 60.3 s after the 429." */
function resetSentence({ refusal, resetRetry }: RecoverySeries): string {
  if (resetRetry === null) return 'X-RateLimit-Reset was not tested.';
  const after = `${duration(resetRetry.sentAt - refusal.answeredAt)} after the 429`;
  return wasServed(resetRetry)
    ? `Allowed after Reset, ${after}.`
    : `The request after Reset, ${after}, ${answered(resetRetry)}.`;
}

/** Marks the times that a 429 named, and the first success after it. */
function marksOf(
  { refusal, retry, resetRetry }: RecoverySeries,
  { figures }: KeySession,
  { clock }: Lab,
): readonly ProfileMark[] {
  const served = [resetRetry, retry].find((sample) => sample !== null && wasServed(sample)) ?? null;
  const reset = resetAt(refusal, clock());
  const { at } = retryAt(refusal, figures, clock());
  return [
    { kind: 'retry-after', at, text: `Retry-After: ${refusal.retryAfter ?? 'none'}` },
    ...(reset === null
      ? []
      : [{ kind: 'reset' as const, at: reset, text: `X-RateLimit-Reset: ${refusal.reset}` }]),
    ...(served === null
      ? []
      : [{ kind: 'recovered' as const, at: served.answeredAt, text: 'allowed again' }]),
  ];
}

/** A Reset this much before the end of Retry-After is judged separately. */
const WELL_BEFORE_MS = 1000;

/** Time that is awaited; a whole window if the 429 names none. */
type Expected = 'Retry-After' | 'Reset' | 'window';

/** Returns which time a retry waits for. */
const waitIn = ({ retryAfter }: Sample, reset: number | null): Expected => {
  if (readRetryAfter(retryAfter).kind !== 'absent') return 'Retry-After';
  return reset === null ? 'window' : 'Reset';
};

/** Tells a reader why the key rests. */
const reasonOf = (wait: Expected, key: KeyName): string =>
  wait === 'window'
    ? `a whole window, as the ${key} plan's 429 does not say when`
    : `${wait}, as the ${key} plan's 429 says`;

/**
 * Sends a request when the time of a header has come; null if interrupted, or if the key met too many
 * refusals.
 */
const askAt = async (
  { key, ask, refused }: KeySession,
  lab: Lab,
  at: number,
  wait: Expected,
): Promise<Sample | null> =>
  refused() < MOST_REFUSED && (await lab.pause(at, reasonOf(wait, key)))
    ? ask('listPets', collector('recovery', { isPassive: () => false }))
    : null;

/**
 * Waits out one 429, as `RecoverySeries` describes: exactly Retry-After and one request, then Reset and
 * another if the first got 429. If it succeeded, the steps wait for Reset.
 *
 * @param refusals 429s of this key since its last success after a wait, with this one
 */
async function waitOut(
  session: KeySession,
  lab: Lab,
  refusal: Sample,
  refusals: number,
): Promise<RecoverySeries> {
  const back = retryAt(refusal, session.figures, lab.clock());
  const reset = resetAt(refusal, lab.clock());
  const ask = (at: number, wait: Expected) => askAt(session, lab, at, wait);
  const forRetry = waitIn(refusal, reset);
  if (refusals > 1 && reset !== null && reset < back.at - WELL_BEFORE_MS && reset > lab.now()) {
    const resetRetry = await ask(reset, 'Reset');
    return { refusal, refusals, retry: await ask(back.at, forRetry), resetRetry };
  }
  const retry = await ask(back.at, forRetry);
  const found = { refusal, refusals, retry, resetRetry: null };
  return retry === null || wasServed(retry) ? found : ((await afterReset(session, lab, found)) ?? found);
}

/**
 * Sends the request that judges Reset if the retry does not; null if none is needed.
 *
 * @param notBefore end of the wait of the last 429, Unix ms
 */
async function afterReset(
  session: KeySession,
  lab: Lab,
  recovered: RecoverySeries,
  notBefore = 0,
): Promise<RecoverySeries | null> {
  const { refusal, retry, resetRetry } = recovered;
  const due = retry === null || resetRetry !== null ? null : resetRetryAt(refusal, retry, lab.clock());
  const at = due === null ? null : Math.max(due, notBefore);
  if (at === null || !isWithinReach(at, lab.now(), session.figures)) return null;
  const again = await askAt(session, lab, at, 'Reset');
  return again && { ...recovered, resetRetry: again };
}
