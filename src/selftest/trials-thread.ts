import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { MatrixRow } from './matrix.js';
import { runTrial } from './run-trial.js';
import type { Trial } from './subjects.js';

/** How a trial spends its time. One that runs in virtual time gives way to no socket of its thread. */
export type Lane = 'suites' | 'explore' | 'virtual load' | 'real load';

/** Servers at a time: enough to fill the waits that some of them ask for, few enough that none is slowed into another verdict. */
const SIDE_BY_SIDE: Readonly<Record<Lane, number>> = { suites: 12, explore: 6, 'virtual load': 1, 'real load': 8 };

const laneOf = ({ needs, isReal }: Trial): Lane =>
  needs === 'load' ? (isReal === true ? 'real load' : 'virtual load') : needs;

/** What a thread works on. */
export interface Dealt {
  readonly trials: readonly Trial[];
  /** The trials that it takes, one lane after the other. */
  readonly lanes: readonly Lane[];
  /** Shared by all threads: one by place for each trial that some thread has taken. */
  readonly taken: Int32Array;
}

/** What became of the trial at a place. */
export interface PlacedRow {
  readonly place: number;
  readonly row: MatrixRow;
}

const { trials, lanes, taken } = workerData as Dealt;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- what threads say to each other has no origin
const tell = (placed: PlacedRow): void => parentPort?.postMessage(placed);
const directory = await mkdtemp(join(tmpdir(), 'petstore-conformance-selftest-'));
try {
  for (const lane of lanes) {
    const limit = pLimit(SIDE_BY_SIDE[lane]);
    const judge = async (trial: Trial, place: number): Promise<void> => {
      const isMine = laneOf(trial) === lane && Atomics.exchange(taken, place, 1) === 0;
      if (isMine) tell({ place, row: await runTrial(trial, directory) });
    };
    await Promise.all(trials.map((trial, place) => limit(judge, trial, place)));
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
