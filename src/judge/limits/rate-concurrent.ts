import { kept, unestablished, untried, violated, type Judged } from '../findings/finding.js';
import { minuteMs, mostRefilled, refillIntervalMs, worstSpan } from './bounds.js';
import { nothingRefills } from './refill.js';
import { byTheirReset } from './reset-edges.js';
import { count, counted, duration } from '../../base/kernel/format.js';
import { returnsIn, samplesOf } from './key-samples.js';
import { type KeySeries, subject } from './series.js';
import { windowsSeen } from './windows-seen.js';
import { CLEARLY_SINGLE } from './over-served.js';
import { bySending, mayHaveSlid, wasServed, type Sample, leftsOf, servedIn, refusedIn } from './sample.js';
import type { KeyReading } from './reading.js';

/** True if the sequential burst proved that nothing comes back gradually. */
const provenStill = ({ burst, figures }: KeySeries): boolean =>
  windowsSeen(burst?.samples ?? [], figures).pieces.some(({ samples }) => nothingRefills(samples, figures) !== null);

/** Earlier requests that the same window may hold: the retry and the probe after the 429. */
function ofSameWindow(key: KeySeries, first: Sample): readonly Sample[] {
  const since = first.sentAt - minuteMs(key.figures) / 2;
  return returnsIn(key.recoveries).filter(
    (sample) => wasServed(sample) && sample.sentAt >= since && sample.sentAt < first.sentAt,
  );
}

/** Share of a window in which a limiter without gradual refills gives nothing back. */
const STILL_SHARE = 1 / 2;

const spanMs = (samples: readonly Sample[]): number =>
  Math.max(...samples.map(({ answeredAt }) => answeredAt)) - (samples[0]?.sentAt ?? Infinity);

/** Requests of slack: Remaining may be rounded, and a part of a request may have been left. */
const TOLD_BESIDES = 3;

/**
 * Measures how many parallel requests were allowed beyond what was left; null if none were or it is uncertain. "Left"
 * is the Remaining before, plus an even refill, at most the highest Remaining ever seen. As much may come back during
 * the burst.
 */
function beyondWhatWasThere(key: KeySeries, samples: readonly Sample[]) {
  const { figures } = key;
  const served = bySending(samples.filter(wasServed));
  const [first] = served;
  if (first === undefined) return null;
  const told = leftsOf(samplesOf(key).filter(wasServed), figures);
  const before = told.findLast(({ sample }) => sample.answeredAt <= first.sentAt);
  if (before === undefined) return null;
  const back = (elapsedMs: number): number => mostRefilled(figures, elapsedMs);
  const elapsedMs = spanMs(served);
  const holds = Math.max(...told.map(({ left }) => left)) + 1;
  // A log shows single returns, too: requests that are a window old by then have left it.
  const slid = servedIn(mayHaveSlid(samplesOf(key), figures, before.sample.sentAt, first.sentAt + elapsedMs));
  const there = Math.min(holds, before.left + slid + back(first.sentAt - before.sample.sentAt));
  const most = there + back(elapsedMs) + TOLD_BESIDES;
  return served.length > most ? { most, served: served.length, elapsedMs } : null;
}

/** Share of the plan that a burst must get: then no more is available in parallel than the plan's bound. */
const ENOUGH_ONE_BY_ONE = 0.9;

/** Finding if no response shows what was left, and a sequential burst got less than the limit. */
const UNTOLD = untried(
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
  const { figures } = key;
  // Parallel requests may have met a clump.
  const { clump, stillMs } = reading.comesBack;
  const connections = counted(series.connections, 'connection');
  // Remaining counts every operation, and shows refills one by one, at the plan's rate.
  const isTold = singles >= CLEARLY_SINGLE && miscount === null && operations.exempt.size === 0;
  // A new window, a request that leaves one, and a clump bring more than any earlier response shows.
  const comparable = isTold && stillMs === 0 && clump.size <= 1 ? [series.samples, ...series.together] : [];
  const beyond = comparable.map((sent) => beyondWhatWasThere(key, sent)).find((found) => found !== null) ?? null;
  if (beyond !== null)
    return violated([], `${name} gets more with parallel requests than was left of its allowance.`, {
      expected: `at most ${counted(beyond.most, 'request')} allowed in ${duration(beyond.elapsedMs)}, from what was left and refills`,
      actual: `${counted(beyond.served, 'request')} allowed on ${connections}`,
      measured: { most: beyond.most, got: beyond.served, what: ['left'] },
    });
  const samples = bySending([...ofSameWindow(key, first), ...series.samples]);
  const seen = windowsSeen(samples, figures);
  // Nothing refills between two refill steps either; later refills show them.
  const provenMs = provenStill(key) && clump.size === 0 ? STILL_SHARE * minuteMs(figures) : 0;
  const longestMs = Math.max(provenMs, clump.size <= 1 ? stillMs : 0);
  for (const { samples: piece, slack } of seen.pieces) {
    const served = piece.filter(wasServed);
    // Over a longer time a log drops requests, and an unseen refill step may come.
    const still = spanMs(served) <= longestMs;
    const worst = worstSpan(served, still ? 0 : 1 / refillIntervalMs(figures));
    if (worst === null) continue;
    const elapsedMs = worst.to - worst.from;
    const most = figures.perMinute + slack + (still ? 0 : mostRefilled(figures, elapsedMs));
    if (worst.count <= most || byTheirReset(served, figures).every(({ length }) => length <= most)) continue;
    const byBeat = worst.count <= most + clump.size;
    if (byBeat && clump.isSooner) continue;
    const got = `${name} got ${count(worst.count)} requests, and no header shows whether`;
    if (byBeat) return unestablished('too-little-data', `${got} a refill came just then.`);
    if (!seen.visible && worst.count <= 2 * most) return unestablished('headers-missing', `${got} a new window began.`);
    return violated([], `${name} gets more than its allowance with parallel requests.`, {
      expected: `at most ${counted(most, 'request')} allowed in ${duration(elapsedMs)}`,
      actual: `${counted(worst.count, 'request')} allowed on ${connections}`,
      measured: { most, got: worst.count },
    });
  }
  const sent = `${count(series.samples.length)} parallel requests`;
  const refused = refusedIn(series.samples);
  // A sender that stopped at the first 429 sent more than it got; any other must have sent more than the limit.
  const askedEnough = series.end === 'refused' || series.samples.length > figures.perMinute;
  if (refused === 0 || !askedEnough) {
    const code = series.end === 'transport' ? 'transport' : 'too-little-data';
    return unestablished(code, `${name}: ${sent}, ${count(refused)} refused.`);
  }
  const found = `${count(servedIn(series.samples))} of ${sent} allowed, ${count(refused)} refused.`;
  const oneByOne = servedIn(reading.first);
  const isKnown = isTold || stillMs > 0 || oneByOne >= ENOUGH_ONE_BY_ONE * figures.perMinute;
  return [kept([], found), ...(isKnown ? [] : [UNTOLD])];
}
