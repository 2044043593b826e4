import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { loadLedger } from '../contract/ledger.js';
import type { RequirementId } from '../contract/types.js';
import { matrixOf, type Matrix, type MatrixRow } from './matrix.js';
import type { Trial } from './subjects.js';
import type { Dealt, Lane, PlacedRow } from './trials-thread.js';

/**
 * The lanes of each thread, one after the other. All but real load keep a core busy; real load mostly waits for windows to
 * end, and its bursts must not stand behind others: one busy thread runs beside it, and no more.
 */
const THREADS: readonly (readonly Lane[])[] = [
  ['suites', 'explore', 'virtual load'],
  ['real load', 'virtual load', 'suites', 'explore'],
];

/** Runs the kit against every subject and gives the kill matrix, its rows in the order of the subjects. */
export async function runTrials(
  trials: readonly Trial[],
  onRow: (row: MatrixRow) => void = () => undefined,
): Promise<Matrix> {
  const taken = new Int32Array(new SharedArrayBuffer(trials.length * Int32Array.BYTES_PER_ELEMENT));
  const placed = await Promise.all(THREADS.map((lanes) => inThread({ trials, lanes, taken }, onRow)));
  const rows = placed.flat().toSorted((one, other) => one.place - other.place);
  return matrixOf(
    rows.map(({ row }) => row),
    judgeable(),
  );
}

async function inThread(dealt: Dealt, onRow: (row: MatrixRow) => void): Promise<readonly PlacedRow[]> {
  const rows: PlacedRow[] = [];
  const thread = new Worker(new URL('trials-thread.js', import.meta.url), { workerData: dealt });
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
