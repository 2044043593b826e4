import { parentPort, workerData } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { MatrixRow } from './matrix.js';
import { runTrial } from './run-trial.js';
import type { Trial } from './subjects.js';

/** Kind of work of a trial. A trial in virtual time does not yield to sockets of its thread. */
export type Lane = 'suites' | 'explore' | 'virtual load' | 'real load';

/** Servers in parallel: enough to fill waits, few enough that none becomes too slow for its verdict. */
const SIDE_BY_SIDE: Readonly<Record<Lane, number>> = {
  suites: 12,
  explore: 6,
  'virtual load': 1,
  'real load': 8,
};

const laneOf = ({ needs, isReal }: Trial): Lane =>
  needs === 'load' ? (isReal === true ? 'real load' : 'virtual load') : needs;

export interface Dealt {
  readonly trials: readonly Trial[];
  /** Its lanes, one after the other. */
  readonly lanes: readonly Lane[];
  /** Shared by all threads: 1 at the place of each trial that a thread has taken. */
  readonly taken: Int32Array;
}

export interface PlacedRow {
  readonly place: number;
  readonly row: MatrixRow;
}

const { trials, lanes, taken } = workerData as Dealt;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- what threads say to each other has no origin
const tell = (placed: PlacedRow): void => parentPort?.postMessage(placed);
const placed = trials
  .map((trial, place) => ({ trial, place }))
  // A trial may wait for the end of its minute: the longest first.
  .toSorted((one, other) => other.trial.minuteSeconds - one.trial.minuteSeconds);
for (const lane of lanes) {
  const limit = pLimit(SIDE_BY_SIDE[lane]);
  const judge = async ({ trial, place }: (typeof placed)[number]): Promise<void> => {
    const isMine = laneOf(trial) === lane && Atomics.exchange(taken, place, 1) === 0;
    if (isMine) tell({ place, row: await runTrial(trial) });
  };
  await Promise.all(placed.map((each) => limit(judge, each)));
}
