import { burstSeconds } from '../../load/bursting/pace.js';
import type { Experiment } from '../experiment.js';
import type { KeyFacts } from '../facts.js';
import { remainingCounts } from './remaining-counts.js';
import { blocked, violated, unestablished, kept, outOfScope, untried, type Judged } from '../../findings/finding.js';
import { plainInteger } from '../../limits/headers/header-number.js';
import { subject, type KeySeries, type OtherKeyProbe } from '../../limits/series.js';
import { capital, count, counted, duration } from '../../format/format.js';
import { servedBy, countedSamples, type OverServed } from '../../limits/over-served.js';
import {
  isPlanAnswer,
  describesDay,
  wasRefused,
  wasServed,
  describedWindow,
  type Sample,
  servedIn,
} from '../../limits/sample.js';
import type { KeyName } from '../../contract/names.js';
import { OWN_PROBES, type Figures } from '../../limits/bounds.js';

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
export function perKey(key: KeySeries, otherPlans: number): Judged {
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

/** True if the service itself may refuse such a request: it has allowed none like it. */
const mayBeOfTheService = (end: Sample, samples: readonly Sample[]): boolean =>
  isPlanAnswer(end) && !samples.some((other) => other.operation === end.operation && wasServed(other));

/** True if the allowance is used up: by count, or by Remaining before the last response. */
function wasUsedUp(samples: readonly Sample[], figures: Figures): boolean {
  const served = samples.filter(wasServed);
  const last = served.at(-1);
  return served.length >= figures.perMinute || (last !== undefined && plainInteger(last.remaining) === 0);
}

function servedTooMuch(key: KeyName, { served, most, elapsedMs, why }: OverServed) {
  const because = why === null ? '' : ` (${why})`;
  return violated([], `${subject(key)} gets more than its allowance.`, {
    expected: `at most ${counted(most, 'request')} allowed in ${duration(elapsedMs)}${because}`,
    actual: `${counted(served, 'request')} allowed`,
    measured: { most, got: served },
  });
}

/** Judges `rate-429`: past the limit the status code is 429, and no more is allowed than the limit or its refill. */
function refusesPastLimit({ key: series, first, later, over, exempt, known, miscount }: KeyFacts): Judged {
  const { key, figures, burst } = series;
  if (burst === null) return null;
  const all = first();
  const tooMuch = over();
  if (tooMuch !== null) return servedTooMuch(key, tooMuch);
  const name = subject(key);
  const samples = countedSamples(all, exempt);
  const served = servedIn(samples);
  const ofPlan = `${count(served)} of ${count(figures.perMinute)} requests`;
  // Below the plan, only Remaining shows that the limit was reached and that no request bypasses it.
  const uncounted = (status: number): Judged =>
    served < figures.perMinute && miscount() !== null
      ? blocked('rate-remaining-counts', `${name} got ${status} after ${ofPlan}, which Remaining does not count.`)
      : null;
  const end = all.at(-1);
  if (end !== undefined && !wasServed(end) && !wasRefused(end) && end.status !== 0) {
    // At the limit, a status code that is no response of the operation replaces 429.
    if (wasUsedUp(samples, figures) && !mayBeOfTheService(end, samples))
      return uncounted(end.status) ?? refusedOtherwise(name, figures, end, served);
    const code = end.status >= 500 ? 'unavailable' : 'prerequisite';
    const why = `${name} got ${end.status} after ${ofPlan}, so the burst stopped.`;
    return uncounted(end.status) ?? unestablished(code, why);
  }
  const refusal = samples.find(wasRefused);
  if (refusal === undefined) {
    const code = burst.end === 'transport' ? 'transport' : 'too-little-data';
    return unestablished(code, `${name}: ${counted(served, 'request')} allowed, none refused.`);
  }
  const by = [samples, ...later().map((each) => countedSamples(each, exempt))].map((each) =>
    servedBy(each, figures, known()),
  );
  if (by[0]?.kind === 'window-unseen') {
    const what = `${name} got ${count(served)} requests, and no header shows whether a new window began.`;
    return unestablished('headers-missing', what);
  }
  const [doubt] = by.flatMap((each) => (each.kind === 'in-doubt' ? [each.over] : []));
  if (doubt) {
    const what = `${name} got ${count(doubt.served)} requests: too many, unless a refill came just then.`;
    return unestablished('too-little-data', what);
  }
  if (describesDay(refusal, figures) && served < figures.perMinute)
    return unestablished('rate-limited', `${name} reached the day's limit before the minute's.`);
  const took = duration(refusal.answeredAt - refusal.sentAt);
  return uncounted(429) ?? kept([], `${ofPlan} allowed; request ${count(served + 1)} got 429 after ${took}.`);
}

/** Judges `rate-429` if parallel requests used up the allowance and got another refusal than 429. */
function refusedOtherwiseInParallel({ key, figures, burst, concurrent }: KeySeries): Judged {
  const samples = concurrent?.samples ?? [];
  const served = servedIn(samples);
  const other = samples.find((sample) => !wasServed(sample) && sample.status !== 0);
  if (other === undefined || samples.some(wasRefused) || served + OWN_PROBES < figures.perMinute) return null;
  if (mayBeOfTheService(other, [...(burst?.samples ?? []), ...samples])) return null;
  return refusedOtherwise(subject(key), figures, other, served, ' in parallel');
}

const refusedOtherwise = (name: string, { perMinute }: Figures, { status }: Sample, served: number, how = '') =>
  violated([], `${name} does not get 429 at its limit.`, {
    expected: `429 once the allowance of ${counted(perMinute, 'request')} is used up`,
    actual: `${status} after ${counted(served, 'request')} allowed${how}`,
    measured: { status },
  });

/** Uses up the allowance on few connections, to the first 429. */
export const burst: Experiment = {
  name: 'burst',
  after: [],
  keys: 'each-plan',
  runs: { kind: 'always' },
  cost: (figures, { latencyMs }) => ({ requests: figures.perMinute + 1, seconds: burstSeconds(figures, latencyMs) }),
  judges: [
    ['rate-429', (facts) => [refusesPastLimit(facts), refusedOtherwiseInParallel(facts.key)]],
    ['rate-remaining-counts', remainingCounts],
    ['rate-per-key', ({ key, otherPlans }) => perKey(key, otherPlans)],
  ],
};
