import { hasUncountable } from './headers/header-faults.js';
import type { ServerClock } from './clock.js';
import { servedBy, type ComesBack, type ServedBy } from './over-served.js';
import { overfullSpan, type Overfull } from './window-breach.js';
import { clumpOf, singlesIn } from './clumps.js';
import { minuteMs } from './bounds.js';
import { isSameWindow } from './reset-edges.js';
import { leftBy, type Sample } from './sample.js';
import { samplesOf } from './key-samples.js';
import type { KeySeries } from './series.js';
import { isTooFast, worstOf } from './movements.js';
import { costsIn } from './operation-costs.js';
import { countsEachOnce, useInPauses } from './silence.js';
import { operationUse, type OperationUse } from './operation-use.js';
import { otherUseIn, type OtherUse } from './other-use.js';
import { miscountIn, movesOf, type Miscount, type Moves } from './remaining-moves.js';

/**
 * What the samples of one key show, read once and in order. Every judge of a row of limits takes this and
 * nothing else: a judge reads samples, never the judgement of another row.
 */
export interface KeyReading {
  readonly key: KeySeries;
  /** The server's clock by all responses; null without any `Date`. */
  readonly clock: ServerClock | null;
  /** The other plans' keys of the run. */
  readonly others: readonly KeySeries[];
  /** The first burst, with earlier requests of its window. */
  readonly first: readonly Sample[];
  /** How the allowance comes back. */
  readonly comesBack: ComesBack;
  /** Places where Remaining shows that a single request came back. */
  readonly singles: number;
  /**
   * How the number of allowed requests is explained: of the first burst, then of each later one that goes one
   * by one.
   */
  readonly servedBy: readonly ServedBy[];
  /** More than any limiter of the plan allows, by all requests of the key; null without. */
  readonly overfull: Overfull | null;
  /** Which operations count against the limit. */
  readonly operations: OperationUse;
  /** True if a malformed header keeps Remaining from being counted. */
  readonly isMalformed: boolean;
  /** How Remaining moved over the first burst, or over the steady run of a strict pacer. */
  readonly moves: Moves;
  /** Use of the key by something else during the run; null without. */
  readonly otherUse: OtherUse | null;
  /** How Remaining miscounts; null if it counts, or if nothing shows it. */
  readonly miscount: Miscount;
}

/** Share of a fall of Remaining that is somebody else's: a server that counts a few requests twice adds less. */
const MUCH = 1 / 3;

/** Reads the samples of one key. */
export function readKey(key: KeySeries, clock: ServerClock | null, others: readonly KeySeries[]): KeyReading {
  const { figures } = key;
  const inBurst = key.burst?.samples ?? [];

  const first = withOwnBefore(inBurst, key);
  const bursts = [first, ...(key.window?.slice(1) ?? []), ...(key.fresh === null ? [] : [key.fresh.samples])];

  const singles = Math.max(0, ...bursts.map((samples) => singlesIn(samples, figures)));
  const clump = clumpOf(key);
  const comesBack = { clump, bySingles: singles > 0 };

  const isMalformed = hasUncountable(inBurst, figures, clock);
  const moves = movesOf(key, clump);
  const inPauses = useInPauses(key, samplesOf(key));
  const byMoves = (): OtherUse | null => otherUseIn(key, moves, costsIn(moves.samples, figures));
  // Somebody else who rests at the same times shows in no pause. A server that counts each request twice never
  // counts many once, and one that counts a few twice may by chance.
  const byRest = (): OtherUse | null => {
    const worst = worstOf(moves.moves.filter(isTooFast));
    const isMuch = worst !== undefined && -worst.back.most >= MUCH * worst.fall;
    return isMuch && countsEachOnce(key, samplesOf(key)) ? byMoves() : null;
  };
  const byPauses = inPauses === 'unknown' ? byMoves() : inPauses === 'nobody' ? byRest() : inPauses;
  const otherUse = isMalformed ? null : byPauses;
  // What others use makes Remaining fall faster, and never hides a request of our own.
  const miscount = moves.uncounted !== null ? 'too-slow' : otherUse === null ? miscountIn(moves) : null;
  return {
    key,
    clock,
    others,
    first,
    comesBack,
    singles,
    servedBy: bursts.map((samples) => servedBy(samples, figures, comesBack)),
    overfull: overfullSpan(samplesOf(key), figures),
    operations: operationUse(key),
    isMalformed,
    moves,
    otherUse,
    miscount: key.exclusive && !isMalformed ? miscount : null,
  };
}

/**
 * Adds to a burst the earlier requests of the run that may still count: all of the last window if its first
 * response counts one of them, else those with its Reset. It does not matter which of them count: more than
 * the plan in the time since they were sent is too much for every limiter. A limiter that holds one more than
 * the plan shows one fewer as used.
 */
function withOwnBefore(burst: readonly Sample[], { figures, earlier }: KeySeries): readonly Sample[] {
  const [first] = burst;
  const left = leftBy(first, figures);
  if (first === undefined || left === null) return burst;
  const since = first.sentAt - minuteMs(figures);
  const isUsed = left < figures.perMinute - 1;
  const own = earlier.filter(({ sentAt, answeredAt }) => sentAt > since && answeredAt <= first.sentAt);
  return [...own.filter((sample) => isUsed || isSameWindow(sample, first, figures)), ...burst];
}
