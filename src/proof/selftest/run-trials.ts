import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { loadLedger } from '../../base/interface/ledger.js';
import type { RequirementId } from '../../base/interface/types.js';
import { matrixOf, type Matrix, type MatrixRow } from './matrix.js';
import type { Trial } from './subjects.js';
import type { Dealt, Lane, PlacedRow } from './trials-thread.js';

/**
 * Lanes of each thread, one after the other. All except real load keep a core busy. Real load mostly waits
 * for windows, and its bursts must not queue: one busy thread runs in parallel, no more.
 */
const THREADS: readonly (readonly Lane[])[] = [
  ['suites', 'explore', 'virtual load'],
  ['real load', 'virtual load', 'suites', 'explore'],
];

/**
 * Runs the kit on every subject and returns the kill matrix, in order of subjects.
 *
 * @param onRow takes the row of each trial as soon as it is there
 */
export async function runTrials(
  trials: readonly Trial[],
  onRow: (row: MatrixRow, trial: Trial) => void = () => undefined,
): Promise<Matrix> {
  const taken = new Int32Array(new SharedArrayBuffer(trials.length * Int32Array.BYTES_PER_ELEMENT));
  const placed = await Promise.all(THREADS.map((lanes) => inThread({ trials, lanes, taken }, onRow)));
  const rows = placed.flat().toSorted((one, other) => one.place - other.place);
  return matrixOf(
    rows.map(({ row }) => row),
    judgeable(),
  );
}

async function inThread(
  dealt: Dealt,
  onRow: (row: MatrixRow, trial: Trial) => void,
): Promise<readonly PlacedRow[]> {
  const rows: PlacedRow[] = [];
  const thread = new Worker(new URL('trials-thread.js', import.meta.url), { workerData: dealt });
  thread.on('message', (placed: PlacedRow) => {
    rows.push(placed);
    const trial = dealt.trials[placed.place];
    if (trial !== undefined) onRow(placed.row, trial);
  });
  await once(thread, 'exit');
  return rows;
}

/** Requirements that some flaw must turn red: not open ones, and not those that compare two targets. */
const judgeable = (): readonly RequirementId[] =>
  loadLedger()
    .requirements.filter(
      ({ level, judgedBy }) =>
        (level === 'must' || level === 'should') && judgedBy.kind !== 'compare' && judgedBy.kind !== 'nobody',
    )
    .map(({ id }) => id);
