import type { PlanFigures } from '../contract/plans.js';
import { arrivedBy, placed, type PlacedPhase } from '../scenario/schedule.js';
import type { Phase } from '../scenario/scenario.js';

/** How long the windows of the limits are, in seconds. */
export interface Windows {
  readonly minute: number;
  readonly day: number;
}

/** What a schedule spends of one key, against what its plan allows. */
export interface Spending {
  /** Arrivals of open loop in all. */
  readonly total: number;
  /** The most that any window of the minute's length holds. */
  readonly mostInWindow: number;
  /** How much of closed loop the plan leaves room for; by phase, in their order. Infinity where limits are not kept. */
  readonly closed: readonly number[];
  /** What the first window asks for, closed loop included: so much of the allowance has to be there when it begins. */
  readonly first: number;
  /** Why the plan does not allow it, as a sentence; null where it does. */
  readonly exceeds: string | null;
}

/** How many arrivals all open phases have had, so many ms after the beginning; with fractions. */
const arrivedInAll = (all: readonly PlacedPhase[], atMs: number): number =>
  all.reduce(
    (sum, { phase, startMs }) => sum + (phase.kind === 'open' ? arrivedBy(phase, (atMs - startMs) / 1000) : 0),
    0,
  );

/**
 * The most arrivals in any window that begins from `fromMs` on and no later than `toMs`. Between the edges of phases
 * what a window holds changes as a parabola at most: its peak is an edge, or where as much comes in as goes out.
 */
function mostIn(all: readonly PlacedPhase[], windowMs: number, fromMs: number, toMs: number): number {
  const held = (begin: number): number => arrivedInAll(all, begin + windowMs) - arrivedInAll(all, begin);
  const edges = all.flatMap(({ startMs, endMs }) => [startMs, endMs, startMs - windowMs, endMs - windowMs]);
  const begins = [...new Set([fromMs, toMs, ...edges])]
    .filter((begin) => begin >= fromMs && begin <= toMs)
    .toSorted((one, other) => one - other);
  const peaks = begins.flatMap((begin, at) => {
    const next = begins[at + 1];
    return next === undefined ? [] : [peakBetween(all, windowMs, begin, next)];
  });
  return Math.max(0, ...[...begins, ...peaks].map(held));
}

/** Where a window between two edges holds the most: the rates at its ends are lines, and it is where they cross. */
function peakBetween(all: readonly PlacedPhase[], windowMs: number, begin: number, next: number): number {
  const rise = (at: number): number => rateAt(all, at + windowMs) - rateAt(all, at);
  // Just inside, since rates jump at edges.
  const [near, far] = [begin + (next - begin) * 1e-6, next - (next - begin) * 1e-6];
  const [first, last] = [rise(near), rise(far)];
  return first > 0 && last < 0 ? near + ((far - near) * first) / (first - last) : begin;
}

function rateAt(all: readonly PlacedPhase[], atMs: number): number {
  const here = all.find(({ startMs, endMs }) => atMs >= startMs && atMs < endMs);
  if (here?.phase.kind !== 'open') return 0;
  const { from, to, seconds } = here.phase;
  return from + ((to - from) * (atMs - here.startMs)) / (seconds * 1000);
}

/**
 * What a schedule spends of each of several keys that take turns. A key's minute is held to any window of that length,
 * wherever it begins, because nobody knows where the server's does. Pure.
 * @param keys how many keys take turns
 * @param earlier requests with this key shortly before
 * @param overLimit whether the plan's limits are kept
 */
export function spendingOf(
  phases: readonly Phase[],
  given: {
    readonly plan: string;
    readonly figures: PlanFigures;
    readonly windows: Windows;
    readonly keys: number;
    readonly earlier: number;
    readonly overLimit: boolean;
  },
): Spending {
  const { plan, figures, windows, keys, earlier, overLimit } = given;
  const all = placed(phases);
  const windowMs = windows.minute * 1000;
  const endMs = all.at(-1)?.endMs ?? 0;
  const share = (arrivals: number): number => Math.ceil(arrivals / keys - 1e-6);
  const total = share(arrivedInAll(all, endMs));
  const most = (fromMs: number, toMs: number): number => share(mostIn(all, windowMs, fromMs, toMs));
  const mostInWindow = most(-windowMs, endMs);
  const closedPhases = all.filter(({ phase }) => phase.kind === 'closed');
  if (overLimit) return { total, mostInWindow, first: 0, closed: closedPhases.map(() => Infinity), exceeds: null };
  const dayLeft = figures.perDay - earlier - total;
  // What was sent earlier lies in the window that the run begins in.
  const inFirst = most(-windowMs, 0) + earlier;
  const window = `${windows.minute} s`;
  const exceeding = (exceeds: string): Spending => ({ total, mostInWindow, closed: [], first: 0, exceeds });
  if (mostInWindow > figures.perMinute || inFirst > figures.perMinute)
    return exceeding(
      `The schedule asks for ${Math.max(mostInWindow, inFirst)} requests within ${window} with the ${plan} key, and its plan allows ${figures.perMinute}.`,
    );
  if (dayLeft < 0)
    return exceeding(
      `The schedule asks for ${total + earlier} requests with the ${plan} key, and its plan allows ${figures.perDay} a day.`,
    );
  // Several closed phases may lie in one window: each gets its part.
  const closed = closedPhases.map(({ startMs, endMs: end }) => {
    const room = figures.perMinute - earlier - most(startMs - windowMs, end);
    return Math.max(0, Math.floor(Math.min(room, dayLeft) / closedPhases.length));
  });
  const empty = closed.findIndex((room) => room === 0);
  return {
    total,
    mostInWindow,
    closed,
    first: closed.reduce(
      (sum, room, at) => ((closedPhases[at]?.startMs ?? 0) < windowMs ? sum + room : sum),
      most(0, 0),
    ),
    exceeds:
      empty < 0
        ? null
        : `The plan of the ${plan} key leaves no request for the phase "${closedPhases[empty]?.phase.name}", which goes as fast as it can.`,
  };
}
