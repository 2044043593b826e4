import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { loadLedger } from '../contract/ledger.js';
import type { RequirementId } from '../contract/types.js';
import type { Half } from '../reference/index.js';
import { matrixOf } from './matrix.js';
import type { Matrix, MatrixRow } from './matrix.js';
import type { Trial } from './subjects.js';
import type { PlacedRow, PlacedTrial } from './trials-thread.js';

/**
 * What goes on side by side, each in a thread of its own: suites and exploring keep a core busy, load mostly waits for
 * windows to end.
 */
const THREADS: readonly (readonly Half[])[] = [['suites', 'explore'], ['load']];

/** Runs the kit against every subject and gives the kill matrix, its rows in the order of the subjects. */
export async function runTrials(
  all: readonly Trial[],
  onRow: (row: MatrixRow) => void = () => undefined,
): Promise<Matrix> {
  const numbered = all.map((trial, place): PlacedTrial => ({ place, trial }));
  const rows = await Promise.all(
    THREADS.map((halves) =>
      inThread(
        halves.flatMap((half) => numbered.filter(({ trial }) => trial.needs === half)),
        onRow,
      ),
    ),
  );
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
