import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { petstore } from './e2e/support/command.js';
import { measureFailing, measurePassing, median } from './measure.js';
import type { Measured } from './measure.js';

/** `npm run bench`: what the kit promises to take, and what it takes on this machine. */

/** Enough for a median on a machine that does other things as well. */
const REPETITIONS = 5;

async function repeated(measure: () => Promise<Measured>): Promise<readonly Measured[]> {
  const all: Measured[] = [];
  for (let count = 0; count < REPETITIONS; count += 1) all.push(await measure());
  return all;
}

async function fullRunMs(): Promise<number> {
  const cwd = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  try {
    const startedAt = performance.now();
    await petstore(['run', '--reporter', 'quiet'], { cwd });
    return performance.now() - startedAt;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

const say = (what: string, figure: string, bound: string): void =>
  void process.stdout.write(`${what.padEnd(48)}${figure.padStart(10)}   ${bound}\n`);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

process.stdout.write(`Node ${process.version}, ${cpus().length} cores, medians of ${REPETITIONS}\n\n`);
const passing = await repeated(measurePassing);
const failing = await repeated(measureFailing);
const runMs = (all: readonly Measured[]) => median(all.map((measured) => measured.runMs));
say('suites and preflight, all passing', seconds(runMs(passing)), 'under 3 s');
say('suites and preflight, most failing', seconds(runMs(failing)), '');
say('most failing against all passing', (runMs(failing) / runMs(passing)).toFixed(2), 'at most 2');
say('the command, from start to end', seconds(median(passing.map(({ commandMs }) => commandMs))), '');
say('requests of the suites', String(passing[0]?.results.requests.total), '');
say('with the key', String(passing[0]?.results.requests.byKey['business']), 'at most 60');
say('npm start: suites, load and reports', seconds(await fullRunMs()), 'under 30 s');
