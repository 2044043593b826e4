import { join } from 'node:path';
import type { Requirement, RequirementId } from '../base/interface/types.js';
import { readLog } from '../log/read.js';
import type { Retries, Retry } from '../log/header-record.js';
import { FILES } from '../log/files.js';
import type { RequirementResult } from '../outcome/results/results.js';
import { retryOf } from '../outcome/results/retry.js';
import type { EarlierRun } from './report-dir.js';
import { isOpen, lastJudged, lastTried, rowOverRuns } from '../outcome/acceptance/row-over-runs.js';
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

/**
 * Returns the requirements that earlier runs left open, each by the newest run that judged it. A run that
 * could not judge a row keeps its earlier failure open. Pure.
 *
 * @param runs newest first
 */
export function openRows(runs: readonly EarlierRun[]): readonly OpenRow[] {
  const judging = runs.filter(({ results }) => !results.obstacle).toReversed();
  const newest = judging.at(-1);
  // Own suites may change: a run without them leaves none of theirs open.
  const rowsOf = (run: EarlierRun): readonly RequirementResult[] => [
    ...run.results.requirements,
    ...((run === newest && run.results.own?.requirements) || []),
  ];
  const rows = new Map(judging.map((run) => [run, new Map(rowsOf(run).map((row) => [row.id, row]))]));
  const rowIn = (run: EarlierRun, id: RequirementId) => rows.get(run)?.get(id);
  const ids = new Set([...rows.values()].toReversed().flatMap((known) => [...known.keys()]));
  return [...ids].flatMap((id): readonly OpenRow[] => {
    const over = rowOverRuns(id, judging, (run) => rowIn(run, id)?.outcome ?? null);
    const run = lastJudged(over)?.run;
    const row = run && rowIn(run, id);
    if (row && (row.outcome === 'failed' || row.outcome === 'warned')) return [{ id, shown: { row, run } }];
    return isOpen(lastTried(over)?.outcome) ? [{ id, shown: null }] : [];
  });
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
    if (retry.requests.length > 0 || row.judgedBy.kind === 'suite')
      tests.push(log && testsBefore(retry, [...log.settled]));
  }
  return {
    rows: retries,
    tests: tests.includes(null) ? null : [...new Set(tests.flatMap((each) => each ?? []))],
  };
}

/**
 * Returns the tests that can have led to a failure: those up to the last that sent some of its evidence, or
 * that judged the row. Later ones came too late, and would only use up limits. Pure.
 *
 * @param settled tests of that run, in their order
 */
export function testsBefore(
  { requirement, requests }: Retry,
  settled: readonly RequirementId[],
): readonly RequirementId[] {
  const senders = requests.map(([, test]) => test);
  // Where it is unknown which test sent a request, it may be the last.
  if (requests.length === 0 || senders.some((test) => test === null || !settled.includes(test)))
    return settled;
  const last = Math.max(...[requirement, ...senders].map((test) => (test ? settled.indexOf(test) : -1)));
  return settled.slice(0, last + 1);
}

/** Profiles that judge a row; null if any response can violate it. */
const profilesOf = ({ judgedBy }: Requirement): readonly ProfileName[] | null =>
  judgedBy.kind === 'load' ? judgedBy.profiles : judgedBy.kind === 'passive' ? null : [];

const logOf = (directory: string) => readLog(join(directory, FILES.log)).catch(() => null);
