import { kept, about, allAbout, type Finding } from '../findings/finding.js';
import { minuteMs, type Figures } from './bounds.js';
import { largestClump } from './clumps.js';
import { isPlanAnswer, mostHeld, wasRefused, wasServed, type Sample, leftBy, runsOf } from './sample.js';
import { hasUncountable, rateFaults, showsRate } from './headers/header-faults.js';
import { rateTally } from './headers/rate-tally.js';
import { limitValue } from './rate-limit-value.js';
import { costsIn, operationsIn } from './operation-costs.js';
import { notLimited, operationUse, type OperationUse } from './operation-use.js';
import {
  correctFall,
  isTooFast,
  isTooSlow,
  mayHaveStepped,
  movement,
  movements,
  worstOf,
  type Returns,
} from './movements.js';
import { miscounted, promiseBroken } from './remaining-moves.js';
import { readingsIn } from './remaining-readings.js';
import { costsMoreEachTime } from './other-use.js';
import { loneRefusals } from './left-at-refusal.js';
import { NOTHING_RUN, type KeySeries, subject } from './series.js';
import { counted } from '../../base/kernel/format.js';
import { LIMIT_ROW, REMAINING_ROW } from './traffic-rows.js';
import { beginsFresh } from './windows-seen.js';
import type { KeyName } from '../../base/interface/names.js';

/**
 * Requests of the suites with one key, one by one. A request has status 0 if it may or may not count: without
 * the key, of no operation, or without a complete response.
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

/** Most responses named with a violation. */
const MOST_NAMED = 3;
/**
 * Judges Limit and Remaining by the suites' traffic: a violation, or proof that a violation would have shown.
 * Returns nothing for open requirements, since load may decide them.
 */
export function judgeTraffic({ key, figures, exclusive, requests }: Traffic): readonly TrafficFinding[] {
  const samples = requests.slice(
    Math.max(
      0,
      requests.findIndex(({ status }) => status > 0),
    ),
  );
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

function limits(key: KeyName, samples: readonly Sample[], figures: Figures): readonly TrafficFinding[] {
  const telling = samples.filter((sample) => showsRate(LIMIT_ROW, sample));
  const foreign = telling.filter((sample) =>
    rateFaults(sample, figures, null).some((fault) => fault.row === LIMIT_ROW),
  );
  const answers = foreign.length > 0 ? foreign.slice(0, MOST_NAMED) : telling;
  return telling.length === 0
    ? []
    : allAbout(LIMIT_ROW, limitValue(key, rateTally(samples, figures, null), figures)).map((finding) => ({
        finding,
        answers,
      }));
}

/** Fewest requests that show a constant Remaining for sure. */
const LEAST_FALL = 3;

function remaining(
  { key, figures }: KeySeries,
  samples: readonly Sample[],
  use: OperationUse,
): readonly TrafficFinding[] {
  const name = subject(key);
  const [first] = samples;
  // A first response that shows all of the allowance excludes use before the run.
  const aloneSince = first === undefined || beginsFresh(first, figures) ? -Infinity : Infinity;
  const clump = largestClump(samples, figures);
  const returns = {
    figures,
    own: samples,
    past: [],
    clump,
    aloneSince,
    holds: mostHeld(samples, figures),
    slack: 0,
  };
  const counts = countsIn(use, returns);
  const moves = counts.flatMap((readings) => movements(readings, returns));
  const isExplained = use.exempt.size > 0;
  const wrong = moves.filter((move) => isTooFast(move) || (isTooSlow(move) && !isExplained));
  // What something else used says nothing about the server.
  const isOfOthers = !costsMoreEachTime(costsIn(samples, figures));
  if (isOfOthers && wrong.some(isTooFast)) return [];
  const worst = worstOf(wrong);
  if (worst !== undefined)
    return [{ finding: about(REMAINING_ROW, miscounted(name, worst)), answers: [worst.from, worst.to] }];
  const promise = promiseOf(samples, figures);
  if (promise !== null)
    return [{ finding: about(REMAINING_ROW, promiseBroken(name, promise.left)), answers: promise.answers }];
  if (samples.some(wasRefused) || isExplained || counts.length > 1 + windowsBegun(samples, figures))
    return [];
  // A constant Remaining, or one that falls twice as fast, would have shown.
  const whole = counts.flatMap(([from, ...later]) =>
    from === undefined ? [] : later.map((to) => movement(from, to, returns)),
  );
  const telling = whole.filter((move) => correctFall(move).least >= LEAST_FALL);
  const answers = [...new Set(telling.flatMap(({ from, to }) => [from, to]))];
  const isExact = whole.some(
    (move) => move.back.least === move.back.most && correctFall(move).most >= LEAST_FALL,
  );
  if (answers.length === 0 || !isExact) return [];
  const message = `Remaining counted correctly over ${counted(answers.length, 'response')}.`;
  return [{ finding: about(REMAINING_ROW, kept([], message)), answers }];
}

/**
 * Reads Remaining and splits it where a new count may begin: a window, a refill step, another Limit, or 0,
 * below which it cannot fall. If Remaining falls at no known operation, all count. Exempt operations may have
 * their own counter. An error counted if Remaining fell at it.
 */
function countsIn({ counted: known, exempt }: OperationUse, returns: Returns) {
  const { own: samples, figures } = returns;
  const fellAt = (sample: Sample, at: number): boolean =>
    isPlanAnswer(sample) &&
    !wasRefused(sample) &&
    (leftBy(sample, figures) ?? NaN) < (leftBy(samples[at - 1], figures) ?? NaN);
  const isOfLimit = ({ operation }: Sample): boolean => known.size === 0 || known.has(operation);
  const sure = new Set(
    samples.filter(
      (one, at) => !exempt.has(one.operation) && (wasServed(one) ? isOfLimit(one) : fellAt(one, at)),
    ),
  );
  const readings = readingsIn(samples, figures, (sample) => sure.has(sample)).filter(({ sample }) =>
    wasServed(sample),
  );
  return runsOf(readings, (before, next) => before.left > 0 && !mayHaveStepped(before, next, returns));
}

/** Fewest promised requests: fewer may be a refill or rounding. */
const LEAST_PROMISED = 3;
/** Fewest 429s: a single one may come from the network in front of the service. */
const LEAST_REFUSALS = 2;

/**
 * Finds Remaining before 429s of only one operation, which a smaller limit for it explains; null without any.
 * The least of them counts.
 */
function promiseOf(samples: readonly Sample[], figures: Figures) {
  const broken = loneRefusals(samples, figures).filter(({ promised }) => promised >= LEAST_PROMISED);
  const isOfOne = operationsIn(samples.filter(wasRefused)).length === 1;
  if (broken.length < LEAST_REFUSALS || !isOfOne) return null;
  return {
    left: Math.min(...broken.map(({ promised }) => promised)),
    answers: broken.map(({ refusal }) => refusal).slice(0, MOST_NAMED),
  };
}

/** Most windows that may have begun during the samples. */
const windowsBegun = (samples: readonly Sample[], figures: Figures): number =>
  Math.ceil(((samples.at(-1)?.answeredAt ?? 0) - (samples[0]?.sentAt ?? 0)) / minuteMs(figures));
