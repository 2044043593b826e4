import type { ProfileMark, ProfileSummary } from '../../../log/record.js';
import type { RunLog } from '../../../log/run-log.js';
import type { Moment, RemainingSeen } from '../../../log/series.js';
import { FOLDED, timeScale, type TimeScale } from './time-scale.js';
import { keyNames, type KeyName } from '../../../contract/names.js';
import { grouped } from '../../../format/format.js';

/** Columns of a chart: about one for every pixel of the widest plot, so that more samples add nothing to the page. */
export const COLUMNS = 720;

/** A point of a curve: column (0 to COLUMNS) and Remaining. */
export type Point = readonly [column: number, value: number];

/** What an answer was, as the chart tells it. */
export type Lane = 'served' | 'refused' | 'other';
/** From the top of the chart down. */
export const LANES: readonly Lane[] = ['served', 'refused', 'other'];

/** A mark with the time since the chart's beginning, in ms, and its place, 0 to 1. */
export interface PlacedMark extends Omit<ProfileMark, 'kind'> {
  readonly kind: ProfileMark['kind'] | 'violation';
  readonly offset: number;
  readonly share: number;
}

/** One plan's window, aggregated for drawing: its size does not depend on the number of samples. */
export interface WindowChart {
  readonly plan: KeyName;
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
export type Drawing = 'window' | 'day' | 'ban';

/** Which drawing a profile belongs to. */
export const drawingOf = (profile: string): Drawing =>
  profile === 'ban' ? 'ban' : profile === 'day-quota' ? 'day' : 'window';

/** Where on the page a plan's drawing stands. */
export const chartId = (drawing: Drawing, plan: string): string => `chart-${drawing}-${plan}`;

/** Smallest plan first, as the interface lists them; the key that was given up last. */
export const PLAN_ORDER: readonly KeyName[] = keyNames;

/** A ban is the one wait that is itself the thing to see. */
const FOLDED_BAN = 0.4;

/** The plans that have a drawing of a kind, smallest first. */
export const plansDrawn = ({ series, profiles }: RunLog, drawing: Drawing): readonly KeyName[] =>
  [
    ...new Set([...series, ...profiles].flatMap(({ profile, plan }) => (drawingOf(profile) === drawing ? [plan] : []))),
  ].sort((one, other) => PLAN_ORDER.indexOf(one) - PLAN_ORDER.indexOf(other));

/** The charts of one drawing, one a plan. */
export function chartsOf(log: RunLog, drawing: Drawing): readonly WindowChart[] {
  const series = grouped(
    log.series.filter(({ profile }) => drawingOf(profile) === drawing),
    ({ plan }) => plan,
  );
  const profiles = grouped<KeyName, ProfileSummary>(
    log.profiles.filter(({ profile }) => drawingOf(profile) === drawing),
    ({ plan }) => plan,
  );
  return plansDrawn(log, drawing).map((plan) => {
    const input = {
      plan,
      profiles: profiles.get(plan) ?? [],
      moments: (series.get(plan) ?? []).flatMap(({ moments }) => moments),
      isDay: drawing === 'day',
    };
    const { from, to } = extent(input.moments, input.profiles);
    const span = Math.max(1, to - from);
    return chartOf(input, from, timeScale(events(input, from, span), span, drawing === 'ban' ? FOLDED_BAN : FOLDED));
  });
}

/** All moments at which something happened, since the beginning of the chart and within it. */
function* events({ moments, profiles }: ChartInput, from: number, span: number): Generator<number> {
  for (const { sentAt, answeredAt } of moments) {
    yield sentAt - from;
    yield answeredAt - from;
  }
  for (const { marks } of profiles) for (const { at } of marks) if (at >= from && at <= from + span) yield at - from;
}

interface ChartInput {
  readonly plan: KeyName;
  readonly profiles: readonly ProfileSummary[];
  readonly moments: readonly Moment[];
  /** Most answers of a day speak of the minute, which beside a day's allowance is a flat line. */
  readonly isDay: boolean;
}

/** Beginning and end of what was sent; of the profiles where nothing was. */
function extent(moments: readonly Moment[], profiles: readonly ProfileSummary[]): { from: number; to: number } {
  let from = Infinity;
  let to = -Infinity;
  for (const moment of moments) {
    from = Math.min(from, moment.sentAt);
    to = Math.max(to, moment.answeredAt);
  }
  if (from > to)
    for (const profile of profiles) {
      from = Math.min(from, profile.startedAt);
      to = Math.max(to, profile.finishedAt);
    }
  for (const mark of profiles.flatMap(({ marks }) => marks)) if (mark.kind !== 'window') to = Math.max(to, mark.at);
  return from > to ? { from: 0, to: 0 } : { from, to };
}

function chartOf({ plan, profiles, moments, isDay }: ChartInput, from: number, time: TimeScale): WindowChart {
  const column = (at: number): number => Math.min(COLUMNS - 1, Math.floor(time.at(at - from) * COLUMNS));
  const limit = mostCommonLimit(moments);
  const readings = [...moments]
    .sort((one, other) => one.answeredAt - other.answeredAt)
    .flatMap(({ answeredAt: at, remaining: seen }) => readingsOf(seen).map((remaining) => ({ at, remaining })));
  const allowance = Math.max(limit ?? 0, ...(limit !== null && isDay ? [] : profiles.map((one) => one.allowance)));
  const laneOf = (lane: Lane): readonly Point[] =>
    perColumn(moments.map((moment) => [column(moment.answeredAt), moment[lane]]));
  return {
    plan,
    profiles,
    from,
    time,
    top: ceiling(readings, allowance),
    limit,
    remaining: envelope(readings.map(({ at, remaining }) => [column(at), remaining])),
    lanes: ofLanes(laneOf),
    totals: ofLanes((lane) => moments.reduce((sum, moment) => sum + moment[lane], 0)),
    marks: profiles
      .flatMap(({ marks }) => marks)
      .map((mark) => ({ ...mark, offset: mark.at - from, share: time.at(mark.at - from) }))
      .sort((one, other) => one.at - other.at),
  };
}

/** What a moment adds to the curve. */
function readingsOf(seen: RemainingSeen | null): readonly number[] {
  if (seen === null) return [];
  const { first, lowest, highest, last } = seen;
  return lowest === highest ? [first] : [first, lowest, highest, last];
}

const ofLanes = <Value>(valueOf: (lane: Lane) => Value): Readonly<Record<Lane, Value>> => ({
  served: valueOf('served'),
  refused: valueOf('refused'),
  other: valueOf('other'),
});

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

/** Amounts by column, rising; columns of nothing left out. */
function perColumn(points: readonly Point[]): readonly Point[] {
  const amounts = new Map<number, number>();
  for (const [column, amount] of points) if (amount > 0) amounts.set(column, (amounts.get(column) ?? 0) + amount);
  return [...amounts].sort(([one], [other]) => one - other);
}

function mostCommonLimit(moments: readonly Moment[]): number | null {
  const answers = new Map<number, number>();
  for (const { limit, served, refused, other } of moments)
    if (limit !== null) answers.set(limit, (answers.get(limit) ?? 0) + served + refused + other);
  return [...answers].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}
