import {
  type ReasonCode,
  blocked,
  violated,
  unestablished,
  kept,
  type Judged,
  type Judgement,
} from '../../findings/finding.js';
import type { OperationName } from '../../contract/types.js';
import { plainInteger } from '../../limits/headers/header-number.js';
import { subject } from '../../limits/subject.js';
import type { BurstSeries, Figures, KeySeries } from '../../limits/series.js';
import { count, counted, duration } from '../../format/format.js';
import { type OverServed, type Return, servedBy, countedSamples, firstOverServed } from '../../limits/over-served.js';
import { isPlanAnswer, describesDay, wasRefused, wasServed, type Sample } from '../../limits/sample.js';
import type { KeyName } from '../../contract/names.js';
import { OWN_PROBES } from '../../limits/bounds.js';

const open = (code: ReasonCode, text: string): Judged => unestablished(code, text);

/** True if the service itself may refuse such a request: it has allowed none like it. */
const mayBeOfTheService = (end: Sample, samples: readonly Sample[]): boolean =>
  isPlanAnswer(end) && !samples.some((other) => other.operation === end.operation && wasServed(other));

/** True if the allowance is used up: by count, or by Remaining before the last response. */
function wasUsedUp(samples: readonly Sample[], figures: Figures): boolean {
  const served = samples.filter(wasServed);
  const last = served.at(-1);
  return served.length >= figures.perMinute || (last !== undefined && plainInteger(last.remaining) === 0);
}

/** Returns the violation of `rate-429` by one series. */
function servedTooMuch(key: KeyName, { served, most, elapsedMs, why }: OverServed): Judgement {
  const because = why === null ? '' : ` (${why})`;
  return violated([], `${subject(key)} gets more than its allowance.`, {
    expected: `at most ${counted(most, 'request')} allowed in ${duration(elapsedMs)}${because}`,
    actual: `${counted(served, 'request')} allowed`,
  });
}

/**
 * Judges `rate-429`: past the limit the status code is 429, and no more is allowed than the limit or its refill.
 * @param later bursts after the first; the same bound holds for each
 * @param isMiscounted Remaining does not count the burst, or may not
 */
export function refusesPastLimit(
  key: KeyName,
  burst: BurstSeries,
  later: readonly (readonly Sample[])[],
  figures: Figures,
  exempt: ReadonlySet<OperationName>,
  known: Return,
  isMiscounted: boolean,
): Judged {
  const samples = countedSamples(burst.samples, exempt);
  const by = servedBy(samples, figures, known);
  const over = firstOverServed([burst.samples, ...later], figures, exempt, known);
  if (over !== null) return servedTooMuch(key, over);
  const served = samples.filter(wasServed);
  const end = burst.samples.at(-1);
  if (end !== undefined && !wasServed(end) && !wasRefused(end) && end.status !== 0) {
    return refusedOtherwise(key, samples, end, figures, isMiscounted);
  }
  const refusal = samples.find(wasRefused);
  if (refusal === undefined) {
    const asked = `${counted(served.length, 'request')} allowed, none refused`;
    return open(burst.end === 'transport' ? 'transport' : 'too-little-data', `${subject(key)}: ${asked}.`);
  }
  if (by.kind === 'window-unseen') {
    return open(
      'headers-missing',
      `${subject(key)} got ${count(served.length)} requests, and no header shows whether a new window began.`,
    );
  }
  const doubt = [by, ...later.map((each) => servedBy(countedSamples(each, exempt), figures, known))].flatMap((each) =>
    each.kind === 'in-doubt' ? [each.over] : [],
  )[0];
  if (doubt) {
    return open(
      'too-little-data',
      `${subject(key)} got ${count(doubt.served)} requests: too many, unless a refill came just then.`,
    );
  }
  if (describesDay(refusal, figures) && served.length < figures.perMinute) {
    return open('rate-limited', `${subject(key)} reached the day's limit before the minute's.`);
  }
  // Below the plan, only Remaining shows that the limit was reached and that no request bypasses it.
  if (isMiscounted && served.length < figures.perMinute) {
    const why = `${subject(key)} got 429 after ${count(served.length)} of ${count(figures.perMinute)} requests, which Remaining does not count.`;
    return blocked('rate-remaining-counts', why);
  }
  return kept([], burstInWords(served.length, refusal, figures));
}

/** Judges `rate-429` if parallel requests used up the allowance and got another refusal than 429. */
export function refusedOtherwiseInParallel({ key, figures, burst, concurrent }: KeySeries): Judged {
  const samples = concurrent?.samples ?? [];
  const served = samples.filter(wasServed).length;
  const other = samples.find((sample) => !wasServed(sample) && sample.status !== 0);
  if (other === undefined || samples.some(wasRefused) || served + OWN_PROBES < figures.perMinute) return [];
  if (mayBeOfTheService(other, [...(burst?.samples ?? []), ...samples])) return [];
  return violated([], `${subject(key)} does not get 429 at its limit.`, {
    expected: `429 once the allowance of ${counted(figures.perMinute, 'request')} is used up`,
    actual: `${other.status} after ${counted(served, 'request')} allowed in parallel`,
  });
}

const burstInWords = (served: number, refusal: Sample, figures: Figures): string =>
  `${count(served)} of ${count(figures.perMinute)} requests allowed; request ${count(served + 1)} got 429 after ${duration(refusal.answeredAt - refusal.sentAt)}.`;

/** The burst ended with a status code that is no response of the operation: at the limit it replaces 429. */
function refusedOtherwise(
  key: KeyName,
  samples: readonly Sample[],
  end: Sample,
  figures: Figures,
  isMiscounted: boolean,
): Judgement {
  const served = samples.filter(wasServed).length;
  if (isMiscounted && served < figures.perMinute) {
    const why = `${subject(key)} got ${end.status} after ${count(served)} of ${count(figures.perMinute)} requests, which Remaining does not count.`;
    return blocked('rate-remaining-counts', why);
  }
  if (wasUsedUp(samples, figures) && !mayBeOfTheService(end, samples)) {
    return violated([], `${subject(key)} does not get 429 at its limit.`, {
      expected: `429 once the allowance of ${counted(figures.perMinute, 'request')} is used up`,
      actual: `${end.status} after ${counted(served, 'request')} allowed`,
    });
  }
  const what = `${end.status} after ${count(served)} of ${count(figures.perMinute)} requests`;
  return unestablished(
    end.status >= 500 ? 'unavailable' : 'prerequisite',
    `${subject(key)} got ${what}, so the burst stopped.`,
  );
}
