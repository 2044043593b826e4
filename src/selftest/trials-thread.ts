import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { Half } from '../reference/index.js';
import type { MatrixRow } from './matrix.js';
import { runTrial } from './run-trial.js';
import type { Trial } from './subjects.js';

/** Servers at a time: enough to fill the waits that some of them ask for, few enough that none is slowed into another verdict. */
const SIDE_BY_SIDE: Readonly<Record<Half, number>> = { suites: 12, load: 8, explore: 6 };

/** What a thread works on. */
export interface Dealt {
  readonly trials: readonly Trial[];
  /** The halves whose trials it takes, one half after the other. */
  readonly halves: readonly Half[];
  /** Shared by all threads: one by place for each trial that some thread has taken. */
  readonly taken: Int32Array;
}

/** What became of the trial at a place. */
export interface PlacedRow {
  readonly place: number;
  readonly row: MatrixRow;
}

const { trials, halves, taken } = workerData as Dealt;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- what threads say to each other has no origin
const tell = (placed: PlacedRow): void => parentPort?.postMessage(placed);
const directory = await mkdtemp(join(tmpdir(), 'petstore-conformance-selftest-'));
try {
  for (const half of halves) {
    const limit = pLimit(SIDE_BY_SIDE[half]);
    const judge = async (trial: Trial, place: number): Promise<void> => {
      const isMine = trial.needs === half && Atomics.exchange(taken, place, 1) === 0;
      if (isMine) tell({ place, row: await runTrial(trial, directory) });
    };
    await Promise.all(trials.map((trial, place) => limit(judge, trial, place)));
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
