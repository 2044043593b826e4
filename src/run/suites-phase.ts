import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadLedger } from '../contract/ledger.js';
import type { RequirementId } from '../contract/types.js';
import { redactor } from '../exchange/redact.js';
import { followLog } from '../log/follow.js';
import type { Journal } from '../log/journal.js';
import type { LogHeader } from '../log/record.js';
import { FILES } from '../report/files.js';
import type { WorkerOrder } from '../suite/worker-fixture.js';
import { planOf } from '../targets/target.js';
import type { ExecuteOptions } from './execute-options.js';
import { collectGarbage } from './collect-garbage.js';
import { startPlaywright, type PlaywrightChild } from './playwright-child.js';
import { testedRows } from './select.js';

/** Suites that are about to be run. */
export interface Suites {
  readonly child: PlaywrightChild;
  /** The requirements that they state. */
  readonly stated: readonly RequirementId[];
}

/** What a worker is told of the run. */
export const orderOf = (
  { request: { run, target, writes }, removal }: ExecuteOptions,
  { scope: { asOf } }: LogHeader,
  log: string,
): WorkerOrder => ({
  log,
  run,
  baseUrl: target.baseUrl,
  plan: target.suiteKey,
  writes,
  exclusive: target.exclusive,
  figures: { plan: planOf(target, target.suiteKey), windows: target.windows },
  limits: target.http,
  removal,
  asOf,
});

/** Starts what runs the suites, which takes longer than preflight; null where none is needed. */
export function prepareSuites(
  options: ExecuteOptions,
  header: LogHeader,
  file: string,
  keys: readonly string[],
): Suites | null {
  const { request, directory } = options;
  const { requirements } = loadLedger();
  const stated = testedRows(requirements, request);
  if (stated.length === 0) return null;
  return {
    child: startPlaywright({
      order: orderOf(options, header, file),
      keys,
      selected: request.selected && stated,
      outputDir: resolve(directory, FILES.playwright),
    }),
    stated,
  };
}

/**
 * Runs the suites in their own process, which writes the log meanwhile. Throws an Error where that ended before it had
 * judged all that it states.
 */
export async function suitesPhase(
  { signal, onRecord }: ExecuteOptions,
  { child, stated }: Suites,
  journal: Journal,
  file: string,
  keys: readonly string[],
): Promise<void> {
  const settled = new Set<string>();
  const stop = followLog(file, statSync(file).size, (record) => {
    if (record.type === 'settled') settled.add(record.requirement);
    // The phase is our own line, below: it was shown when it was written.
    if (record.type !== 'phase') onRecord(record);
  });
  // Preflight may have read megabytes; this process is idle from here on, and the worker is about to read more.
  collectGarbage();
  // The worker waits for this line, and from there on it is the one that writes.
  journal.append({ type: 'phase', phase: 'suites', at: Date.now() });
  let ended;
  try {
    ended = await child.run(signal);
  } finally {
    stop();
  }
  const missing = stated.filter((id) => !settled.has(id));
  if (missing.length === 0 || signal.aborted) return;
  const clean = redactor(keys)(ended.output.trim());
  throw new Error(`Playwright ended with code ${ended.code} before ${missing.join(', ')} was judged:\n${clean}`);
}
