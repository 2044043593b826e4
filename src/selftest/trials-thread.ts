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
const SIDE_BY_SIDE: Readonly<Record<Half, number>> = { suites: 8, load: 6, explore: 6 };

/** A subject with its place among all. */
export interface PlacedTrial {
  readonly place: number;
  readonly trial: Trial;
}

/** What became of it. */
export interface PlacedRow {
  readonly place: number;
  readonly row: MatrixRow;
}

/** A thread of its own: judges the servers that it is given, one half of the kit after the other, and tells each row. */
const trials = workerData as readonly PlacedTrial[];
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- what threads say to each other has no origin
const tell = (placed: PlacedRow): void => parentPort?.postMessage(placed);
const directory = await mkdtemp(join(tmpdir(), 'petstore-conformance-selftest-'));
try {
  for (const half of new Set(trials.map(({ trial }) => trial.needs))) {
    const limit = pLimit(SIDE_BY_SIDE[half]);
    await Promise.all(
      trials
        .filter(({ trial }) => trial.needs === half)
        .map(({ place, trial }) => limit(async () => tell({ place, row: await runTrial(trial, directory) }))),
    );
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
