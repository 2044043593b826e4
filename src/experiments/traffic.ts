import { kept, about, type Finding } from '../findings/finding.js';
import type { RequirementId } from '../contract/types.js';
import { mayHaveRefilled, minuteMs } from '../limits/bounds.js';
import { largestClump } from '../limits/came-back.js';
import { isTooFast, isTooSlow, type Movement } from '../limits/counting.js';
import { folded } from '../limits/fold.js';
import { plainInteger } from '../limits/headers/header-number.js';
import { headerFaults } from '../limits/headers/header-faults.js';
import { limitValue, limitValues } from '../limits/headers/limit-value.js';
import { notLimited, operationUse, type OperationUse } from './burst/operations.js';
import { miscounted, promiseBroken } from './burst/remaining-counts.js';
import { waitOf } from '../limits/headers/retry-after.js';
import { subject } from '../limits/say.js';
import { NOTHING_RUN, type Figures, type KeySeries } from '../limits/series.js';
import { counted } from '../format/format.js';
import { beginsFresh } from '../limits/windows-seen.js';
import {
  isPlanAnswer,
  speaksOfDay,
  speaksOfMinute,
  wasRefused,
  wasServed,
  windowSpokenOf,
  type Sample,
} from '../limits/sample.js';
import type { KeyName } from '../contract/names.js';

/**
 * What the suites sent while they used one key, request after request, no two under way together. A request that may have
 * been counted or not has status 0: one without the key, one that is no operation's, one that got no whole answer.
 */
export interface Traffic {
  readonly key: KeyName;
  readonly figures: Figures;
  /** The target file says that nobody else uses this key during the run. */
  readonly exclusive: boolean;
  readonly requests: readonly Sample[];
}

/** What the traffic shows of a row, and the answers that it rests on. */
export interface TrafficFinding {
  readonly finding: Finding;
  readonly answers: readonly Sample[];
}

const ROW = 'rate-remaining-counts';

/** So many answers are named with a breach: more of them say no more. */
const MOST_NAMED = 3;

/** Rows that are charged with what Remaining did not count, where load has found them broken. */
const EXPLAIN_SLOWNESS: readonly RequirementId[] = ['rate-429', 'rate-all-operations', 'rate-per-key'];

/**
 * What the suites' traffic decides of the rows of Limit and Remaining: a breach, or that they held where a breach would have
 * shown. Of what it leaves open it says nothing, since load may decide it.
 * @param charged the rows that load has found broken: what follows from them is charged to none besides
 */
export function judgeTraffic(
  { key, figures, exclusive, requests }: Traffic,
  charged: ReadonlySet<RequirementId>,
): readonly TrafficFinding[] {
  const samples = requests.slice(Math.max(0, requests.findIndex(isAnswered)));
  const [first] = samples;
  if (first === undefined) return [];
  const series: KeySeries = {
    key,
    figures,
    exclusive,
    aloneSince: first.sentAt,
    ...NOTHING_RUN,
    burst: { samples, refusalOperation: 'listPets', end: 'ceiling', otherKeys: [] },
  };
  const use = operationUse(series);
  const unlimited = [...use.exempt].map((operation) => ({
    finding: notLimited(key, operation),
    answers: samples.filter((one) => one.operation === operation && wasServed(one)).slice(0, MOST_NAMED),
  }));
  return [
    ...limits(key, samples, figures),
    ...unlimited,
    ...(exclusive && !isMalformed(samples, figures) ? remaining(series, samples, use, charged) : []),
  ];
}

const isAnswered = ({ status }: Sample): boolean => status > 0;

/** What is malformed is charged to `rate-headers-wellformed`, and cannot be counted. */
const isMalformed = (samples: readonly Sample[], figures: Figures): boolean =>
  samples.some((sample) =>
    headerFaults(sample, figures, null).some(
      ({ kind, header }) => header === 'remaining' || (header === 'limit' && kind === 'not-integer'),
    ),
  );

function limits(key: KeyName, samples: readonly Sample[], figures: Figures): readonly TrafficFinding[] {
  const one = limitValues(figures);
  const telling = samples.filter((sample) => folded(one, [sample]).answers > 0);
  const foreign = telling.filter((sample) => folded(one, [sample]).foreign > 0);
  const answers = foreign.length > 0 ? foreign.slice(0, MOST_NAMED) : telling;
  return telling.length === 0
    ? []
    : limitValue(key, folded(one, samples), figures).map((finding) => ({ finding, answers }));
}

/** An answer that says what is left, and its place among all requests. */
interface Reading {
  readonly sample: Sample;
  readonly left: number;
  readonly place: number;
  /** The request was surely counted: it was served, and by an operation at which Remaining falls. */
  readonly isSure: boolean;
}

/** By how many requests a fall lies outside what its requests explain. */
const missedBy = ({ fall, least, most }: Movement): number => Math.max(fall - most, least - fall);

/** Between fewer answers a Remaining that stands still does not show for sure. */
const LEAST_FALL = 3;

function remaining(
  { key, figures }: KeySeries,
  samples: readonly Sample[],
  use: OperationUse,
  charged: ReadonlySet<RequirementId>,
): readonly TrafficFinding[] {
  const name = subject(key);
  const apart = stretches(readingsOf(samples, use), figures);
  const came = comesBack(samples, figures);
  const moves = apart.flatMap((stretch) => movements(stretch, came, figures));
  const isExplained = EXPLAIN_SLOWNESS.some((row) => charged.has(row)) || use.exempt.size > 0;
  const wrong = moves.flatMap(({ from, to, move, inRow }) =>
    [move, inRow]
      .filter((one) => isTooFast(one) || (isTooSlow(one) && !isExplained))
      .map((one) => ({ one, answers: [from, to] })),
  );
  const [worst] = wrong.toSorted((one, other) => missedBy(other.one) - missedBy(one.one));
  if (worst !== undefined) return [{ finding: miscounted(name, worst.one), answers: worst.answers }];
  const promise = charged.has('rate-not-early') ? null : promiseOf(samples, figures);
  if (promise !== null) return [{ finding: promiseBroken(name, promise.left), answers: promise.answers }];
  if (samples.some(wasRefused) || isExplained || apart.length > 1 + windowsBegun(samples, figures)) return [];
  // What stood still would have shown, and what fell twice as fast.
  const telling = moves.filter(({ move }) => move.least >= LEAST_FALL);
  const answers = [...new Set(telling.flatMap(({ from, to }) => [from, to]))];
  if (answers.length === 0 || !moves.some(({ inRow }) => inRow.most >= LEAST_FALL)) return [];
  return [
    { finding: about(ROW, kept([], `Remaining kept count over ${counted(answers.length, 'answer')}.`)), answers },
  ];
}

/** Fewer than these may have come back to a bucket, or be rounded up, and be gone again. */
const LEAST_PROMISED = 3;

/** One refusal that nobody provoked may be of the network before the service. */
const LEAST_REFUSALS = 2;

/**
 * What was said to be left before refusals of one operation and of no other, which a smaller allowance of its own explains;
 * null where nothing was promised. The least of them counts.
 */
function promiseOf(
  samples: readonly Sample[],
  figures: Figures,
): { readonly left: number; readonly answers: readonly Sample[] } | null {
  const refusals = samples.flatMap((sample, at) => (wasRefused(sample) ? [{ sample, at }] : []));
  const broken = refusals.flatMap(({ sample, at }) => {
    const before = samples.findLastIndex((one, index) => index < at && isPlanAnswer(one) && !wasRefused(one));
    const left = promisedBy(samples[before], sample, figures);
    // Those in between may have been counted.
    return left === null || left - (at - before - 1) < LEAST_PROMISED ? [] : [{ left, sample }];
  });
  const isOfOne = new Set(refusals.map(({ sample }) => sample.operation)).size === 1;
  if (broken.length < LEAST_REFUSALS || !isOfOne) return null;
  return {
    left: Math.min(...broken.map(({ left }) => left)),
    answers: broken.map(({ sample }) => sample).slice(0, MOST_NAMED),
  };
}

/** What an answer says is left of the minute to whom is refused next; a wait longer than a minute's may be a day's. */
function promisedBy(before: Sample | undefined, refusal: Sample, figures: Figures): number | null {
  const wait = waitOf(refusal);
  const isOfMinute = wait !== null && wait <= 2 * minuteMs(figures) && !speaksOfDay(refusal, figures);
  return before !== undefined && isOfMinute && speaksOfMinute(before, figures) ? plainInteger(before.remaining) : null;
}

/** As many windows as may have begun anew among the samples. */
const windowsBegun = (samples: readonly Sample[], figures: Figures): number =>
  Math.ceil(((samples.at(-1)?.answeredAt ?? 0) - (samples[0]?.sentAt ?? 0)) / minuteMs(figures));

/** Where Remaining is known to fall at no operation, all of them are to count. What does not use the allowance may have a counter of its own. */
const readingsOf = (samples: readonly Sample[], { counted: falling, exempt }: OperationUse): readonly Reading[] =>
  samples.flatMap((sample, place): readonly Reading[] => {
    const isRead = isPlanAnswer(sample) && !wasRefused(sample) && !exempt.has(sample.operation);
    const left = isRead ? plainInteger(sample.remaining) : null;
    const isSure = wasServed(sample) && (falling.size === 0 || falling.has(sample.operation));
    return left === null ? [] : [{ sample, left, place, isSure }];
  });

/**
 * The readings as they fell, apart where more came back at once than an even refill brings: a window may begin anew, and a
 * limiter give back in clumps. Up to the first that says 0, from where on it cannot fall.
 */
function stretches(readings: readonly Reading[], figures: Figures): readonly (readonly Reading[])[] {
  const all: Reading[][] = [];
  for (const [index, reading] of readings.entries()) {
    const before = readings[index - 1];
    const stretch = all.at(-1);
    if (before !== undefined && stretch !== undefined && goesOn(before, reading, figures)) stretch.push(reading);
    else all.push([reading]);
  }
  return all;
}

/** Whether the same figure goes on to be counted from one reading to the next. */
function goesOn(before: Reading, next: Reading, figures: Figures): boolean {
  const cameBack = next.left - before.left + (next.isSure ? 1 : 0);
  const mayCome = mayHaveRefilled(figures, next.sample.answeredAt - before.sample.sentAt) + 1;
  const isSameFigure = plainInteger(before.sample.limit) === plainInteger(next.sample.limit);
  return isSameFigure && before.left > 0 && cameBack <= mayCome;
}

/** How Remaining moved between two readings. */
interface Moved {
  readonly from: Sample;
  readonly to: Sample;
  readonly move: Movement;
  /** The same over those alone that followed directly on one of their kind: what was sent in between has no part in it. */
  readonly inRow: Movement;
}

/** What may come back between two readings besides an even refill. */
interface ComesBack {
  /** At a beat, a clump more than evenly. */
  readonly clump: number;
  /** What others had used before the run, which comes back at a time that nobody knows. */
  readonly unknown: number;
  /** Own requests whose time in a sliding window may have ended between the two. */
  readonly forgotten: (from: Sample, to: Sample) => number;
}

function comesBack(all: readonly Sample[], figures: Figures): ComesBack {
  const [first, last] = [all[0], all.at(-1)];
  const window = minuteMs(figures);
  const isLong = first !== undefined && last !== undefined && last.answeredAt >= first.sentAt + window;
  return {
    clump: largestClump(all, figures).size,
    unknown: first !== undefined && beginsFresh(first, figures) ? 0 : figures.perMinute,
    forgotten: (from, to) =>
      // In less than a window none is forgotten.
      isLong
        ? all.filter((old) => old.answeredAt + window >= from.sentAt && old.sentAt + window <= to.answeredAt).length
        : 0,
  };
}

/** The movements between any two readings of a stretch: whatever paused or came back elsewhere spoils none of them. */
function movements(
  stretch: readonly Reading[],
  { clump, unknown, forgotten }: ComesBack,
  figures: Figures,
): readonly Moved[] {
  // What an error says may be what was left before it: it tells what it cost, and no more.
  const ends = sumsOf(stretch).filter(({ at }) => at.isSure);
  return ends.flatMap((before, index) =>
    ends.slice(index + 1).map((after): Moved => {
      const [from, to] = [before.at, after.at];
      const elapsedMs = to.sample.answeredAt - from.sample.sentAt;
      const surely = after.sure - before.sure;
      const back = mayHaveRefilled(figures, elapsedMs) + clump + forgotten(from.sample, to.sample);
      const used = Math.max(0, Math.min(unknown, figures.perMinute - 1 - from.left - before.sure));
      // A day's window may forget what another day's run had used, at any time.
      const ofMinute = windowSpokenOf(from.sample, figures) === 'minute';
      const least = ofMinute ? Math.ceil(surely - back - used) : -Infinity;
      const most = to.place - from.place - (after.told - before.told);
      const fall = from.left - to.left - (after.fallen - before.fallen);
      const move = { fall, least, most, requests: surely + 1, elapsedMs, slack: 0 };
      const inRow = {
        ...move,
        fall: after.inRowFallen - before.inRowFallen,
        least: -Infinity,
        most: after.inRow - before.inRow,
      };
      return { from: from.sample, to: to.sample, move, inRow };
    }),
  );
}

/** Up to a reading: requests that were surely counted; others whose own cost the answer before them tells, and what that was. */
interface Sums {
  readonly at: Reading;
  readonly sure: number;
  readonly told: number;
  readonly fallen: number;
  /** Those surely counted that followed directly on another, and how far Remaining fell at them. */
  readonly inRow: number;
  readonly inRowFallen: number;
}

function sumsOf(stretch: readonly Reading[]): readonly Sums[] {
  let sums = { sure: 0, told: 0, fallen: 0, inRow: 0, inRowFallen: 0 };
  return stretch.map((at, index) => {
    const before = stretch[index - 1];
    if (before === undefined) return { at, ...sums };
    const { sure, told, fallen, inRow, inRowFallen } = sums;
    const follows = before.place === at.place - 1;
    const cost = before.left - at.left;
    if (at.isSure) sums = { ...sums, sure: sure + 1 };
    if (at.isSure && before.isSure && follows) sums = { ...sums, inRow: inRow + 1, inRowFallen: inRowFallen + cost };
    // An error is counted or not; a client cannot be charged two for it.
    if (!at.isSure && follows) sums = { ...sums, told: told + 1, fallen: fallen + Math.min(1, Math.max(0, cost)) };
    return { at, ...sums };
  });
}
