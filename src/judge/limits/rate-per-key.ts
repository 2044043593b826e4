import { outOfScope, kept, unestablished, untried, violated, type Judged } from '../findings/finding.js';
import { plainInteger } from './headers/header-number.js';
import { subject, type OtherKeyProbe } from './series.js';
import { capital, count } from '../../base/kernel/format.js';
import { describedWindow, isPlanAnswer, wasRefused } from './sample.js';
import type { KeyReading } from './reading.js';

const UNTOLD = "whether a key uses another key's allowance (its Remaining before and after cannot be compared)";

/** Requests of slack: other profiles may use the other key now, and Remaining may be rounded. */
const TOLERANCE = 2;

/** Judges one probe. `untouched`: the key's own requests explain Remaining. `served`: Remaining shows nothing. */
function judgeProbe({ before, during, figures }: OtherKeyProbe) {
  const sameWindow = describedWindow(before, figures) === describedWindow(during, figures);
  const left = sameWindow && before.limit === during.limit ? plainInteger(before.remaining) : null;
  if (wasRefused(during)) {
    // Its own requests may have used it up.
    const spent = 1 + (left === null ? 0 : Math.max(0, figures.perMinute - left));
    return spent + TOLERANCE < figures.perMinute ? 'refused' : 'unclear';
  }
  if (!isPlanAnswer(during)) return 'unclear';
  const now = plainInteger(during.remaining);
  if (left === null || now === null) return 'served';
  return now < left - 1 - TOLERANCE ? 'fell' : 'untouched';
}

/** Judges `rate-per-key`: an exhausted key leaves the allowance of another plan's key untouched. */
export function perKey({ key, otherPlans }: Pick<KeyReading, 'key' | 'otherPlans'>): Judged {
  const name = subject(key.key);
  if (otherPlans === 0) return outOfScope('no-key', 'The run has no key of another plan to compare with.');
  if (key.burst === null || !key.burst.samples.some(wasRefused)) {
    return unestablished('prerequisite', `${name}'s key never reached its limit.`);
  }
  const probe = key.burst.otherKey;
  if (probe === null) {
    const why = `No other plan's key sent a request while ${name.toLowerCase()}'s was exhausted.`;
    return unestablished('too-little-data', why);
  }
  const judgement = judgeProbe(probe);
  if (judgement === 'refused' || judgement === 'fell') {
    const before = plainInteger(probe.before.remaining) ?? probe.figures.perMinute;
    return violated([], `${name}'s exhausted key uses up the allowance of the ${probe.key} plan.`, {
      expected: `${capital(probe.key)} key: about ${count(before - 1)} remaining`,
      actual: judgement === 'refused' ? 'refused with 429' : `X-RateLimit-Remaining: ${probe.during.remaining}`,
      measured: { what: [judgement] },
    });
  }
  if (judgement === 'unclear')
    return unestablished('too-little-data', `${name}: the responses to other keys do not show it.`);
  const found = kept([], `The ${probe.key} key was allowed while ${name.toLowerCase()}'s was exhausted.`);
  return judgement === 'untouched' ? [found] : [found, untried(UNTOLD)];
}
