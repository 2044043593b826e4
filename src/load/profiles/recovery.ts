import { resetAt, resetRetryAt, retryAt } from '../../limits/decisions/coming-back.js';
import { wasServed } from '../../limits/answers.js';
import { isWithinReach } from '../../limits/lets-back-at.js';
import type { Sample } from '../../limits/sample.js';
import type { RecoverySeries } from '../../limits/series.js';
import type { Field } from '../field.js';
import { collector } from '../key-line.js';
import type { KeyLine } from '../key-line.js';

/** A Reset this much before the end of Retry-After is judged apart. */
const WELL_BEFORE_MS = 1000;

/** What came of a refusal. */
export interface Recovery {
  readonly series: RecoverySeries;
  readonly samples: readonly Sample[];
  /** When Retry-After and Reset let the client back, as far as they say so. */
  readonly retryAt: number;
  readonly resetAt: number | null;
}

/**
 * Waits out one refusal, as `RecoverySeries` describes it: exactly the Retry-After and one request, then Reset and
 * another where the first was refused. Where it was served, `afterReset` waits for Reset.
 * @param refusals 429s that this key has met since it was last served after a wait, the refusal counted in
 */
export async function recovery(line: KeyLine, field: Field, refusal: Sample, refusals: number): Promise<Recovery> {
  const { figures, key } = line;
  const sink = collector('recovery', { isPassive: () => false });
  const back = retryAt(refusal, figures, field.clock());
  const reset = resetAt(refusal, field.clock());
  const ask = async (at: number, what: string): Promise<Sample | null> =>
    (await field.pause(at, `${what}, as the ${key} plan's 429 says`)) ? line.ask('listPets', sink) : null;
  const outcome = (retry: Sample | null, resetRetry: Sample | null): Recovery => ({
    series: { refusal, refusals, retry, resetRetry },
    samples: sink.samples,
    retryAt: back.at,
    resetAt: reset,
  });

  if (refusals > 1 && reset !== null && reset < back.at - WELL_BEFORE_MS && reset > field.now()) {
    const resetRetry = await ask(reset, 'Reset');
    return outcome(await ask(back.at, 'Retry-After'), resetRetry);
  }
  const retry = await ask(back.at, 'Retry-After');
  if (retry === null) return outcome(null, null);
  const later = resetRetryAt(refusal, retry, field.clock());
  const isTooFar = later === null || !isWithinReach(later, field.now(), figures);
  if (isTooFar || wasServed(retry)) return outcome(retry, null);
  return outcome(retry, await ask(later, 'Reset'));
}

/**
 * The request that judges Reset where the retry was served; the recovery as it was where none is needed.
 * @param refusals 429s that this key has met by now
 * @param notBefore until when the last of them asks to wait, Unix ms
 */
export async function afterReset(
  line: KeyLine,
  field: Field,
  recovered: Recovery,
  refusals: number,
  notBefore = 0,
): Promise<Recovery> {
  const { refusal, retry, resetRetry } = recovered.series;
  if (retry === null || resetRetry !== null) return recovered;
  const due = resetRetryAt(refusal, retry, field.clock());
  const at = due === null ? null : Math.max(due, notBefore);
  if (at === null || !isWithinReach(at, field.now(), line.figures)) return recovered;
  if (!(await field.pause(at, `Reset, as the ${line.key} plan's 429 says`))) return recovered;
  const sink = collector('recovery', { isPassive: () => false });
  const answer = await line.ask('listPets', sink);
  return {
    ...recovered,
    series: { refusal, refusals, retry, resetRetry: answer },
    samples: [...recovered.samples, ...sink.samples],
  };
}
