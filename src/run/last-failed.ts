import { join } from 'node:path';
import type { Requirement, RequirementId } from '../base/interface/types.js';
import { readLog } from '../log/read.js';
import type { Retries, Retry } from '../log/header-record.js';
import { FILES } from '../log/files.js';
import type { RunLog } from '../log/run-log.js';
import type { RequirementResult } from '../outcome/results/results.js';
import { retryOf } from '../outcome/results/retry.js';
import type { EarlierRun } from './report-dir.js';
import { shownBy } from '../outcome/acceptance/row-history.js';
import { isOpen, lastTried, rowOverRuns } from '../outcome/acceptance/row-over-runs.js';
import type { ProfileName } from '../base/interface/names.js';

/** A requirement that earlier runs left open, and the run that showed its failure; null for none. */
interface OpenRow {
  readonly id: RequirementId;
  readonly shown: { readonly row: RequirementResult; readonly run: EarlierRun } | null;
}

export interface FailedBefore {
  readonly ids: readonly RequirementId[];
  readonly repetitions: readonly Repetition[];
}

export interface Repetition extends TestsOfFailure {
  readonly retry: Retry;
}

interface TestsOfFailure {
  /** Tests that sent the evidence, and the row's own; null for all, where the log cannot be read. */
  readonly needed: readonly RequirementId[] | null;
  /**
   * Further tests that can have led to the failure: what they created, or had refused, may be its cause. A
   * failure that shows without them is one, but without them none is mended.
   */
  readonly others: readonly RequirementId[];
}

/**
 * Returns the requirements that earlier runs left open, each by the newest run that judged it. A run that
 * could not judge a row keeps its earlier failure open, and so does one that passed it without what failed.
 * Pure.
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
    const settled = shownBy(judging.map((run) => ({ row: rowIn(run, id), run: run.results }))).at(-1);
    const run = judging.find(({ results }) => results === settled?.run);
    const row = settled?.row;
    if (run && row && (row.outcome === 'failed' || row.outcome === 'warned'))
      return [{ id, shown: { row, run } }];
    return isOpen(lastTried(over)?.outcome) ? [{ id, shown: null }] : [];
  });
}

export async function repetitionsOf(
  open: readonly OpenRow[],
  rows: readonly Requirement[],
): Promise<readonly Repetition[]> {
  const logs = new Map<string, Awaited<ReturnType<typeof logOf>>>();
  const repetitions: Repetition[] = [];
  for (const { id, shown } of open) {
    const row = rows.find((one) => one.id === id);
    if (!shown || !row) continue;
    const { directory, results } = shown.run;
    const log = logs.get(directory) ?? (await logOf(directory));
    logs.set(directory, log);
    const retry = retryOf(shown.row, profilesOf(row), results, log);
    repetitions.push({ retry, ...testsOf(retry, row.judgedBy.kind, log) });
  }
  return repetitions;
}

/** Returns the tests that can show a failure again, from the log of its run; null for an unreadable one. Pure. */
export function testsOf(
  { requirement, requests }: Pick<Retry, 'requirement' | 'requests'>,
  kind: Requirement['judgedBy']['kind'],
  log: Pick<RunLog, 'settled' | 'askedBy' | 'exchanges'> | null,
): TestsOfFailure {
  if (requests.length === 0 && kind !== 'suite') return { needed: [], others: [] };
  if (log === null) return { needed: null, others: [] };
  const settled = [...log.settled];
  const senders = requests.map(([, test]) => test);
  const needed = settled.filter((test) => test === requirement || senders.includes(test));
  const last = needed.at(-1);
  // Where it is unknown which test sent a request, it may be any.
  if (last === undefined || senders.some((test) => test === null || !settled.includes(test)))
    return { needed: settled, others: [] };
  const before = settled.slice(0, settled.indexOf(last));
  const withKey = new Set(
    log.exchanges
      .filter(({ credential }) => credential.kind === 'valid')
      .map(({ id }) => log.askedBy.get(id)),
  );
  return {
    needed,
    // Any response can violate a passive row. Otherwise only requests with a key change what later ones find.
    others:
      kind === 'suite'
        ? before.filter((test) => withKey.has(test) && !needed.includes(test))
        : settled.filter((test) => !needed.includes(test)),
  };
}

/**
 * Returns the evidence that a run repeats, and its tests.
 *
 * @param isWhole true for all tests that can have led to the failures
 */
export function retriesOf(
  repetitions: readonly Repetition[],
  isWhole: boolean,
): { readonly retries: Retries; readonly leavesOut: boolean } {
  const rows = repetitions.map(({ retry }) => retry);
  if (repetitions.some(({ needed }) => needed === null))
    return { retries: { rows, tests: null }, leavesOut: false };
  const needed = new Set(repetitions.flatMap((each) => each.needed ?? []));
  const all = new Set([...needed, ...repetitions.flatMap(({ others }) => others)]);
  return {
    retries: { rows, tests: [...(isWhole ? all : needed)] },
    leavesOut: !isWhole && all.size > needed.size,
  };
}

/** Null if any response can violate the row. */
const profilesOf = ({ judgedBy }: Requirement): readonly ProfileName[] | null =>
  judgedBy.kind === 'load' ? judgedBy.profiles : judgedBy.kind === 'passive' ? null : [];

const logOf = (directory: string) => readLog(join(directory, FILES.log)).catch(() => null);
