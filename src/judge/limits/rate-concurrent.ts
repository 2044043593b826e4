import { kept, unestablished, untried, violated, type Judged } from '../findings/finding.js';
import { minuteMs, mostRefilled } from './bounds.js';
import { count, counted, duration } from '../../base/kernel/format.js';
import { returnsIn, samplesOf } from './key-samples.js';
import { type KeySeries, subject } from './series.js';
import { CLEARLY_SINGLE } from './clumps.js';
import { servedBy, type OverServed, type ServedBy } from './over-served.js';
import {
  bySending,
  mayHaveSlid,
  wasServed,
  type Sample,
  leftsOf,
  mostHeld,
  servedIn,
  refusedIn,
} from './sample.js';
import type { KeyReading } from './reading.js';

/** Earlier requests that the same window may hold: the retry and the probe after the 429. */
function ofSameWindow(key: KeySeries, first: Sample): readonly Sample[] {
  const since = first.sentAt - minuteMs(key.figures) / 2;
  return returnsIn(key.recoveries).filter(
    (sample) => wasServed(sample) && sample.sentAt >= since && sample.sentAt < first.sentAt,
  );
}

/** Explains the number of parallel requests that were allowed, with those before them in the same window. */
function servedTogether(
  { key, comesBack }: KeyReading,
  first: Sample,
  parallel: readonly Sample[],
): ServedBy {
  const { figures } = key;
  const samples = bySending([...ofSameWindow(key, first), ...parallel]);
  return servedBy(samples, figures, comesBack);
}

const spanMs = (samples: readonly Sample[]): number =>
  Math.max(...samples.map(({ answeredAt }) => answeredAt)) - (samples[0]?.sentAt ?? Infinity);

/** Requests of slack: Remaining may be rounded, and a part of a request may have been left. */
const ROUNDED = 3;

/**
 * Measures how many parallel requests were allowed beyond what was left; null if none were or it is
 * uncertain. "Left" is the Remaining before, plus an even refill, at most the highest Remaining ever seen. As
 * much may come back during the burst.
 */
function beyondWhatWasThere(key: KeySeries, samples: readonly Sample[]) {
  const { figures } = key;
  const served = bySending(samples.filter(wasServed));
  const [first] = served;
  if (first === undefined) return null;
  const readings = leftsOf(samplesOf(key).filter(wasServed), figures);
  const before = readings.findLast(({ sample }) => sample.answeredAt <= first.sentAt);
  if (before === undefined) return null;
  const back = (elapsedMs: number): number => mostRefilled(figures, elapsedMs);
  const elapsedMs = spanMs(served);
  // A log shows single returns, too: requests that are a window old by then have left it.
  const slid = servedIn(mayHaveSlid(samplesOf(key), figures, before.sample.sentAt, first.sentAt + elapsedMs));
  const there = Math.min(
    mostHeld(samplesOf(key), figures),
    before.left + slid + back(first.sentAt - before.sample.sentAt),
  );
  const most = there + back(elapsedMs) + ROUNDED;
  return served.length > most ? { most, served: served.length, elapsedMs } : null;
}

/** Share of the plan that a burst must get: then no more is available in parallel than the plan's bound. */
const ENOUGH_ONE_BY_ONE = 0.9;

/** Finding if no response shows what was left, and a sequential burst got less than the limit. */
const LEFT_UNKNOWN = untried(
  'whether parallel requests get more than was left (no response shows exactly how much that was)',
);

/** Judges `rate-concurrent`: parallel requests get no more than sequential ones. */
export function judgeParallel(reading: KeyReading): Judged {
  const { key, singles, miscount, operations } = reading;
  const name = subject(key.key);
  const series = key.concurrent;
  const [first] = series?.samples ?? [];
  if (series === null || first === undefined)
    return unestablished('too-little-data', `${name} sent no parallel requests.`);
  const { clump } = reading.comesBack;
  const connections = counted(series.connections, 'connection');
  // Remaining counts every operation, and shows refills one by one, at the plan's rate.
  const isShown = singles >= CLEARLY_SINGLE && miscount === null && operations.exempt.size === 0;
  // A new window, a request that leaves one, and a clump bring more than any earlier response shows.
  const comparable = isShown && clump.size <= 1 ? [series.samples, ...series.together] : [];
  const beyond =
    comparable.map((sent) => beyondWhatWasThere(key, sent)).find((found) => found !== null) ?? null;
  if (beyond !== null)
    return violated([], `${name} gets more with parallel requests than was left of its allowance.`, {
      expected: `at most ${counted(beyond.most, 'request')} left or refilled in ${duration(beyond.elapsedMs)}`,
      actual: `${counted(beyond.served, 'request')} allowed on ${connections}`,
      measured: { most: beyond.most, got: beyond.served, what: ['left'] },
    });
  const by = servedTogether(reading, first, series.samples);
  const got = (over: OverServed): string =>
    `${name} got ${count(over.served)} requests, and no header shows whether`;
  switch (by.kind) {
    case 'too-much':
      return violated([], `${name} gets more than its allowance with parallel requests.`, {
        expected: `at most ${counted(by.over.most, 'request')} allowed in ${duration(by.over.elapsedMs)}`,
        actual: `${counted(by.over.served, 'request')} allowed on ${connections}`,
        measured: { most: by.over.most, got: by.over.served },
      });
    case 'window-unseen':
      return unestablished('headers-missing', `${got(by.over)} a new window began.`);
    case 'in-doubt':
      return unestablished('too-little-data', `${got(by.over)} a refill came just then.`);
    case 'by-steps':
    case 'evenly':
  }
  const sent = `${count(series.samples.length)} parallel requests`;
  const refused = refusedIn(series.samples);
  // A sender that stopped at the first 429 sent more than it got; any other must have sent more than the limit.
  const askedEnough = series.end === 'refused' || series.samples.length > key.figures.perMinute;
  if (refused === 0 || !askedEnough) {
    const code = series.end === 'transport' ? 'transport' : 'too-little-data';
    return unestablished(code, `${name}: ${sent}, ${count(refused)} refused.`);
  }
  const found = `${count(servedIn(series.samples))} of ${sent} allowed, ${count(refused)} refused.`;
  const oneByOne = servedIn(reading.first);
  const isKnown = isShown || oneByOne >= ENOUGH_ONE_BY_ONE * key.figures.perMinute;
  return [kept([], found), ...(isKnown ? [] : [LEFT_UNKNOWN])];
}
