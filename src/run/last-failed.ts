import { join } from 'node:path';
import type { Requirement, RequirementId } from '../base/interface/types.js';
import { readLog } from '../log/read.js';
import type { Retries, Retry } from '../log/header-record.js';
import { FILES } from '../log/files.js';
import type { RequirementResult } from '../outcome/results/results.js';
import { retryOf } from '../outcome/results/retry.js';
import type { EarlierRun } from './report-dir.js';
import type { ProfileName } from '../base/interface/names.js';

/** A requirement that earlier runs left open, and the run that showed its failure; null for none. */
interface OpenRow {
  readonly id: RequirementId;
  readonly shown: { readonly row: RequirementResult; readonly run: EarlierRun } | null;
}

export interface FailedBefore {
  readonly ids: readonly RequirementId[];
  readonly retries: Retries;
}

const OPEN: ReadonlySet<string> = new Set(['failed', 'error', 'warned', 'inconclusive']);

/**
 * Returns the requirements that earlier runs left open, each by the newest run that judged it. A run that
 * could not judge a row keeps its earlier failure open. Pure.
 *
 * @param runs newest first
 */
export function openRows(runs: readonly EarlierRun[]): readonly OpenRow[] {
  const open = new Map<RequirementId, OpenRow>();
  const decided = new Set<RequirementId>();
  const judging = runs.filter(({ results }) => !results.obstacle);
  for (const [at, run] of judging.entries()) {
    const { requirements, own } = run.results;
    // Own suites may change: a run without them leaves none of theirs open.
    for (const row of [...requirements, ...((at === 0 && own?.requirements) || [])]) {
      if (decided.has(row.id) || row.outcome === 'not-applicable') continue;
      const isShown = row.outcome === 'failed' || row.outcome === 'warned';
      if (OPEN.has(row.outcome) && (isShown || !open.has(row.id)))
        open.set(row.id, { id: row.id, shown: isShown ? { row, run } : null });
      if (row.outcome !== 'inconclusive' && row.outcome !== 'error') decided.add(row.id);
    }
  }
  return [...open.values()];
}

/** Collects the evidence of open rows' failures from the logs of their runs. */
export async function retriesOf(open: readonly OpenRow[], rows: readonly Requirement[]): Promise<Retries> {
  const logs = new Map<string, Awaited<ReturnType<typeof logOf>>>();
  const retries: Retry[] = [];
  const tests: (readonly RequirementId[] | null)[] = [];
  for (const { id, shown } of open) {
    const row = rows.find((one) => one.id === id);
    if (!shown || !row) continue;
    const { directory, results } = shown.run;
    const log = logs.get(directory) ?? (await logOf(directory));
    logs.set(directory, log);
    const retry = retryOf(shown.row, profilesOf(row), results, log);
    retries.push(retry);
    if (retry.requests.length > 0 || row.judgedBy.kind === 'suite') tests.push(log && [...log.settled]);
  }
  return {
    rows: retries,
    tests: tests.includes(null) ? null : [...new Set(tests.flatMap((each) => each ?? []))],
  };
}

/** Profiles that judge a row; null if any response can violate it. */
const profilesOf = ({ judgedBy }: Requirement): readonly ProfileName[] | null =>
  judgedBy.kind === 'load' ? judgedBy.profiles : judgedBy.kind === 'passive' ? null : [];

const logOf = (directory: string) => readLog(join(directory, FILES.log)).catch(() => null);
