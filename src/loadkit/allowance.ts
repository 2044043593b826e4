import { sum } from '../base/kernel/format.js';
import type { PlanFigures } from '../base/interface/plans.js';
import { arrivedBy, placed, type PlacedPhase } from '../wire/scenario/schedule.js';
import { ONE_EACH, type PerArrival } from '../wire/scenario/journey.js';
import type { Phase } from '../wire/scenario/scenario.js';
import type { Target } from '../wire/targets/target.js';

/** Arrivals of all open phases until a time after the start, with fractions. */
const arrivedInAll = (all: readonly PlacedPhase[], atMs: number): number =>
  sum(all, ({ phase, startMs }) => (phase.kind === 'open' ? arrivedBy(phase, (atMs - startMs) / 1000) : 0));

/**
 * Most arrivals in any window that begins between `fromMs` and `toMs`. Between edges of phases the number
 * follows at most a parabola. Its peak is an edge, or the vertex, which three points show.
 */
function mostIn(all: readonly PlacedPhase[], windowMs: number, fromMs: number, toMs: number): number {
  const held = (begin: number): number => arrivedInAll(all, begin + windowMs) - arrivedInAll(all, begin);
  const edges = all.flatMap(({ startMs, endMs }) => [startMs, endMs, startMs - windowMs, endMs - windowMs]);
  const begins = [...new Set([fromMs, toMs, ...edges])]
    .filter((begin) => begin >= fromMs && begin <= toMs)
    .toSorted((one, other) => one - other);
  const peaks = begins.flatMap((begin, at) => {
    const next = begins[at + 1] ?? begin;
    const middle = (begin + next) / 2;
    const [first, second, third] = [held(begin), held(middle), held(next)];
    const vertex = middle + ((next - begin) * (first - third)) / (4 * (first - 2 * second + third));
    return vertex > begin && vertex < next ? [vertex] : [];
  });
  return Math.max(0, ...[...begins, ...peaks].map(held));
}

/**
 * Share of a closed phase's room that has to be left at the start. A closed loop sends what the plan leaves,
 * so a key that was used a little is no reason to wait for the next window.
 */
const LEAST_ROOM = 0.5;

/**
 * Returns the room of a closed phase, given how much of the key's minute was really used at the start.
 *
 * @param used requests of the key's minute at the start, of which the plan knew `spending.earlier`
 */
export function closedRoom(
  { closed, earlier }: Spending,
  { phase, startMs }: PlacedPhase,
  used: number,
  windowMs: number,
): number {
  const planned = closed.get(phase.name) ?? 0;
  if (planned === Infinity || startMs >= windowMs) return planned;
  return Math.max(0, planned - Math.ceil(Math.max(0, used - earlier) / closed.size));
}

/** Requests that a schedule sends with one key, compared with its plan. */
export type Spending = ReturnType<typeof spendingOf>;

/**
 * Computes what a schedule sends with each of several keys in turn. It checks any window of a minute,
 * wherever it begins, since the server's windows are unknown. Pure.
 *
 * @param keys number of keys in turn
 * @param earlier requests with this key shortly before
 * @param overLimit whether the plan's limits apply
 */
export function spendingOf(
  phases: readonly Phase[],
  given: {
    readonly plan: string;
    readonly figures: PlanFigures;
    readonly windows: Target['windows'];
    readonly keys: number;
    readonly earlier: number;
    readonly overLimit: boolean;
    /** Requests for an arrival; one each if absent. */
    readonly perArrival?: PerArrival;
  },
) {
  const { plan, figures, windows, keys, earlier, overLimit, perArrival = ONE_EACH } = given;
  const all = placed(phases);
  const windowMs = windows.minute * 1000;
  const endMs = all.at(-1)?.endMs ?? 0;
  const share = (arrivals: number): number =>
    arrivals <= 0 ? 0 : Math.ceil((arrivals / keys) * perArrival.mean + perArrival.more - 1e-6);
  const total = share(arrivedInAll(all, endMs));
  const most = (fromMs: number, toMs: number): number =>
    share(mostIn(all, windowMs + perArrival.lastsMs, fromMs - perArrival.lastsMs, toMs));
  const mostInWindow = most(-windowMs, endMs);
  const closedPhases = all.filter(({ phase }) => phase.kind === 'closed');
  const spending = {
    /** Open-loop arrivals in total. */
    total,
    /** Most requests in any window of the minute's length. */
    mostInWindow,
    /** Room for each closed phase, by name. Infinity if limits do not apply. */
    closed: new Map(closedPhases.map(({ phase }) => [phase.name, Infinity])),
    /** Requests with this key before the start that the plan allows for. */
    earlier,
    /** Requests of the first window, with half of closed loop's room: that much must be left at the start. */
    first: 0,
    /** Sentence that says why the plan does not allow it; null if it does. */
    exceeds: null as string | null,
  };
  if (overLimit) return spending;
  const dayLeft = figures.perDay - earlier - total;
  // Earlier requests are in the window in which the run begins.
  const inFirst = most(-windowMs, 0) + earlier;
  const window = `${windows.minute} s`;
  const exceeding = (exceeds: string) => ({ ...spending, closed: new Map<string, number>(), exceeds });
  const before = earlier === 0 ? '' : `, and up to ${earlier} go before it`;
  const sends = (requests: number, more: string): string =>
    `The schedule sends ${requests} requests within ${window} with the ${plan} key${more}, ` +
    `but its plan allows ${figures.perMinute}.`;
  if (mostInWindow > figures.perMinute) return exceeding(sends(mostInWindow, ''));
  if (inFirst > figures.perMinute) return exceeding(sends(inFirst - earlier, before));
  if (dayLeft < 0)
    return exceeding(
      `The schedule sends ${total} requests with the ${plan} key${before}, but its plan allows ${figures.perDay} a day.`,
    );
  // Several closed phases may be in one window: each gets a part.
  const rooms = closedPhases.map(({ phase, startMs, endMs: end }) => {
    const room = figures.perMinute - earlier - most(startMs - windowMs, end);
    return {
      name: phase.name,
      startMs,
      room: Math.max(0, Math.floor(Math.min(room, dayLeft) / closedPhases.length)),
    };
  });
  const empty = rooms.find(({ room }) => room === 0);
  return {
    ...spending,
    closed: new Map(rooms.map(({ name, room }) => [name, room])),
    first:
      most(0, 0) + sum(rooms, ({ startMs, room }) => (startMs < windowMs ? Math.ceil(room * LEAST_ROOM) : 0)),
    exceeds: empty ? `The ${plan} plan leaves no request for the closed-loop phase "${empty.name}".` : null,
  };
}
