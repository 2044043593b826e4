import { lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Results } from '../results/results.js';
import { historyRun, type History, type HistoryRequirement, type HistoryRun } from './history.js';
import { loadRun, type LoadRun } from './load-history.js';
import { readResults } from '../results/read-results.js';
import { byStart } from './retention.js';
import { RunFileError } from '../../base/kernel/errors.js';

/**
 * Reads every run in a folder, one results.json at a time. Keeps only what a history needs, so 400 runs stay
 * small. Lists unreadable runs as damaged; skips other folders.
 *
 * @param base address where the folders are published; without it links are relative to the history's page
 * @throws RunFileError results-unreadable when the folder itself cannot be read
 */
export async function readHistory(dir: string, base?: string): Promise<History> {
  const runs: HistoryRun[] = [];
  const loadRuns: LoadRun[] = [];
  const damaged: { folder: string; problem: string }[] = [];
  const newest = new Map<
    string,
    { readonly startedAt: string; readonly rows: readonly HistoryRequirement[] }
  >();
  for (const folder of await foldersIn(dir)) {
    try {
      const results = resultsIn(join(dir, folder));
      if (results === undefined) continue;
      if (results.scope.selection?.scenario !== undefined) {
        loadRuns.push(loadRun(folder, results, base));
        continue;
      }
      runs.push(historyRun(folder, results, base));
      const known = newest.get(results.target.name);
      if (!known || known.startedAt < results.startedAt)
        newest.set(results.target.name, { startedAt: results.startedAt, rows: rowsOf(results) });
    } catch (error) {
      damaged.push({ folder, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  return {
    runs: runs.toSorted(byStart),
    requirements: requirementsOf([...newest.values()]),
    damaged,
    loadRuns: loadRuns.toSorted(byStart),
  };
}

async function foldersIn(dir: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(dir, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .toSorted();
  } catch (cause) {
    throw new RunFileError('results-unreadable', `${dir} is not a readable folder`, { cause });
  }
}

function resultsIn(folder: string): Results | undefined {
  const file = join(folder, 'results.json');
  if (isThere(file)) return readResults(file);
  if (!isThere(join(folder, 'log.ndjson'))) return undefined;
  throw new RunFileError(
    'results-unreadable',
    'the folder has a log but no results.json; the command "report" writes it again',
  );
}

/** Throws the system's error in a folder that may not be read; a link to nothing is there. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const rowOf = ({ id, level, part, statement }: HistoryRequirement) => ({ id, level, part, statement });

const rowsOf = ({ requirements, own }: Results): readonly HistoryRequirement[] => [
  ...requirements.map(rowOf),
  ...(own?.requirements ?? []).map((row) => ({ ...rowOf(row), isOwn: true as const })),
];

/** Collects the rows of each target's newest run. Those of the newest run come first, in their order. */
function requirementsOf(
  sets: readonly { readonly startedAt: string; readonly rows: readonly HistoryRequirement[] }[],
): readonly HistoryRequirement[] {
  const known = new Map<string, HistoryRequirement>();
  for (const { rows } of sets.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1)))
    for (const row of rows) if (!known.has(row.id)) known.set(row.id, row);
  return [...known.values()].toSorted(
    (a, b) => Number(a.isOwn ?? false) - Number(b.isOwn ?? false) || a.part - b.part,
  );
}
