import type { HistoryRun } from '../../../acceptance/history.js';

/** How many of the newest runs are shown one by one. */
export const SHOWN_WHOLE = 30;

/** A column of a history: a run, or a week of older ones. */
export interface Column {
  /** The first day of the week, ISO date; null where the column is one run. */
  readonly week: string | null;
  /** Places of its runs among all of the target; never empty. */
  readonly places: readonly number[];
}

/** The last runs as a column each, what came before them a column a week. Pure. */
export function columnsOf(runs: readonly Pick<HistoryRun, 'startedAt'>[]): readonly Column[] {
  const folded = Math.max(0, runs.length - SHOWN_WHOLE);
  const weeks = new Map<string, number[]>();
  for (const [place, { startedAt }] of runs.slice(0, folded).entries()) {
    const week = mondayOf(startedAt);
    weeks.set(week, [...(weeks.get(week) ?? []), place]);
  }
  return [
    ...[...weeks].map(([week, places]) => ({ week, places })),
    ...runs.slice(folded).map((_, place) => ({ week: null, places: [folded + place] })),
  ];
}

/** The Monday of a moment's week in UTC, ISO date. */
export function mondayOf(moment: string): string {
  const day = new Date(moment);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}
