import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { orderFor } from '../drive/suite/fixture.js';
import type { WorkerOrder } from '../drive/suite/variables.js';
import { FILES } from '../log/files.js';
import { followLog } from '../log/follow.js';
import type { Run } from './open-run.js';
import type { Ended, PlaywrightChild } from './playwright-child.js';
import type { RunOptions } from './request.js';

/** Order for a Playwright process of a run: its rows (null for all), and own suites if it runs these. */
export const orderOf = (
  { request, removal, file, secret, keys, words, directory }: Run<RunOptions>,
  selected: WorkerOrder['selected'],
  { own = null, files = null }: Partial<Pick<WorkerOrder, 'own' | 'files'>> = {},
): WorkerOrder => ({
  ...orderFor(request.target, request, removal),
  log: file,
  secret,
  keys,
  words,
  selected,
  files,
  outputDir: resolve(directory, FILES.playwright),
  own,
});

/** Runs a Playwright process, which writes the log until its end; returns the settled rows. */
export async function letJudge(
  { journal, file, onRecord }: Run<RunOptions>,
  child: PlaywrightChild,
  phase: 'suites' | 'own',
  signal: AbortSignal,
): Promise<Ended & { readonly settled: ReadonlySet<string> }> {
  const settled = new Set<string>();
  const stop = followLog(file, statSync(file).size, (record) => {
    if (record.type === 'settled') settled.add(record.requirement);
    // This process wrote and showed the phase's record itself, below.
    if (record.type !== 'phase') onRecord(record);
  });
  try {
    // The worker waits for this line, and writes the log from then on.
    journal.append({ type: 'phase', phase, at: Date.now() });
    return { ...(await child.run(signal)), settled };
  } finally {
    stop();
  }
}
