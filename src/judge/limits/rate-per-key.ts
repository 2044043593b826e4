import { outOfScope, kept, unestablished, untried, violated, type Judged } from '../findings/finding.js';
import { plainInteger } from '../../base/interface/rate-headers.js';
import { judgeProbe, showsSharing } from './other-key.js';
import { subject } from './series.js';
import { capital, count } from '../../base/kernel/format.js';
import { wasRefused } from './sample.js';
import type { KeyReading } from './reading.js';

const NOT_COMPARED =
  "whether a key uses another key's allowance (its Remaining before and after cannot be compared)";

/** Reasons why a probe proves nothing. */
const OPEN = {
  unclear: 'the responses to other keys do not show it',
  paced: 'the other key was refused so soon after its own request that its own limit may be the cause',
  'other-use': 'something else used the other key, so its Remaining proves nothing',
} as const;

/** Judges `rate-per-key`: an exhausted key leaves the allowance of another plan's key untouched. */
export function perKey({ key, others }: Pick<KeyReading, 'key' | 'others'>): Judged {
  const name = subject(key.key);
  if (others.length === 0) return outOfScope('no-key', 'The run has no key of another plan to compare with.');
  if (key.burst === null || !key.burst.samples.some(wasRefused)) {
    return unestablished('prerequisite', `${name}'s key never reached its limit.`);
  }
  const probe = key.burst.otherKey;
  if (probe === null) {
    const why = `No other plan's key sent a request while ${name.toLowerCase()}'s was exhausted.`;
    return unestablished('too-little-data', why);
  }
  const result = judgeProbe(probe, key, others);
  if (showsSharing(result)) {
    const before = plainInteger(probe.before.remaining) ?? probe.figures.perMinute;
    return violated([], `${name}'s exhausted key uses up the allowance of the ${probe.key} plan.`, {
      expected: `${capital(probe.key)} key: about ${count(before - 1)} remaining`,
      actual: result === 'refused' ? 'refused with 429' : `X-RateLimit-Remaining: ${probe.during.remaining}`,
      measured: { what: [result] },
    });
  }
  if (result === 'other-use') return unestablished('rate-limited', `${name}: ${OPEN[result]}.`);
  if (result === 'unclear' || result === 'paced')
    return unestablished('too-little-data', `${name}: ${OPEN[result]}.`);
  const found = kept([], `The ${probe.key} key was allowed while ${name.toLowerCase()}'s was exhausted.`);
  return result === 'untouched' ? [found] : [found, untried(NOT_COMPARED)];
}
