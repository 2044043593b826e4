import { violated, type Judgement } from '../findings/finding.js';
import { gainShown, type Clump } from './clumps.js';
import { samplesOf } from './key-samples.js';
import { count, duration } from '../../base/kernel/format.js';
import {
  correctFall,
  isTooFast,
  isTooSlow,
  mayComeBack,
  movements,
  ROUNDING,
  type Movement,
} from './movements.js';
import { cameBack, longestBetween, mostBetween, readingsIn } from './remaining-readings.js';
import type { KeySeries } from './series.js';
import { windowsSeen } from './windows-seen.js';
import { bySending, mostHeld, servedIn, type Sample } from './sample.js';

/* How Remaining moved over a series, window by window. */

/** Fewest responses that say anything about counting. */
const LEAST_ANSWERS = 3;

/**
 * Requests that Remaining shows to have come back, or not to have been counted, and the most that may have
 * come back.
 */
interface Gain {
  readonly shown: number;
  readonly most: number;
  readonly elapsedMs: number;
}

/** How Remaining moved over some requests, window by window. */
export interface Moves {
  readonly samples: readonly Sample[];
  readonly moves: readonly Movement[];
  /** More than may have come back, although others cost so much that the sum may be right; null without. */
  readonly uncounted: Gain | null;
  /** Responses whose Remaining was counted. */
  readonly answers: number;
  /** True if a counter that misses one request in `MISSED_EACH` would have shown. */
  readonly showsMissed: boolean;
}

/**
 * A counter that misses one request of so many allows about a tenth more than the plan: a fault that must not
 * pass unseen.
 */
export const MISSED_EACH = 10;
/** Requests at whose response Remaining shows no gain: one just below the limit, and one at 0. */
const NOT_AT_THE_ENDS = 2;

/** Returns the moves of Remaining over the windows of a series. */
export function movesOver(key: KeySeries, some: readonly Sample[], clump: Clump): Moves {
  const { figures, aloneSince } = key;
  const samples = bySending(some);
  const holds = mostHeld([...samplesOf(key), ...samples], figures);
  const counts = windowsSeen(samples, figures).pieces.flatMap(({ samples: own, slack }) => {
    const readings = readingsIn(own, figures);
    const [first, last] = [readings[0], readings.at(-1)];
    if (first === undefined || last === undefined || readings.length < LEAST_ANSWERS) return [];
    const inPiece = new Set(own);
    const past = samplesOf(key).filter((sample) => !inPiece.has(sample));
    const returns = { figures, own, past, clump, aloneSince, holds, slack };
    const most = Math.floor(mayComeBack(returns, first, last).all + ROUNDING);
    const back = cameBack(first, last);
    const missed = Math.floor((mostBetween(first, last) - NOT_AT_THE_ENDS) / MISSED_EACH);
    return [
      {
        moves: movements(readings, returns),
        answers: readings.length,
        gain: { shown: gainShown(own, figures), most, elapsedMs: longestBetween(first, last) },
        showsMissed: missed > most + back.most - back.least,
      },
    ];
  });
  return {
    samples,
    moves: counts.flatMap(({ moves }) => moves),
    uncounted: counts.map(({ gain }) => gain).find(({ shown, most }) => shown > most) ?? null,
    answers: counts.reduce((sum, { answers }) => sum + answers, 0),
    showsMissed: counts.some(({ showsMissed }) => showsMissed),
  };
}

/** Shortest burst that shows counting. A strict pacer ends it immediately; then its steady run decides. */
const SHORT_BURST = 3;

/** Returns the moves of Remaining over the first burst; over the steady run if a pacer ended the burst early. */
export function movesOf(key: KeySeries, clump: Clump): Moves {
  const inBurst = key.burst?.samples ?? [];
  return movesOver(key, servedIn(inBurst) >= SHORT_BURST ? inBurst : (key.steady?.samples ?? []), clump);
}

/** How Remaining miscounts. `may-be`: too slowly, unless others' earlier requests came back just then. */
export type Miscount = 'too-fast' | 'too-slow' | 'may-be' | null;

/** Says when a miscount that `may-be` is none. */
export const MAY_BE_OTHERS = 'fell too slowly, unless requests from before the run came back just then';

/** Finds how Remaining miscounts; null if it counts all. */
export function miscountIn({ moves }: Pick<Moves, 'moves'>): Miscount {
  if (moves.some(isTooFast)) return 'too-fast';
  if (moves.some(isTooSlow)) return 'too-slow';
  return moves.some((move) => isTooSlow({ ...move, may: move.mayIfUnused })) ? 'may-be' : null;
}

/** Says which requests a fall counts twice: "about 1 in 10 requests". */
function twiceText({ fall, back }: Movement): string {
  const each = Math.round((fall + back.most) / -back.most);
  return each <= 1 ? 'each request' : `about 1 in ${count(each)} requests`;
}

/** Returns the violation by a movement that the requests do not explain. */
export function miscounted(name: string, move: Movement, isOfDay = false): Judgement {
  const { fall, elapsedMs } = move;
  const { least, most } = correctFall(move);
  const range = [...new Set([Math.max(0, least), most])].map(count).join(' to ');
  const how = isTooFast(move) ? `: it counts ${twiceText(move)} twice` : '';
  return violated(
    [],
    `${name}'s Remaining${isOfDay ? ' of the day' : ''} does not count its requests${how}.`,
    {
      expected: `X-RateLimit-Remaining to fall by ${range} in ${duration(elapsedMs)}`,
      actual: fall < 0 ? `it rose by ${count(-fall)}` : `it fell by ${count(fall)}`,
      measured: { most: fall < least ? least : most, got: fall, ...(isOfDay && { what: ['day'] }) },
    },
  );
}
