import { heldUp } from '../../wire/exchange/stalls.js';
import { duration } from '../../base/kernel/format.js';
import { about, unestablished, type Finding, type ReasonCode } from '../findings/finding.js';
import type { Reason } from '../findings/shape.js';
import type { KeyRun } from './key-run.js';
import { spanMs, wasRefused, type Sample } from './sample.js';
import { open, type Open, type Shown } from './shown.js';

/** Reasons of rows that lack a refusal or what follows one. */
const FOR_LACK: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['prerequisite', 'too-little-data']);

/**
 * Returns why a key met no refusal where the server is too slow to use up its allowance: another run shows no
 * more. Null for a key that met one, and for any other reason.
 *
 * @param pastLimit what the key shows of `rate-429`
 */
export function slownessOf(run: KeyRun, pastLimit: Shown | null): Reason | null {
  const isSlow = pastLimit?.kind === 'open' && pastLimit.code === 'slow-responses';
  return isSlow && !run.all.some(wasRefused) ? { code: pastLimit.code, text: pastLimit.text } : null;
}

/** Returns what such a key shows of a row, with that cause in place of what it lacks. */
export const withSlowness = (shown: Shown | null, slowness: Reason | null): Shown | null =>
  slowness !== null && shown?.kind === 'open' && FOR_LACK.has(shown.code) ? { ...shown, ...slowness } : shown;

export const causedBySlowness = (finding: Finding, slowness: Reason | null): Finding =>
  slowness !== null && finding.kind === 'inconclusive' && FOR_LACK.has(finding.reason.code)
    ? about(finding.requirement, unestablished(slowness.code, `${slowness.text}.`))
    : finding;

/**
 * Returns why requests took too long: `machine-busy` where they would have been quick enough without the
 * stalls of this machine, else `slow-responses`.
 *
 * @param isQuick whether such a time would have been short enough, ms
 */
export function slow(
  { stalls }: Pick<KeyRun, 'stalls'>,
  samples: readonly Sample[],
  text: string,
  isQuick: (ms: number) => boolean,
): Open {
  const from = Math.min(...samples.map(({ sentAt }) => sentAt));
  const heldMs = heldUp(stalls, from, from + spanMs(samples));
  const isOurs = heldMs > 0 && isQuick(spanMs(samples) - heldMs);
  const held = `this machine was held up for ${duration(heldMs)} of ${duration(spanMs(samples))}`;
  return isOurs ? open('machine-busy', `${text}; ${held}`) : open('slow-responses', text);
}
