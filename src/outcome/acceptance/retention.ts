export interface StoredRun {
  readonly folder: string;
  /** Runs of one target count together; load runs separately. */
  readonly series: string;
  /** ISO. */
  readonly startedAt: string;
  /** Reason to keep it at any age; null without one. */
  readonly spared: string | null;
}

/**
 * Keeps the newest runs of every series, and spared ones. Returns old runs to delete and to keep, oldest
 * first. Pure.
 */
export function retentionOf(runs: readonly StoredRun[], keep: number) {
  const series = [...new Set(runs.map((run) => run.series))];
  const old = series.flatMap((name) =>
    runs
      .filter((run) => run.series === name)
      .toSorted(byStart)
      .slice(0, -keep),
  );
  const sorted = old.toSorted(byStart);
  return {
    removed: sorted.filter(({ spared }) => spared === null),
    spared: sorted.filter(({ spared }) => spared !== null),
  };
}

type Started = Pick<StoredRun, 'startedAt' | 'folder'>;

export const byStart = (a: Started, b: Started): number =>
  Date.parse(a.startedAt) - Date.parse(b.startedAt) || a.folder.localeCompare(b.folder);
