import { violated, type Judgement } from '../findings/finding.js';
import { mayHaveRefilled, minuteMs } from './bounds.js';
import { gainShown, mostAtOnce, type Clump } from './clumps.js';
import { count, duration } from '../../base/kernel/format.js';
import type { KeySeries } from './series.js';
import { windowsSeen } from './windows-seen.js';
import { leftsOf, mayHaveSlid, servedIn, wasServed, type Left, type Sample } from './sample.js';

const ROUNDING = 1;
/** Fewest responses that say anything about counting. */
const LEAST_ANSWERS = 3;

/** Fall of Remaining from one response to a later one, with its bounds. */
export interface Movement {
  readonly fall: number;
  /** Least correct fall: requests certainly counted between, minus all that may have come back. */
  readonly least: number;
  /** Most correct fall: requests that may have been counted between. */
  readonly most: number;
  readonly requests: number;
  readonly elapsedMs: number;
  /** Other requests that may have counted in this window. */
  readonly slack: number;
}

/** Requests that Remaining shows to have come back, or not to have been counted, and the most that may have come back. */
interface Gain {
  readonly shown: number;
  readonly most: number;
}

/** Is true if Remaining fell by more than its requests explain. */
export const isTooFast = ({ fall, most, slack }: Movement): boolean => fall > most + ROUNDING + slack;
/** Is true if Remaining fell by less than its requests explain. */
export const isTooSlow = ({ fall, least, slack }: Movement): boolean => fall < least - ROUNDING - slack;
/** Is true if some requests were not counted, although others cost so much that the sum may be right. */
export const isUncounting = ({ gain }: { readonly gain: Gain }): boolean => gain.shown > gain.most;

type Move = NonNullable<ReturnType<typeof movement>>;

/** Requests that may have left a sliding window meanwhile: our own, and all others if the past is unknown. */
function slid(key: KeySeries, past: readonly Sample[], first: Left, last: Left) {
  const used = Math.max(0, key.figures.perMinute - 1 - first.left);
  const window = minuteMs(key.figures);
  const { sentAt } = first.sample;
  const own = Math.min(used, mayHaveSlid(past, key.figures, sentAt, last.sample.answeredAt).length);
  return { own, all: key.aloneSince > sentAt - window ? used : own };
}

/**
 * Measures how Remaining fell over responses of one window; null if too few carry it. Concurrent responses come in any
 * order. So it reads from the highest Remaining that none preceded to the lowest that none followed. For the fall it stops
 * at the first 0, as Remaining cannot fall further.
 */
function movement(key: KeySeries, samples: readonly Sample[], past: readonly Sample[], slack: number, clump: Clump) {
  const served = samples.filter(wasServed);
  const readings = leftsOf(served, key.figures);
  if (readings.length < LEAST_ANSWERS) return null;
  const earliest = readings.reduce((least, { sample }) => Math.min(least, sample.answeredAt), Infinity);
  const latest = readings.reduce((most, { sample }) => Math.max(most, sample.sentAt), -Infinity);
  const first = readings
    .filter(({ sample }) => sample.sentAt <= earliest)
    .reduce((best, one) => (one.left > best.left ? one : best));
  const last = readings
    .filter(({ sample }) => sample.answeredAt >= latest)
    .reduce((best, one) => (one.left < best.left ? one : best));
  const lowest = readings.find(({ left }) => left === 0) ?? last;
  const maybe = served.filter(
    (one) => one !== first.sample && one.answeredAt > first.sample.sentAt && one.sentAt < lowest.sample.answeredAt,
  ).length;
  const surely = served.filter(
    (one) => one === last.sample || (one.sentAt >= first.sample.answeredAt && one.answeredAt <= last.sample.sentAt),
  ).length;
  const elapsedMs = last.sample.answeredAt - first.sample.sentAt;
  // A step of a refill may fall into any span, however short. Single returns come evenly, and rounding leaves room for one.
  const step = mostAtOnce(clump);
  const back = mayHaveRefilled(key.figures, elapsedMs) + (step > 1 ? step : 0);
  const ofLog = slid(key, past, first, last);
  const upToLowest = samples.slice(samples.indexOf(first.sample), samples.indexOf(lowest.sample) + 1);
  const least = (slidOut: number): number => Math.ceil(surely - back - slidOut - (last.left - lowest.left));
  return {
    // `fall` and `most` end at the first 0, `least` at the end. Without a 0 both ends are equal.
    fall: first.left - lowest.left,
    least: least(ofLog.all),
    /** If nobody else used the key: others' requests, and their return, are unknown. */
    leastIfUnused: least(ofLog.own),
    most: maybe,
    requests: readings.length,
    elapsedMs,
    slack,
    gain: { shown: gainShown(upToLowest, key.figures), most: Math.ceil(back + ofLog.all + ROUNDING + slack) },
  };
}

/** Place of the first sample after the longest pause; 0 without one. A full bucket takes no refill in a pause. */
function afterLongestPause(samples: readonly Sample[]): number {
  let [longest, at, answered] = [0, 0, -Infinity];
  for (const [index, { sentAt, answeredAt }] of samples.entries()) {
    if (index > 0 && sentAt - answered > longest) [longest, at] = [sentAt - answered, index];
    answered = Math.max(answered, answeredAt);
  }
  return at;
}

/** How Remaining moved over some requests, window by window. */
export interface Moves {
  readonly samples: readonly Sample[];
  readonly moves: readonly Move[];
  /** Responses whose Remaining was counted. */
  readonly answers: number;
}

/**
 * Returns the moves of Remaining over the windows of a series.
 * @param past all other samples of the key
 * @param concurrent requests that were open at the same time: a server may read its counter after others raised it
 */
export function movesOver(
  key: KeySeries,
  samples: readonly Sample[],
  past: readonly Sample[],
  clump: Clump,
  concurrent = 0,
): Moves {
  const moves = windowsSeen(samples, key.figures).pieces.map(({ samples: all, slack }) => {
    // A request without a response may have counted or not.
    const lost = all.filter(({ status }) => status === 0).length;
    const over = (some: readonly Sample[], before: readonly Sample[]) =>
      movement(key, some, [...past, ...before], slack + lost + concurrent, clump);
    const at = afterLongestPause(all);
    return [over(all, []), at === 0 ? null : over(all.slice(at), all.slice(0, at))].filter((move) => move !== null);
  });
  return { samples, moves: moves.flat(), answers: moves.reduce((sum, [move]) => sum + (move?.requests ?? 0), 0) };
}

/** Shortest burst that shows counting. A strict pacer ends it immediately; then its steady run decides. */
const SHORT_BURST = 3;

/** Returns the moves of Remaining over the first burst; over the steady run if a pacer ended the burst early. */
export function movesOf(key: KeySeries, past: readonly Sample[], clump: Clump): Moves {
  const inBurst = key.burst?.samples ?? [];
  return movesOver(key, servedIn(inBurst) >= SHORT_BURST ? inBurst : (key.steady?.samples ?? []), past, clump);
}

/** How Remaining miscounts. `may-be`: too slowly, unless others' earlier requests came back just then. */
export type Miscount = 'too-fast' | 'too-slow' | 'may-be' | null;

/** Finds how Remaining miscounts; null if it counts all. */
export function miscountIn({ moves }: Moves): Miscount {
  if (moves.some(isTooFast)) return 'too-fast';
  if (moves.some(isTooSlow)) return 'too-slow';
  return moves.some((move) => isTooSlow({ ...move, least: move.leastIfUnused })) ? 'may-be' : null;
}

/** Returns the violation by a 429 although something was left of the minute, or of the day. */
export const promiseBroken = (name: string, promised: number, isOfDay = false): Judgement =>
  violated([], `${name} gets 429 while ${isOfDay ? "the day's " : ''}X-RateLimit-Remaining is above 0.`, {
    expected: `a request allowed while X-RateLimit-Remaining is ${count(promised)}`,
    actual: '429 to the next request, with no other request open',
    measured: { most: 0, got: promised, ...(isOfDay && { what: ['day'] }) },
  });

/** Returns the violation by a movement that the requests do not explain. */
export const miscounted = (name: string, { fall, least, most, elapsedMs }: Movement): Judgement =>
  violated([], `${name}'s Remaining does not count its requests.`, {
    expected: `X-RateLimit-Remaining to fall by ${count(Math.max(0, least))} to ${count(most)} in ${duration(elapsedMs)}`,
    actual: fall < 0 ? `it rose by ${count(-fall)}` : `it fell by ${count(fall)}`,
    measured: { most: fall < least ? least : most, got: fall },
  });
