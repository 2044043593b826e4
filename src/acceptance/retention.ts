/** A run's folder, as far as it matters for how long it is kept. */
export interface StoredRun {
  readonly folder: string;
  /** Runs of one target are counted together; load runs apart. */
  readonly series: string;
  /** ISO. */
  readonly startedAt: string;
  /** Why it stays however old it is; null where nothing speaks for it. */
  readonly spared: string | null;
}

/** What goes, and what is old enough to go and stays. Oldest first. */
export interface Retention {
  readonly removed: readonly StoredRun[];
  readonly spared: readonly StoredRun[];
}

/** Keeps the newest runs of every series, and those that something speaks for. Pure. */
export function retentionOf(runs: readonly StoredRun[], keep: number): Retention {
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

const byStart = (a: StoredRun, b: StoredRun): number =>
  Date.parse(a.startedAt) - Date.parse(b.startedAt) || a.folder.localeCompare(b.folder);
