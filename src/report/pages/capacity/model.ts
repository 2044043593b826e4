import { sum } from '../../../base/kernel/format.js';
import { measuredIn } from '../../../loadkit/thresholds.js';
import { isWholeSecond, rateIn, sumOfCounts } from '../../../loadkit/figures.js';
import type { CapacityLog, CapacityPhaseRecord, SecondRecord } from '../../../log/capacity-record.js';

/** A point of a chart: its position in time, 0 to 1, and a value. */
export type Dot = readonly [share: number, value: number];

/** Most moments of a chart, more than a page is wide; longer runs merge neighbours. */
const MOST_MOMENTS = 900;

/** All positions are shares of the run's length. */
export function timelineOf({ scenario, seconds, phases }: CapacityLog) {
  const startAt = scenario.startAt;
  const until = Math.max(
    startAt + 1000,
    ...seconds.map(({ at }) => at),
    ...phases.map(({ finishedAt }) => finishedAt),
  );
  const share = (at: number): number => Math.min(1, Math.max(0, (at - startAt) / (until - startAt)));
  const step = Math.max(1, Math.ceil(seconds.length / MOST_MOMENTS));
  const moments = joined(seconds, step).map((second) => ({
    from: share(second.at - second.ms),
    to: share(second.at),
    second,
  }));
  return {
    startAt,
    lengthMs: until - startAt,
    bands: phases.map(({ phase, startedAt, finishedAt }) => ({
      name: phase,
      from: share(startedAt),
      to: share(finishedAt),
    })),
    moments,
    /** Points in the middle of each moment, or from its start to its end. */
    line: (value: (second: SecondRecord) => number) =>
      moments.map(({ from, to, second }): Dot => [(from + to) / 2, value(second)]),
    steps: (value: (second: SecondRecord) => number) =>
      moments.flatMap(({ from, to, second }): readonly Dot[] => [
        [from, value(second)],
        [to, value(second)],
      ]),
  };
}

export type Timeline = ReturnType<typeof timelineOf>;

/** Merges seconds of a phase in steps; pieces too short for a rate join the one before, or after. */
function joined(seconds: readonly SecondRecord[], step: number): readonly SecondRecord[] {
  const groups: [SecondRecord, ...SecondRecord[]][] = [];
  for (const second of seconds) {
    const last = groups.at(-1);
    const isShort = !isWholeSecond(second) || (last !== undefined && !last.some(isWholeSecond));
    if (last && last[0].phase === second.phase && (isShort || last.length < step)) last.push(second);
    else groups.push([second]);
  }
  return groups.map(asOne);
}

/** Merges seconds: counts are added, the worst latency kept, the generator's health taken over the whole time. */
function asOne(seconds: readonly [SecondRecord, ...SecondRecord[]]): SecondRecord {
  const last = seconds.at(-1) ?? seconds[0];
  if (seconds.length === 1) return last;
  const length = sum(seconds, ({ ms }) => ms);
  const mean = (of: (second: SecondRecord) => number): number =>
    sum(seconds, (second) => of(second) * second.ms) / Math.max(1, length);
  const most = (of: (second: SecondRecord) => number): number => Math.max(...seconds.map(of));
  return {
    ...last,
    ...sumOfCounts(seconds),
    ms: length,
    intended: sum(seconds, ({ intended }) => intended),
    dropped: sum(seconds, ({ dropped }) => dropped),
    p50: most(({ p50 }) => p50),
    p90: most(({ p90 }) => p90),
    p99: most(({ p99 }) => p99),
    max: most(({ max }) => max),
    busy: mean(({ busy }) => busy),
    cpu: mean(({ cpu }) => cpu),
    underWay: most(({ underWay }) => underWay),
    behind: seconds.some((second) => second.behind && isWholeSecond(second)),
  };
}

export const rateOf =
  (count: (second: SecondRecord) => number) =>
  (second: SecondRecord): number =>
    rateIn(second, count(second));

/** Kinds of responses as stacked bands, successful ones at the bottom. */
const BANDS: readonly (readonly [name: string, label: string, status: RegExp])[] = [
  ['success', '2xx', /^2/],
  ['refused', '429', /^429$/],
  ['other', 'other', /^(?!2|429|5|none)/],
  ['fault', '5xx', /^5/],
  ['none', 'no response', /^none$/],
];

/** Leaves out kinds that did not come. */
export const responseBands = ({ moments }: Timeline) =>
  BANDS.map(([name, label, status]) => {
    const responses = ({ byStatus }: SecondRecord): number =>
      sum(Object.entries(byStatus), ([code, count]) => (status.test(code) ? count : 0));
    return { name, label, values: moments.map(({ second }) => rateOf(responses)(second)) };
  }).filter(({ values }) => values.some((value) => value > 0));

/** Shares of a percentile plot: each step excludes fewer responses, down to one in 100,000. */
const NINES = 5;
const STEPS_A_NINE = 24;

/**
 * Returns the percentile curves of phases with successful responses: ms by number of nines (0 is all, 1 is 90
 * %, 2 is 99 %). As in the tables, quick errors do not lower them.
 */
export const percentileCurves = (phases: readonly CapacityPhaseRecord[]) =>
  latenciesOf(phases).map(({ name, answered, percentile }) => {
    // Beyond the number of responses, every percentile is the largest of them.
    const most = Math.min(NINES, Math.log10(answered.totalCount));
    const points = Array.from({ length: Math.floor(most * STEPS_A_NINE) + 1 }, (_, step) => {
      const nines = step / STEPS_A_NINE;
      const share = 100 * (1 - 10 ** -nines);
      return [nines, percentile(share) ?? 0] as const;
    });
    return { name, points };
  });

const latenciesOf = (phases: readonly CapacityPhaseRecord[]) =>
  phases
    .map((phase) => ({ phase, measured: measuredIn([phase], null) }))
    .map(({ phase, measured }) => ({
      name: phase.phase,
      answered: measured.answered(),
      percentile: measured.percentile,
    }))
    .filter(({ answered }) => answered.totalCount > 0);

/** Bins of a distribution, and resolution: a four-hundredth of a phase. */
export const BINS = 60;
const QUANTILES = 400;

/**
 * Returns the latency distributions of phases with successful responses: shares in bins of equal width on a
 * logarithmic scale, over one common range in ms. Pure.
 */
export function distributionsOf(phases: readonly CapacityPhaseRecord[]) {
  const all = latenciesOf(phases).map(({ name, answered }) => ({
    name,
    values: Array.from({ length: QUANTILES }, (_, at) =>
      Math.max(0.001, answered.getValueAtPercentile((100 * (at + 0.5)) / QUANTILES) / 1000),
    ),
  }));
  const values = all.flatMap((each) => each.values);
  const [low, high] = [Math.min(...values), Math.max(...values) * 1.001];
  const width = Math.log(Math.max(high / low, 1.1)) / BINS;
  return {
    range: [low, high] as const,
    distributions: all.map((each) => {
      const shares = Array.from({ length: BINS }, () => 0);
      for (const value of each.values) {
        const bin = Math.min(BINS - 1, Math.floor(Math.log(value / low) / width));
        shares[bin] = (shares[bin] ?? 0) + 1 / QUANTILES;
      }
      return { name: each.name, shares };
    }),
  };
}
