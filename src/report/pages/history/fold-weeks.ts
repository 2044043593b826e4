import type { HistoryRun } from '../../../acceptance/history.js';

/** Number of newest runs shown individually. */
export const SHOWN_WHOLE = 30;

/** A column of a history: a run, or a week of older runs. */
export interface Column {
  /** Monday of the week, ISO date; null for a single run. */
  readonly week: string | null;
  /** Positions of its runs among all of the target; never empty. */
  readonly places: readonly number[];
}

/** Returns columns: one per recent run, one per week before that. Pure. */
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

/** Returns the Monday of a time's week in UTC, ISO date. */
export function mondayOf(moment: string): string {
  const day = new Date(moment);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}
