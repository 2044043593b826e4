import { about, unestablished, type Finding, type ReasonCode } from '../findings/finding.js';
import type { Reason } from '../findings/shape.js';
import type { KeyRun } from './key-run.js';
import { wasRefused } from './sample.js';
import { blunt, open, type Shown } from './shown.js';

/** Reasons of rows that lack a refusal or what follows one. */
const FOR_LACK: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['prerequisite', 'too-little-data']);

/** Returns why a key does not decide a row, without a full stop; null where it does. */
function reasonOf(shown: Shown | null): Reason | null {
  if (shown?.kind === 'blunt') return { code: shown.code, text: shown.text };
  return shown?.kind === 'judged' && shown.judgement.kind === 'inconclusive'
    ? { ...shown.judgement.reason, text: shown.judgement.reason.text.replace(/\.$/, '') }
    : null;
}

/**
 * Returns why a key met no refusal where the server is too slow to use up its allowance: another run shows no
 * more. Null for a key that met one, and for any other reason.
 *
 * @param pastLimit what the key shows of `rate-429`
 */
export function slownessOf(run: KeyRun, pastLimit: Shown | null): Reason | null {
  const reason = reasonOf(pastLimit);
  return reason?.code === 'slow-responses' && !run.all.some(wasRefused) ? reason : null;
}

/** Returns what such a key shows of a row, with that cause in place of what it lacks. */
export function withSlowness(shown: Shown | null, slowness: Reason | null): Shown | null {
  const reason = reasonOf(shown);
  if (slowness === null || reason === null || !FOR_LACK.has(reason.code)) return shown;
  const { code, text } = slowness;
  return shown?.kind === 'blunt' ? blunt(code, text) : open(code, `${text}.`);
}

export const causedBySlowness = (finding: Finding, slowness: Reason | null): Finding =>
  slowness !== null && finding.kind === 'inconclusive' && FOR_LACK.has(finding.reason.code)
    ? about(finding.requirement, unestablished(slowness.code, `${slowness.text}.`))
    : finding;
