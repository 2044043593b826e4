import type { OperationName } from '../../base/interface/types.js';
import { violated, type Judgement } from '../findings/finding.js';
import { isTooFast, isTooSlow, mayBeTooSlow, movement, type Movement } from './remaining-movement.js';
import type { Clump } from './clumps.js';
import { plainInteger } from './headers/header-number.js';
import { count, counted, duration } from '../../base/kernel/format.js';
import type { KeySeries } from './series.js';
import { underWay, windowsSeen } from './windows-seen.js';
import { runsOf, servedIn, wasServed, type Sample } from './sample.js';

type Move = NonNullable<ReturnType<typeof movement>>;

/** How Remaining moved over some requests. */
export interface Moves {
  readonly samples: readonly Sample[];
  readonly moves: readonly Move[];
  /** Responses whose Remaining was counted. */
  readonly answers: number;
}

/** How Remaining miscounts. `may-be`: too slowly, unless others' earlier requests came back just then. */
export type Miscount = 'too-fast' | 'too-slow' | 'may-be' | null;

/** Shortest burst that shows counting. A strict pacer ends it immediately; then its steady run decides. */
const SHORT_BURST = 3;

/** Splits responses by Limit; those without one go with their neighbours. */
function sameLimit(samples: readonly Sample[]): readonly (readonly Sample[])[] {
  let known: number | null = null;
  const told = samples.map((sample) => ({ sample, limit: (known = plainInteger(sample.limit) ?? known) }));
  const runs = runsOf(told, (one, next) => one.limit === null || one.limit === next.limit);
  return runs.map((run) => run.map(({ sample }) => sample));
}

/** A run of responses, whole and split at its longest pause: a full bucket takes no refill in a pause. */
function partsOf(run: readonly Sample[]): readonly (readonly Sample[])[] {
  let [longest, at, answered] = [0, 0, -Infinity];
  for (const [index, { sentAt, answeredAt }] of run.entries()) {
    if (index > 0 && sentAt - answered > longest) [longest, at] = [sentAt - answered, index];
    answered = Math.max(answered, answeredAt);
  }
  return at === 0 ? [run] : [run, run.slice(0, at), run.slice(at)];
}

/**
 * Returns the moves of Remaining over a burst's windows and Limits; over the steady run if a pacer ends the burst early.
 * @param past all samples except the burst's
 */
export function movesOf(key: KeySeries, past: readonly Sample[], clump: Clump): Moves {
  const { figures, burst, steady } = key;
  const inBurst = burst?.samples ?? [];
  const enough = servedIn(inBurst) >= SHORT_BURST;
  const samples = enough ? inBurst : (steady?.samples ?? []);
  const judged = windowsSeen(samples, figures).pieces.flatMap(({ samples: all, slack }) => {
    // A request without a response may have counted or not.
    const lost = all.filter(({ status }) => status === 0).length;
    const runs = sameLimit(all.filter(wasServed));
    // When the headers switch to the other window, open requests may count on either side.
    const turnAt = (run: readonly Sample[] | undefined): number =>
      run?.[0] === undefined || run === runs[0] ? 0 : underWay(all, all.indexOf(run[0]));
    return runs.flatMap((run, index) => {
      const turned = turnAt(run) + turnAt(runs[index + 1]);
      return partsOf(run).flatMap((part, nth) => {
        const sooner = part[0] === undefined ? [] : run.slice(0, run.indexOf(part[0]));
        const move = movement(key, part, [...past, ...sooner], slack + turned + lost, clump);
        return move === null ? [] : [{ move, answers: nth === 0 ? move.requests : 0 }];
      });
    });
  });
  const answers = judged.reduce((sum, one) => sum + one.answers, 0);
  return { samples, moves: judged.map(({ move }) => move), answers };
}

/** Use of a key by something else than this run, as far as Remaining shows it. */
export interface OtherUse {
  readonly requests: number;
  readonly perSecond: number;
  /** True if it goes on through both halves of the requests. */
  readonly isEven: boolean;
}

/**
 * Finds use of the key by something else: Remaining fell by more than was sent, while the requests of a lone client do not
 * each cost more. Null without.
 * @param costs falls of Remaining at requests that directly follow another, none with a concurrent one
 */
export function otherUseIn({ samples, moves }: Moves, costs: readonly Cost[]): OtherUse | null {
  const most = moves.filter(isTooFast).toSorted((one, other) => excessOf(other) - excessOf(one))[0];
  if (most === undefined || costsMoreEachTime(costs)) return null;
  const lefts = samples.flatMap(({ remaining }) => plainInteger(remaining) ?? []);
  const half = Math.floor(lefts.length / 2);
  const fallOver = (from: number, to: number): number => (lefts[from] ?? 0) - (lefts[to] ?? 0) - (to - from);
  const isEven = fallOver(0, half) > 0 && fallOver(half, lefts.length - 1) > 0;
  const requests = excessOf(most);
  return { requests, perSecond: requests / (most.elapsedMs / 1000), isEven };
}

/** Words the use of a key by something else: "something else used this key: about 2.9 requests a second, evenly". */
export const otherUseText = ({ requests, perSecond, isEven }: OtherUse): string =>
  `something else used this key: about ${isEven ? `${decimal(perSecond)} requests a second, evenly` : counted(requests, 'request')}`;

const decimal = (value: number): string => String(Math.round(value * 10) / 10);

const excessOf = ({ fall, most }: Movement): number => fall - most;

/** Fall of Remaining at one request of an operation. */
export interface Cost {
  readonly operation: OperationName;
  readonly fall: number;
}

/** Fewest requests of an operation that show its cost: two alike may be chance. */
const LEAST_COSTS = 3;

/**
 * True if each request of some operation costs more than one, and either all requests cost the same or no other operation
 * costs more: a lone client proves that. Requests of others come at any time.
 */
export function costsMoreEachTime(costs: readonly Cost[]): boolean {
  const operations = [...new Set(costs.map(({ operation }) => operation))];
  return operations.some((operation) => {
    const own = costs.filter((cost) => cost.operation === operation);
    const others = costs.filter((cost) => cost.operation !== operation);
    const isAlways = own.length >= LEAST_COSTS && own.every(({ fall }) => fall > 1);
    const isSame = new Set(costs.map(({ fall }) => fall)).size === 1;
    return isAlways && (isSame || !others.some(({ fall }) => fall > 1));
  });
}

/** Finds how Remaining miscounts; null if it counts all. */
export function miscountIn({ moves }: Moves): Miscount {
  if (moves.some(isTooFast)) return 'too-fast';
  if (moves.some(isTooSlow)) return 'too-slow';
  return moves.some(mayBeTooSlow) ? 'may-be' : null;
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
