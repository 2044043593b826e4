import type { ProfileSummary } from '../../../log/record.js';
import type { Moment, Series } from '../../../log/series.js';
import { hasOutcome } from '../../../outcome/words/required-count.js';
import type { RunLog } from '../../../log/run-log.js';
import type { RowView } from '../../rows/row-view.js';
import { chartsOfRow } from './row-charts.js';
import type { PlacedMark, WindowChart } from './window.js';
import type { ProfileName } from '../../../base/interface/names.js';

/**
 * Returns the violated requirements of a chart, in the order of the interface; `at` is null without a single
 * time.
 */
export const drawnViolations = (chart: WindowChart, log: RunLog, rows: readonly RowView[]) =>
  rows
    .filter((row) => hasOutcome(row, 'failed') && chartsOfRow(row, log).some(({ id }) => id === chart.id))
    .flatMap((row) => {
      const judge = row.requirement?.judgedBy;
      const names: readonly ProfileName[] = judge?.kind === 'load' ? judge.profiles : [];
      const shown = chart.profiles
        .filter(({ profile }) => names.includes(profile))
        .map((profile) => ({
          profile,
          at: PLACES[row.id]?.(momentsOf(profile, log.series), profile) ?? null,
        }));
      const best = shown.find(({ at }) => at !== null) ?? shown[0];
      const own = row.findings.find(({ plan }) => plan === chart.plan) ?? row.findings[0];
      return best ? [{ id: row.id, message: own?.message ?? row.statement, ...best }] : [];
    });

export type DrawnViolation = ReturnType<typeof drawnViolations>[number];

export function withViolations(chart: WindowChart, violations: readonly DrawnViolation[]): WindowChart {
  const marks = violations.flatMap(({ id, message, at }): PlacedMark[] => {
    if (at === null) return [];
    const offset = at - chart.from;
    return [{ kind: 'violation', at, text: `${id}: ${message}`, offset, share: chart.time.at(offset) }];
  });
  return { ...chart, marks: [...chart.marks, ...marks].toSorted((one, other) => one.at - other.at) };
}

const momentsOf = ({ profile, plan, startedAt, finishedAt }: ProfileSummary, series: readonly Series[]) =>
  series
    .filter((one) => one.profile === profile && one.plan === plan)
    .flatMap(({ moments }) => moments)
    .filter(({ sentAt }) => sentAt >= startedAt && sentAt <= finishedAt)
    .toSorted((one, other) => one.answeredAt - other.answeredAt);

/** Finds the first response of a profile that shows a violation, Unix ms. */
type Place = (moments: readonly Moment[], profile: ProfileSummary) => number | undefined;

const beyond: Place = (moments, { allowance }) => {
  let served = 0;
  return moments.find((moment) => (served += moment.served) > allowance)?.answeredAt;
};

/** Past the first window of the steady run, which may hold what the burst left. */
const lateRefusal: Place = (moments, { startedAt, finishedAt }) =>
  moments.find(({ sentAt, refused }) => refused > 0 && sentAt > (startedAt + finishedAt) / 2)?.answeredAt;

const firstWith =
  (isWrong: (moment: Moment, allowance: number, before: Moment | undefined) => boolean): Place =>
  (moments, { allowance }) =>
    moments.find((moment, index) => isWrong(moment, allowance, moments[index - 1]))?.answeredAt;

const markOf =
  (wanted: PlacedMark['kind']): Place =>
  (_, { marks }) =>
    marks.find(({ kind }) => kind === wanted)?.at;

const unread = firstWith(({ limit, remaining }) => limit === null || remaining === null);

/** By requirement; others have no single time. */
const PLACES: Readonly<Record<string, Place>> = {
  'rate-429': beyond,
  'rate-concurrent': markOf('at-once'),
  'rate-window': (moments, profile) =>
    profile.profile === 'recovery' ? beyond(moments, profile) : undefined,
  'rate-headers-present': unread,
  'rate-headers-wellformed': unread,
  'rate-limit-value': firstWith(({ limit }, allowance) => limit !== null && limit !== allowance),
  // More than Remaining said, or a refusal although it said some.
  'rate-remaining-counts': firstWith(
    ({ served, refused }, _, before) =>
      (served > 0 && before?.remaining?.last === 0) || (refused > 0 && (before?.remaining?.last ?? 0) > 1),
  ),
  'rate-not-early': lateRefusal,
  'rate-retry-after-present': markOf('first-refusal'),
  'rate-429-error-body': markOf('first-refusal'),
  'rate-retry-after-honoured': markOf('retry-after'),
  'rate-reset-truthful': markOf('reset'),
};
