import { kept, about, allAbout, type Finding } from '../findings/finding.js';
import { minuteMs, type Figures } from './bounds.js';
import { isPlanAnswer, describesDay, wasRefused, wasServed, type Sample, leftBy } from './sample.js';
import { hasUncountable, rateFaults, showsRate } from './headers/header-faults.js';
import { rateTally } from './headers/rate-tally.js';
import { limitValue } from './rate-limit-value.js';
import { costsIn } from './operation-costs.js';
import { notLimited, operationUse, type OperationUse } from './operation-use.js';
import { isTooFast, isTooSlow, miscounted, promiseBroken, type Movement } from './remaining-moves.js';
import { costsMoreEachTime } from './other-use.js';
import { waitOf } from './headers/retry-after.js';
import { NOTHING_RUN, type KeySeries, subject } from './series.js';
import { counted } from '../../base/kernel/format.js';
import { countsIn, movements } from './traffic-moves.js';
import type { KeyName } from '../../base/interface/names.js';

/**
 * Requests of the suites with one key, one by one. A request has status 0 if it may or may not count: without the key,
 * of no operation, or without a complete response.
 */
export interface Traffic {
  readonly key: KeyName;
  readonly figures: Figures;
  /** True if the target file says that nobody else uses this key during the run. */
  readonly exclusive: boolean;
  readonly requests: readonly Sample[];
}

/** Finding on a requirement, and the responses that prove it. */
export interface TrafficFinding {
  readonly finding: Finding;
  readonly answers: readonly Sample[];
}

const ROW = 'rate-remaining-counts';
/** Most responses named with a violation. */
const MOST_NAMED = 3;
/**
 * Judges Limit and Remaining by the suites' traffic: a violation, or proof that a violation would have shown. Returns
 * nothing for open requirements, since load may decide them.
 */
export function judgeTraffic({ key, figures, exclusive, requests }: Traffic): readonly TrafficFinding[] {
  const samples = requests.slice(Math.max(0, requests.findIndex(isAnswered)));
  const [first] = samples;
  if (first === undefined) return [];
  const series: KeySeries = {
    key,
    figures,
    exclusive,
    aloneSince: first.sentAt,
    ...NOTHING_RUN,
    burst: { samples, refusalOperation: 'listPets', end: 'ceiling', otherKey: null },
  };
  const use = operationUse(series);
  const unlimited = [...use.exempt].map((operation) => ({
    finding: about('rate-all-operations', notLimited(key, operation)),
    answers: samples.filter((one) => one.operation === operation && wasServed(one)).slice(0, MOST_NAMED),
  }));
  return [
    ...limits(key, samples, figures),
    ...unlimited,
    ...(exclusive && !hasUncountable(samples, figures, null) ? remaining(series, samples, use) : []),
  ];
}

const isAnswered = ({ status }: Sample): boolean => status > 0;

function limits(key: KeyName, samples: readonly Sample[], figures: Figures): readonly TrafficFinding[] {
  const row = 'rate-limit-value';
  const telling = samples.filter((sample) => showsRate(row, sample));
  const foreign = telling.filter((sample) => rateFaults(sample, figures, null).some((fault) => fault.row === row));
  const answers = foreign.length > 0 ? foreign.slice(0, MOST_NAMED) : telling;
  return telling.length === 0
    ? []
    : allAbout(row, limitValue(key, rateTally(samples, figures, null), figures)).map((finding) => ({
        finding,
        answers,
      }));
}

/** Requests by which a fall is outside its bounds. */
const missedBy = ({ fall, least, most }: Movement): number => Math.max(fall - most, least - fall);

/** Fewest responses that show a constant Remaining for sure. */
const LEAST_FALL = 3;

function remaining(
  { key, figures }: KeySeries,
  samples: readonly Sample[],
  use: OperationUse,
): readonly TrafficFinding[] {
  const name = subject(key);
  const counts = countsIn(samples, use, figures);
  const moves = counts.flatMap((count) => movements(count, samples, figures));
  const isExplained = use.exempt.size > 0;
  const wrong = moves.filter(({ move }) => isTooFast(move) || (isTooSlow(move) && !isExplained));
  // What something else used says nothing about the server.
  const isOfOthers = !costsMoreEachTime(costsIn(samples, figures));
  if (isOfOthers && wrong.some(({ move }) => isTooFast(move))) return [];
  const [worst] = wrong.toSorted((one, other) => missedBy(other.move) - missedBy(one.move));
  if (worst !== undefined)
    return [{ finding: about(ROW, miscounted(name, worst.move)), answers: [worst.from, worst.to] }];
  const promise = promiseOf(samples, figures);
  if (promise !== null) return [{ finding: about(ROW, promiseBroken(name, promise.left)), answers: promise.answers }];
  if (samples.some(wasRefused) || isExplained || counts.length > 1 + windowsBegun(samples, figures)) return [];
  // A constant Remaining, or one that falls twice as fast, would have shown.
  const telling = moves.filter(({ move }) => move.least >= LEAST_FALL);
  const answers = [...new Set(telling.flatMap(({ from, to }) => [from, to]))];
  if (answers.length === 0 || !moves.some(({ move, isExact }) => isExact && move.most >= LEAST_FALL)) return [];
  const message = `Remaining counted correctly over ${counted(answers.length, 'response')}.`;
  return [{ finding: about(ROW, kept([], message)), answers }];
}

/** Fewest promised requests: fewer may be a refill or rounding. */
const LEAST_PROMISED = 3;
/** Fewest 429s: a single one may come from the network in front of the service. */
const LEAST_REFUSALS = 2;

/**
 * Remaining before 429s of only one operation, which a smaller limit for it explains; null without any. The least of
 * them counts.
 */
function promiseOf(samples: readonly Sample[], figures: Figures) {
  const refusals = samples.flatMap((sample, at) => (wasRefused(sample) ? [{ sample, at }] : []));
  const broken = refusals.flatMap(({ sample, at }) => {
    const before = samples.findLastIndex((one, index) => index < at && isPlanAnswer(one) && !wasRefused(one));
    const left = promisedBy(samples[before], sample, figures);
    // Requests in between may have counted.
    return left === null || left - (at - before - 1) < LEAST_PROMISED ? [] : [{ left, sample }];
  });
  const isOfOne = new Set(refusals.map(({ sample }) => sample.operation)).size === 1;
  if (broken.length < LEAST_REFUSALS || !isOfOne) return null;
  return {
    left: Math.min(...broken.map(({ left }) => left)),
    answers: broken.map(({ sample }) => sample).slice(0, MOST_NAMED),
  };
}

/** Remaining of the minute before a 429; null if the wait is longer than a minute's, as it may be a day's. */
function promisedBy(before: Sample | undefined, refusal: Sample, figures: Figures): number | null {
  const wait = waitOf(refusal);
  const isOfMinute = wait !== null && wait <= 2 * minuteMs(figures) && !describesDay(refusal, figures);
  return isOfMinute ? leftBy(before, figures) : null;
}

/** Most windows that may have begun during the samples. */
const windowsBegun = (samples: readonly Sample[], figures: Figures): number =>
  Math.ceil(((samples.at(-1)?.answeredAt ?? 0) - (samples[0]?.sentAt ?? 0)) / minuteMs(figures));
