import { decoded, sumOf } from '../../../capacity/histogram.js';
import type { CapacityLog, CapacityPhaseRecord, SecondRecord } from '../../../log/capacity-record.js';

/** A moment of a drawing: its place in time, 0 to 1, and a value. */
export type Dot = readonly [share: number, value: number];

/** A stretch of a drawing that a phase takes. */
export interface Band {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** A load run as drawings need it: everything in shares of its length. */
export interface Timeline {
  readonly lengthMs: number;
  readonly bands: readonly Band[];
  readonly line: (value: (second: SecondRecord) => number) => readonly Dot[];
}

/** More than a page is wide, in seconds of a run: neighbours become one, by what was worst in them. */
const MOST_DOTS = 900;

/** Seconds shorter than this are what a phase's end left over; their rates would say more than they know. */
const LEAST_MS = 250;

/** The times of a run. Pure. */
export function timelineOf({ scenario, seconds, phases }: CapacityLog): Timeline {
  const from = scenario.startAt;
  const until = Math.max(from + 1000, ...seconds.map(({ at }) => at), ...phases.map(({ finishedAt }) => finishedAt));
  const share = (at: number): number => Math.min(1, Math.max(0, (at - from) / (until - from)));
  const shown = seconds.filter(({ ms }) => ms >= LEAST_MS);
  const step = Math.max(1, Math.ceil(shown.length / MOST_DOTS));
  return {
    lengthMs: until - from,
    bands: phases.map(({ phase, startedAt, finishedAt }) => ({
      name: phase,
      from: share(startedAt),
      to: share(finishedAt),
    })),
    line: (value) =>
      Array.from({ length: Math.ceil(shown.length / step) }, (_, group): Dot => {
        const some = shown.slice(group * step, (group + 1) * step);
        const middle = some[Math.floor(some.length / 2)];
        return [middle ? share(middle.at - middle.ms / 2) : 0, Math.max(...some.map(value))];
      }),
  };
}

/** What came in a second, as a rate. */
export const rateOf =
  (count: (second: SecondRecord) => number) =>
  (second: SecondRecord): number =>
    (count(second) * 1000) / Math.max(1, second.ms);

/** The shares that a percentile plot is drawn at: each step leaves a little more of the answers out, down to one in 100,000. */
const NINES = 5;
const STEPS_A_NINE = 24;

/** A phase's latencies by the share of answers that were as quick. */
export interface PercentileCurve {
  readonly name: string;
  /** How many nines (0 is all, 1 is 90 %, 2 is 99 %), and ms. */
  readonly points: readonly (readonly [nines: number, ms: number])[];
}

/** The percentile curves of the phases that had answers. */
export const percentileCurves = (phases: readonly CapacityPhaseRecord[]): readonly PercentileCurve[] =>
  phases.flatMap(({ phase, operations }) => {
    const latency = sumOf(operations.map((operation) => decoded(operation.latency)));
    if (latency.totalCount === 0) return [];
    // Beyond its number of answers a percentile is the largest of them again and again.
    const most = Math.min(NINES, Math.log10(latency.totalCount));
    const points = Array.from({ length: Math.floor(most * STEPS_A_NINE) + 1 }, (_, step) => {
      const nines = step / STEPS_A_NINE;
      return [nines, latency.getValueAtPercentile(100 * (1 - 10 ** -nines)) / 1000] as const;
    });
    return [{ name: phase, points }];
  });
