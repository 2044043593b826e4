import { outOfScope, about, unestablished, violated, kept, type Finding } from '../../findings/finding.js';
import { isPlanAnswer, wasRefused, wasServed, windowSpokenOf } from '../../limits/answers.js';
import { plainInteger } from '../../limits/headers/header-number.js';
import { count } from '../../format/format.js';
import { subject, title } from '../../limits/say.js';
import type { KeySeries, OtherKeyProbe } from '../../limits/series.js';

const ROW = 'rate-per-key';

/** Requests of other profiles may be under way with the other key, and Remaining may be rounded. */
const TOLERANCE = 2;

/** What one probe of another key says: its own requests explain its Remaining, or they do not. */
type Judgement = 'untouched' | 'refused' | 'fell' | 'unclear';

function judgeProbe({ before, during, ownSince, figures }: OtherKeyProbe): Judgement {
  const left = before === null ? null : plainInteger(before.remaining);
  const spoken = windowSpokenOf(during, figures);
  const comparable = before !== null && windowSpokenOf(before, figures) === spoken && before.limit === during.limit;
  if (wasRefused(during)) {
    // Its own requests may have used it up.
    const spent = left === null || !comparable ? ownSince : Math.max(ownSince, figures.perMinute - left + ownSince);
    return spent + TOLERANCE < figures.perMinute ? 'refused' : 'unclear';
  }
  if (!isPlanAnswer(during)) return 'unclear';
  const now = plainInteger(during.remaining);
  if (left === null || now === null || !comparable)
    return wasServed(during) && before === null ? 'unclear' : 'untouched';
  return now < left - ownSince - TOLERANCE ? 'fell' : 'untouched';
}

/** `rate-per-key`: an exhausted key leaves the allowance of another plan's key untouched. */
export function perKey(key: KeySeries, otherPlans: number): readonly Finding[] {
  const probes = (key.burst?.otherKeys ?? []).filter(({ key: other }) => other !== key.key);
  const name = subject(key.key);
  if (otherPlans === 0) return [about(ROW, outOfScope('no-key', 'There is no key of another plan to compare with.'))];
  if (key.burst === null || !key.burst.samples.some(wasRefused)) {
    return [about(ROW, unestablished('prerequisite', `${name}'s key was never exhausted.`))];
  }
  if (probes.length === 0) {
    return [
      about(
        ROW,
        unestablished('too-little-data', `No other plan's key was asked while ${name.toLowerCase()}'s was exhausted.`),
      ),
    ];
  }
  const judged = probes.map((probe) => ({ probe, judgement: judgeProbe(probe) }));
  const spoilt = judged.find(({ judgement }) => judgement === 'refused' || judgement === 'fell');
  if (spoilt !== undefined) {
    const { probe, judgement } = spoilt;
    const before = plainInteger(probe.before?.remaining ?? null) ?? probe.figures.perMinute;
    return [
      about(
        ROW,
        violated([], `${name}'s exhausted key uses up the allowance of the ${probe.key} plan.`, {
          expected: `${title(probe.key)} key: about ${count(before - probe.ownSince)} remaining`,
          actual: judgement === 'refused' ? 'refused with 429' : `X-RateLimit-Remaining: ${probe.during.remaining}`,
        }),
      ),
    ];
  }
  const untouched = judged.find(({ judgement }) => judgement === 'untouched');
  if (untouched === undefined)
    return [about(ROW, unestablished('too-little-data', `${name}: the answers to other keys do not tell.`))];
  return [
    about(ROW, kept([], `The ${untouched.probe.key} key was served while ${name.toLowerCase()}'s was exhausted.`)),
  ];
}
