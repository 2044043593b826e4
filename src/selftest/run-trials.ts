import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { loadLedger } from '../contract/ledger.js';
import type { RequirementId } from '../contract/types.js';
import type { Half } from '../reference/index.js';
import { matrixOf, type Matrix, type MatrixRow } from './matrix.js';
import type { Trial } from './subjects.js';
import type { PlacedRow, PlacedTrial } from './trials-thread.js';

/**
 * What goes on side by side, each in a thread of its own: suites and exploring keep most of a core busy, load mostly waits
 * for windows to end, but its bursts must not stand behind too many others.
 */
const THREADS: readonly { readonly halves: readonly Half[]; readonly threads: number }[] = [
  { halves: ['suites', 'explore'], threads: 1 },
  { halves: ['load'], threads: 2 },
];

/** Runs the kit against every subject and gives the kill matrix, its rows in the order of the subjects. */
export async function runTrials(
  all: readonly Trial[],
  onRow: (row: MatrixRow) => void = () => undefined,
): Promise<Matrix> {
  const numbered = all.map((trial, place): PlacedTrial => ({ place, trial }));
  const dealt = THREADS.flatMap(({ halves, threads }) => {
    const own = halves.flatMap((half) => numbered.filter(({ trial }) => trial.needs === half));
    return Array.from({ length: threads }, (_, nth) => own.filter((_trial, at) => at % threads === nth));
  });
  const rows = await Promise.all(dealt.map((trials) => inThread(trials, onRow)));
  return matrixOf(
    rows
      .flat()
      .sort((one, other) => one.place - other.place)
      .map(({ row }) => row),
    judgeable(),
  );
}

async function inThread(
  trials: readonly PlacedTrial[],
  onRow: (row: MatrixRow) => void,
): Promise<readonly PlacedRow[]> {
  if (trials.length === 0) return [];
  const rows: PlacedRow[] = [];
  const thread = new Worker(new URL('trials-thread.js', import.meta.url), { workerData: trials });
  thread.on('message', (placed: PlacedRow) => {
    rows.push(placed);
    onRow(placed.row);
  });
  await once(thread, 'exit');
  return rows;
}

/** The rows that some flaw has to turn red: what is open cannot be, and what compares two targets needs two. */
const judgeable = (): readonly RequirementId[] =>
  loadLedger()
    .requirements.filter(
      ({ level, judgedBy }) =>
        (level === 'must' || level === 'should') && judgedBy.kind !== 'compare' && judgedBy.kind !== 'nobody',
    )
    .map(({ id }) => id);
