import { outOfScope, unestablished, untried, violated, kept, type Judged } from '../../findings/finding.js';
import { plainInteger } from '../../limits/headers/header-number.js';
import { count } from '../../format/format.js';
import { subject, title } from '../../limits/subject.js';
import type { KeySeries, OtherKeyProbe } from '../../limits/series.js';
import { isPlanAnswer, wasRefused, wasServed, describedWindow } from '../../limits/sample.js';

const UNTOLD = "whether a key uses another key's allowance (its Remaining before and after cannot be compared)";

/** Requests of slack: other profiles may use the other key now, and Remaining may be rounded. */
const TOLERANCE = 2;

/** Result of one probe. `untouched`: the key's own requests explain Remaining. `served`: Remaining shows nothing. */
type Probed = 'untouched' | 'served' | 'refused' | 'fell' | 'unclear';

function judgeProbe({ before, during, ownSince, figures }: OtherKeyProbe): Probed {
  const left = before === null ? null : plainInteger(before.remaining);
  const spoken = describedWindow(during, figures);
  const comparable = before !== null && describedWindow(before, figures) === spoken && before.limit === during.limit;
  if (wasRefused(during)) {
    // Its own requests may have used it up.
    const spent = left === null || !comparable ? ownSince : Math.max(ownSince, figures.perMinute - left + ownSince);
    return spent + TOLERANCE < figures.perMinute ? 'refused' : 'unclear';
  }
  if (!isPlanAnswer(during)) return 'unclear';
  const now = plainInteger(during.remaining);
  if (left === null || now === null || !comparable) return wasServed(during) && before === null ? 'unclear' : 'served';
  return now < left - ownSince - TOLERANCE ? 'fell' : 'untouched';
}

/** Judges `rate-per-key`: an exhausted key leaves the allowance of another plan's key untouched. */
export function perKey(key: KeySeries, otherPlans: number): Judged {
  const probes = (key.burst?.otherKeys ?? []).filter(({ key: other }) => other !== key.key);
  const name = subject(key.key);
  if (otherPlans === 0) return outOfScope('no-key', 'The run has no key of another plan to compare with.');
  if (key.burst === null || !key.burst.samples.some(wasRefused)) {
    return unestablished('prerequisite', `${name}'s key never reached its limit.`);
  }
  if (probes.length === 0) {
    return unestablished(
      'too-little-data',
      `No other plan's key sent a request while ${name.toLowerCase()}'s was exhausted.`,
    );
  }
  const judged = probes.map((probe) => ({ probe, judgement: judgeProbe(probe) }));
  const spoilt = judged.find(({ judgement }) => judgement === 'refused' || judgement === 'fell');
  if (spoilt !== undefined) {
    const { probe, judgement } = spoilt;
    const before = plainInteger(probe.before?.remaining ?? null) ?? probe.figures.perMinute;
    return violated([], `${name}'s exhausted key uses up the allowance of the ${probe.key} plan.`, {
      expected: `${title(probe.key)} key: about ${count(before - probe.ownSince)} remaining`,
      actual: judgement === 'refused' ? 'refused with 429' : `X-RateLimit-Remaining: ${probe.during.remaining}`,
    });
  }
  const untouched = judged.find(({ judgement }) => judgement === 'untouched');
  const served = untouched ?? judged.find(({ judgement }) => judgement === 'served');
  if (served === undefined)
    return unestablished('too-little-data', `${name}: the responses to other keys do not show it.`);
  const found = kept([], `The ${served.probe.key} key was allowed while ${name.toLowerCase()}'s was exhausted.`);
  return untouched ? [found] : [found, untried(UNTOLD)];
}
