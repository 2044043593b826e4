import { duration } from '../../format/format.js';
import type { ProfileMark } from '../../log/record.js';
import { answered } from '../sentences.js';
import { wasServed, type Sample } from '../../limits/sample.js';
import type { RecoverySeries } from '../../limits/series.js';
import type { Lab } from '../../load/lab.js';
import { collector, type KeySession } from '../../load/key-session.js';
import { isWithinReach } from '../../limits/headers/retry-after.js';
import { resetAt, resetRetryAt, retryAt } from './waits.js';

/** Describes a recovery: "Allowed again 58 s after the 429 (Retry-After: 58), and allowed after Reset." */
export function recoverySentence({ series: { refusal, retry, resetRetry }, resetAt }: Recovery): string {
  if (retry === null) return 'No request was sent after the wait.';
  const waited = duration(retry.sentAt - refusal.answeredAt);
  const told = refusal.retryAfter === null ? 'no Retry-After' : `Retry-After: ${refusal.retryAfter}`;
  const after = `${waited} after the 429 (${told})`;
  const first = wasServed(retry) ? `Allowed again ${after}` : `The retry ${after} ${answered(retry)}`;
  const second =
    resetRetry === null
      ? ''
      : `, and ${wasServed(resetRetry) ? 'allowed' : answered(resetRetry)} ${resetAt !== null ? 'after Reset' : 'later'}`;
  return `${first}${second}.`;
}

/** Describes the test of Reset: "Allowed after Reset, 60.3 s after the 429." */
export function resetSentence({ series: { refusal, resetRetry } }: Recovery): string {
  if (resetRetry === null) return 'X-RateLimit-Reset was not tested.';
  const after = `${duration(resetRetry.sentAt - refusal.answeredAt)} after the 429`;
  return wasServed(resetRetry)
    ? `Allowed after Reset, ${after}.`
    : `The request after Reset, ${after}, ${answered(resetRetry)}.`;
}

/** Marks the times that a 429 named, and the first success after it. */
export function recoveryMarks({
  series: { refusal, retry, resetRetry },
  retryAt,
  resetAt,
}: Recovery): readonly ProfileMark[] {
  const served = [resetRetry, retry].find((sample) => sample !== null && wasServed(sample)) ?? null;
  return [
    { kind: 'retry-after', at: retryAt, text: `Retry-After: ${refusal.retryAfter ?? 'none'}` },
    ...(resetAt === null ? [] : [{ kind: 'reset' as const, at: resetAt, text: `X-RateLimit-Reset: ${refusal.reset}` }]),
    ...(served === null ? [] : [{ kind: 'recovered' as const, at: served.answeredAt, text: 'allowed again' }]),
  ];
}

/** Marks the first success after a 429. */
export const servedMarks = (recovered: Recovery): readonly ProfileMark[] =>
  recoveryMarks(recovered).filter(({ kind }) => kind === 'recovered');

/** A Reset this much before the end of Retry-After is judged separately. */
const WELL_BEFORE_MS = 1000;

interface Recovery {
  readonly series: RecoverySeries;
  readonly samples: readonly Sample[];
  /** Times of Retry-After and Reset, as far as the headers say. */
  readonly retryAt: number;
  readonly resetAt: number | null;
}

/**
 * Waits out one 429, as `RecoverySeries` describes: exactly Retry-After and one request, then Reset and another if the
 * first got 429. If it succeeded, `afterReset` waits for Reset.
 * @param refusals 429s of this key since its last success after a wait, with this one
 */
export async function recovery(session: KeySession, lab: Lab, refusal: Sample, refusals: number): Promise<Recovery> {
  const { figures, key } = session;
  const sink = collector('recovery', { isPassive: () => false });
  const back = retryAt(refusal, figures, lab.clock());
  const reset = resetAt(refusal, lab.clock());
  const ask = async (at: number, what: string): Promise<Sample | null> =>
    (await lab.pause(at, `${what}, as the ${key} plan's 429 says`)) ? session.ask('listPets', sink) : null;
  const outcome = (retry: Sample | null, resetRetry: Sample | null): Recovery => ({
    series: { refusal, refusals, retry, resetRetry },
    samples: sink.samples,
    retryAt: back.at,
    resetAt: reset,
  });

  if (refusals > 1 && reset !== null && reset < back.at - WELL_BEFORE_MS && reset > lab.now()) {
    const resetRetry = await ask(reset, 'Reset');
    return outcome(await ask(back.at, 'Retry-After'), resetRetry);
  }
  const retry = await ask(back.at, 'Retry-After');
  if (retry === null) return outcome(null, null);
  const later = resetRetryAt(refusal, retry, lab.clock());
  const isTooFar = later === null || !isWithinReach(later, lab.now(), figures);
  if (isTooFar || wasServed(retry)) return outcome(retry, null);
  return outcome(retry, await ask(later, 'Reset'));
}

/**
 * Sends the request that judges Reset if the retry succeeded; returns the recovery unchanged if none is needed.
 * @param refusals 429s of this key so far
 * @param notBefore end of the wait of the last one, Unix ms
 */
export async function afterReset(
  session: KeySession,
  lab: Lab,
  recovered: Recovery,
  refusals: number,
  notBefore = 0,
): Promise<Recovery> {
  const { refusal, retry, resetRetry } = recovered.series;
  if (retry === null || resetRetry !== null) return recovered;
  const due = resetRetryAt(refusal, retry, lab.clock());
  const at = due === null ? null : Math.max(due, notBefore);
  if (at === null || !isWithinReach(at, lab.now(), session.figures)) return recovered;
  if (!(await lab.pause(at, `Reset, as the ${session.key} plan's 429 says`))) return recovered;
  const sink = collector('recovery', { isPassive: () => false });
  const answer = await session.ask('listPets', sink);
  return {
    ...recovered,
    series: { refusal, refusals, retry, resetRetry: answer },
    samples: [...recovered.samples, ...sink.samples],
  };
}
