import type { ProfileMark } from '../../../log/record.js';
import type { RunLog } from '../../../log/run-log.js';
import type { Moment, RemainingSeen } from '../../../log/series.js';
import { grouped, sum } from '../../../base/kernel/format.js';
import { timeScale } from './time-scale.js';
import { keyNames, type KeyName } from '../../../base/interface/names.js';

/** Columns of a chart: about one per pixel of the widest plot, so the page does not grow with samples. */
export const COLUMNS = 720;

/** A point of a curve: column (0 to COLUMNS) and Remaining. */
export type Point = readonly [column: number, value: number];

export type Lane = 'served' | 'refused' | 'other';
/** Lanes from top to bottom. */
export const LANES: readonly Lane[] = ['served', 'refused', 'other'];

/** A mark with its time since the chart's start, in ms, and its position, 0 to 1. */
export interface PlacedMark extends Omit<ProfileMark, 'kind'> {
  readonly kind: ProfileMark['kind'] | 'violation';
  readonly offset: number;
  readonly share: number;
}

/** Profiles with separate charts: a day is too long for a minute's chart, and a ban is no window. */
export type Drawing = 'window' | 'day' | 'ban';

export const drawingOf = (profile: string): Drawing =>
  profile === 'ban' ? 'ban' : profile === 'day-quota' ? 'day' : 'window';

export const chartId = (drawing: Drawing, plan: string): string => `chart-${drawing}-${plan}`;

/** Width of a folded ban: this wait is itself the subject. */
const FOLDED_BAN = 0.4;

/** Smallest first. */
export const plansDrawn = ({ series, profiles }: RunLog, drawing: Drawing): readonly KeyName[] =>
  keyNames.filter((name) =>
    [...series, ...profiles].some(({ profile, plan }) => plan === name && drawingOf(profile) === drawing),
  );

/** Their size does not depend on the number of samples. */
export const chartsOf = (log: RunLog, drawing: Drawing): readonly WindowChart[] =>
  plansDrawn(log, drawing).map((plan) => chartOf(log, drawing, plan));

function chartOf(log: RunLog, drawing: Drawing, plan: KeyName) {
  const isShown = (one: { readonly profile: string; readonly plan: string }): boolean =>
    drawingOf(one.profile) === drawing && one.plan === plan;
  const profiles = log.profiles.filter(isShown);
  const moments = log.series.filter(isShown).flatMap((series) => series.moments);
  const marks = profiles.flatMap((profile) => profile.marks);
  // A chart spans its requests; the profiles where none were sent.
  const requests = moments.flatMap(({ sentAt, answeredAt }) => [sentAt, answeredAt]);
  const ends = profiles.flatMap(({ startedAt, finishedAt }) => [startedAt, finishedAt]);
  const known = Float64Array.from(requests.length > 0 ? requests : ends).sort();
  const from = known[0] ?? 0;
  const to = Math.max(known.at(-1) ?? 0, ...marks.flatMap(({ kind, at }) => (kind === 'window' ? [] : [at])));
  const events = [...requests, ...marks.map(({ at }) => at)].filter((at) => at >= from && at <= to);
  const time = timeScale(
    events.map((at) => at - from),
    Math.max(1, to - from),
    drawing === 'ban'
      ? { folded: FOLDED_BAN }
      : {
          parts:
            drawing === 'window'
              ? profiles.map(({ startedAt, finishedAt }) => [startedAt - from, finishedAt - from])
              : [],
        },
  );
  const column = (at: number): number => Math.min(COLUMNS - 1, Math.floor(time.at(at - from) * COLUMNS));
  const limit = mostCommonLimit(moments);
  const readings = moments
    .toSorted((one, other) => one.answeredAt - other.answeredAt)
    .flatMap(({ answeredAt: at, remaining: seen }) =>
      readingsOf(seen).map((remaining): Point => [column(at), remaining]),
    );
  // Most responses of a day report the minute, a flat line next to a day's allowance.
  const isOfMinute = limit !== null && drawing === 'day';
  const allowance = Math.max(limit ?? 0, ...(isOfMinute ? [] : profiles.map((one) => one.allowance)));
  return {
    id: chartId(drawing, plan),
    drawing,
    plan,
    profiles,
    /** Unix ms of the first request. */
    from,
    /** Each plan has its own scale: another plan's waits would take its width. */
    time,
    top: ceiling(readings, allowance),
    limit,
    remaining: envelope(readings),
    lanes: ofLanes((lane) => perColumn(moments.map((moment) => [column(moment.answeredAt), moment[lane]]))),
    /** Profiles with the middle of their share of the width. */
    names: profiles.map(({ profile, startedAt, finishedAt }) => ({
      profile,
      share: (time.at(startedAt - from) + time.at(finishedAt - from)) / 2,
    })),
    totals: ofLanes((lane) => sum(moments, (moment) => moment[lane])),
    marks: marks
      .map((mark): PlacedMark => ({ ...mark, offset: mark.at - from, share: time.at(mark.at - from) }))
      .sort((one, other) => one.at - other.at),
  };
}

export type WindowChart = Readonly<ReturnType<typeof chartOf>>;

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

/** Height limit of a chart, in allowances: a target that counts from 10^15 must not flatten the rest. */
const HEADROOM = 4;

function ceiling(readings: readonly Point[], allowance: number): number {
  const highest = readings.reduce((most, [, remaining]) => Math.max(most, remaining), allowance);
  return Math.max(1, allowance > 0 ? Math.min(highest, allowance * HEADROOM) : highest);
}

/**
 * Reduces a curve to at most four points per column: first, lowest, highest, last, in order. It looks the
 * same at that width.
 *
 * @param points by rising column
 */
export const envelope = (points: readonly Point[]): readonly Point[] =>
  [...grouped(points, ([column]) => column).values()].flatMap((all) => {
    const lowest = all.reduce((least, point) => (point[1] < least[1] ? point : least));
    const highest = all.reduce((most, point) => (point[1] > most[1] ? point : most));
    return all.filter(
      (point) => point === all[0] || point === lowest || point === highest || point === all.at(-1),
    );
  });

function perColumn(points: readonly Point[]): readonly Point[] {
  const amounts = new Map<number, number>();
  for (const [column, amount] of points)
    if (amount > 0) amounts.set(column, (amounts.get(column) ?? 0) + amount);
  return [...amounts].sort(([one], [other]) => one - other);
}

function mostCommonLimit(moments: readonly Moment[]): number | null {
  const answers = new Map<number, number>();
  for (const { limit, served, refused, other } of moments)
    if (limit !== null) answers.set(limit, (answers.get(limit) ?? 0) + served + refused + other);
  return [...answers].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}
