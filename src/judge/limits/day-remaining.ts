import { violated, type Judged } from '../findings/finding.js';
import { count, counted } from '../../base/kernel/format.js';
import { plainInteger } from './headers/header-number.js';
import { describesDay, lone, runsOf, wasRefused, wasServed, type Sample } from './sample.js';
import { daySamplesOf } from './key-samples.js';
import { dayMs, subject, type KeySeries } from './series.js';
import { promiseBroken } from './remaining-moves.js';

/** Requests of slack: rounding may hide or show one at either end. */
const ROUNDING = 2;

/**
 * Judges Remaining of the day, while requests go one by one and the headers describe the day. It falls by one a request,
 * apart from refills, and no request gets 429 while it is above 0. Returns violations only.
 */
export function remainingOfDay(key: KeySeries): Judged {
  const { figures, exclusive, dayQuota } = key;
  if (dayQuota === null || !exclusive) return null;
  const all = daySamplesOf(key);
  // Remaining cannot count what a day allows beyond its limit: that is another row's.
  const until = all.filter(wasServed)[figures.perDay]?.sentAt ?? Infinity;
  const ofDay = lone(all.filter(({ sentAt }) => sentAt < until)).filter((sample) => describesDay(sample, figures));
  for (const run of runsOf(ofDay, isOfSameCount)) {
    const broken = brokenIn(run);
    if (broken !== null) return promiseBroken(subject(key.key), broken, true);
    const wrong = miscountOf(run.filter(wasServed), key);
    if (wrong === null) continue;
    const { fall, least, most } = wrong;
    return violated([], `${subject(key.key)}'s Remaining of the day does not count its requests.`, {
      expected: `X-RateLimit-Remaining to fall by ${count(least)} to ${count(most)} over ${counted(most + 1, 'response')}`,
      actual: `it fell by ${count(fall)}`,
      measured: { most: fall < least ? least : most, got: fall, what: ['day'] },
    });
  }
  return null;
}

/** True if a response continues a count: no new day began, and none was refused. */
const isOfSameCount = (one: Sample, next: Sample): boolean => leftOf(next) <= leftOf(one) + 1 && !wasRefused(one);

const leftOf = ({ remaining }: Sample): number => plainInteger(remaining) ?? NaN;

/** Remaining of the response just before a refusal; null if nothing was left, or without one. */
function brokenIn(run: readonly Sample[]): number | null {
  const at = run.findIndex(wasRefused);
  const before = run[at - 1];
  return before !== undefined && leftOf(before) > 0 ? leftOf(before) : null;
}

/** First fall of Remaining that the requests since the first do not explain; null without one. */
function miscountOf(served: readonly Sample[], { figures }: KeySeries) {
  const [first] = served;
  if (first === undefined) return null;
  for (const [most, sample] of served.entries()) {
    const fall = leftOf(first) - leftOf(sample);
    const back = (figures.perDay * (sample.answeredAt - first.sentAt)) / dayMs(figures);
    if (fall > most + ROUNDING || fall < most - back - ROUNDING)
      return { fall, least: Math.max(0, Math.floor(most - back)), most };
  }
  return null;
}
