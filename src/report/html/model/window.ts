import type { ProfileMark, ProfileSummary } from '../../../log/record.js';
import type { RunLog } from '../../../log/run-log.js';
import type { Sample } from '../../../limits/sample.js';
import { grouped } from '../../wording/grouped.js';
import { FOLDED, timeScale } from './time-scale.js';
import type { TimeScale } from './time-scale.js';

/** Columns of a chart: about one for every pixel of the widest plot, so that more samples add nothing to the page. */
export const COLUMNS = 720;

/** A point of a curve: column (0 to COLUMNS) and Remaining. */
export type Point = readonly [column: number, value: number];

/** What an answer was, as the chart tells it. */
export type Lane = 'served' | 'refused' | 'other';
/** From the top of the chart down. */
export const LANES: readonly Lane[] = ['served', 'refused', 'other'];

/** A mark with the time since the chart's beginning, in ms, and its place, 0 to 1. */
export interface PlacedMark extends ProfileMark {
  readonly offset: number;
  readonly share: number;
}

/** One plan's window, aggregated for drawing: its size does not depend on the number of samples. */
export interface WindowChart {
  readonly plan: string;
  readonly profiles: readonly ProfileSummary[];
  /** Unix ms of the first request. */
  readonly from: number;
  /** The plan's own: another plan's waits would take the width that this one needs. */
  readonly time: TimeScale;
  /** Highest Remaining or Limit seen, within reason. */
  readonly top: number;
  /** Limit as most answers gave it; null when none did. */
  readonly limit: number | null;
  readonly remaining: readonly Point[];
  /** Answers per column and lane, empty columns left out. */
  readonly lanes: Readonly<Record<Lane, readonly Point[]>>;
  readonly totals: Readonly<Record<Lane, number>>;
  readonly marks: readonly PlacedMark[];
}

/** Profiles that have a drawing of their own: a day does not fit beside a minute, and a ban is no window. */
type Drawing = 'window' | 'day' | 'ban';

/** Which drawing a profile belongs to. */
const drawingOf = (profile: string): Drawing =>
  profile === 'ban' ? 'ban' : profile === 'day-quota' ? 'day' : 'window';

/** Smallest plan first, as the interface lists them; the key that was given up last. */
export const PLAN_ORDER: readonly string[] = ['free', 'pro', 'business', 'enterprise', 'sacrificial'];

/** A ban is the one wait that is itself the thing to see. */
const FOLDED_BAN = 0.4;

/** The charts of one drawing, one a plan. */
export function chartsOf(log: RunLog, drawing: Drawing): readonly WindowChart[] {
  const series = grouped(
    log.series.filter(({ profile }) => drawingOf(profile) === drawing),
    ({ plan }) => plan,
  );
  const profiles = grouped<string, ProfileSummary>(
    log.profiles.filter(({ profile }) => drawingOf(profile) === drawing),
    ({ plan }) => plan,
  );
  const plans = [...new Set([...series.keys(), ...profiles.keys()])].sort(
    (one, other) => PLAN_ORDER.indexOf(one) - PLAN_ORDER.indexOf(other),
  );
  return plans.map((plan) => {
    const input = {
      plan,
      profiles: profiles.get(plan) ?? [],
      samples: (series.get(plan) ?? []).flatMap(({ samples }) => samples),
    };
    const { from, to } = extent(input.samples, input.profiles);
    const span = Math.max(1, to - from);
    return chartOf(input, from, timeScale(events(input, from, span), span, drawing === 'ban' ? FOLDED_BAN : FOLDED));
  });
}

/** All moments at which something happened, since the beginning of the chart and within it. */
function* events({ samples, profiles }: ChartInput, from: number, span: number): Generator<number> {
  for (const { sentAt, answeredAt } of samples) {
    yield sentAt - from;
    yield answeredAt - from;
  }
  for (const { marks } of profiles) for (const { at } of marks) if (at >= from && at <= from + span) yield at - from;
}

interface ChartInput {
  readonly plan: string;
  readonly profiles: readonly ProfileSummary[];
  readonly samples: readonly Sample[];
}

/** First and last moment of the samples; of the profiles where there are none. */
function extent(samples: readonly Sample[], profiles: readonly ProfileSummary[]): { from: number; to: number } {
  let from = Infinity;
  let to = -Infinity;
  for (const sample of samples) {
    from = Math.min(from, sample.sentAt);
    to = Math.max(to, sample.answeredAt);
  }
  if (from > to)
    for (const profile of profiles) {
      from = Math.min(from, profile.startedAt);
      to = Math.max(to, profile.finishedAt);
    }
  for (const mark of profiles.flatMap(({ marks }) => marks)) if (mark.kind !== 'window') to = Math.max(to, mark.at);
  return from > to ? { from: 0, to: 0 } : { from, to };
}

function chartOf({ plan, profiles, samples }: ChartInput, from: number, time: TimeScale): WindowChart {
  const column = (at: number): number => Math.min(COLUMNS - 1, Math.floor(time.at(at - from) * COLUMNS));
  const limit = mostCommon(samples.map((sample) => sample.limit).filter((value) => typeof value === 'number'));
  const readings = samples
    .flatMap(({ answeredAt, remaining }) => (typeof remaining === 'number' ? [{ at: answeredAt, remaining }] : []))
    .sort((one, other) => one.at - other.at);
  const allowance = Math.max(limit ?? 0, ...profiles.map((profile) => profile.allowance));
  const laneOf = grouped(samples, ({ status }) => lane(status));
  const lanes = Object.fromEntries(
    LANES.map((name) => [name, perColumn((laneOf.get(name) ?? []).map(({ answeredAt }) => column(answeredAt)))]),
  ) as Record<Lane, readonly Point[]>;
  return {
    plan,
    profiles,
    from,
    time,
    top: ceiling(readings, allowance),
    limit,
    remaining: envelope(readings.map(({ at, remaining }) => [column(at), remaining])),
    lanes,
    totals: Object.fromEntries(LANES.map((name) => [name, laneOf.get(name)?.length ?? 0])) as Record<Lane, number>,
    marks: profiles
      .flatMap(({ marks }) => marks)
      .map((mark) => ({ ...mark, offset: mark.at - from, share: time.at(mark.at - from) }))
      .sort((one, other) => one.at - other.at),
  };
}

const lane = (status: number): Lane =>
  status >= 200 && status < 300 ? 'served' : status === 429 ? 'refused' : 'other';

/** How far above the allowance a chart reaches: a target that counts from 10^15 must not flatten everything else. */
const HEADROOM = 4;

function ceiling(readings: readonly { readonly remaining: number }[], allowance: number): number {
  let highest = allowance;
  for (const { remaining } of readings) highest = Math.max(highest, remaining);
  return Math.max(1, allowance > 0 ? Math.min(highest, allowance * HEADROOM) : highest);
}

/**
 * A curve thinned to at most four points a column: first, lowest, highest, last, in the order in which they came.
 * Drawn at that width it looks the same as with every point.
 * @param points by rising column
 */
export function envelope(points: readonly Point[]): readonly Point[] {
  const thinned: Point[] = [];
  for (let start = 0, end = 0; start < points.length; start = end) {
    const at = points[start]?.[0];
    let lowest = start;
    let highest = start;
    for (end = start; end < points.length && points[end]?.[0] === at; end += 1) {
      if (value(points, end) < value(points, lowest)) lowest = end;
      if (value(points, end) > value(points, highest)) highest = end;
    }
    for (const index of [...new Set([start, lowest, highest, end - 1])].sort((one, other) => one - other)) {
      const point = points[index];
      if (point) thinned.push(point);
    }
  }
  return thinned;
}

const value = (points: readonly Point[], index: number): number => points[index]?.[1] ?? 0;

const perColumn = (columns: readonly number[]): readonly Point[] =>
  [...grouped(columns, (column) => column)]
    .map(([column, members]): Point => [column, members.length])
    .sort(([one], [other]) => one - other);

function mostCommon(values: readonly number[]): number | null {
  const groups = [...grouped(values, (value) => value)];
  return groups.sort(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? null;
}
