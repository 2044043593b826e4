import { resolve } from 'node:path';
import { loadLedger } from '../contract/ledger.js';
import type { RequirementId } from '../contract/types.js';
import { createSender } from '../exchange/sender.js';
import { redactor } from '../exchange/redact.js';
import { fileJournal } from '../log/journal.js';
import type { Journal } from '../log/journal.js';
import { followLog } from '../log/follow.js';
import { readLog } from '../log/read.js';
import type { LogHeader, LogRecord } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import { FILES } from '../report/files.js';
import { createBench } from '../suite/bench.js';
import type { RemovalPhase } from '../suite/removal.js';
import { judging, kit } from '../suite/worker-bench.js';
import type { WorkerOrder } from '../suite/worker-bench.js';
import { planOf } from '../target/target.js';
import { statSync } from 'node:fs';
import type { PlannedCost } from './cost.js';
import { headerOf } from './header.js';
import type { RunRequest } from './header.js';
import { startPlaywright } from './playwright-child.js';
import type { PlaywrightChild } from './playwright-child.js';
import { preflight } from './preflight.js';
import type { Obstacle } from './preflight.js';
import { needsLoad, needsSuites } from './select.js';
import { writeResults } from './write-results.js';

/** What a run needs besides its request. */
export interface ExecuteOptions {
  readonly request: RunRequest;
  readonly removal: RemovalPhase;
  readonly directory: string;
  /** Finds out how many requests the run is going to take, and how long. */
  readonly estimate: () => Promise<PlannedCost>;
  readonly allowLoadOnProduction: boolean;
  /** Ends the run early; what was recorded by then stands. */
  readonly signal: AbortSignal;
  readonly onRecord: (record: LogRecord) => void;
}

/** What a run ended with. */
export interface Executed {
  readonly log: RunLog;
  readonly obstacle: Obstacle | null;
}

/**
 * Runs preflight, suites and profiles against a target, in this order, and leaves a log with a footer. Whatever goes
 * wrong on the way is in the log; only what makes the log itself impossible is thrown.
 */
export async function execute(options: ExecuteOptions): Promise<Executed> {
  const { request, directory, signal, onRecord } = options;
  // Absolute, since Playwright takes relative paths from the folder of its configuration.
  const file = resolve(directory, FILES.log);
  const keys = keysOf(request);
  const journal = fileJournal(file, redactor(keys), onRecord);
  const header = headerOf(request);
  journal.append(header);
  writeResults(directory, await readLog(file));
  let obstacle: Obstacle | null = null;
  let reason: string | null = null;
  const suites = prepareSuites(options, header, file, keys);
  try {
    obstacle = await preflightPhase(options, journal);
    reason = obstacle?.short ?? null;
    if (suites && !obstacle && !signal.aborted) await suitesPhase(options, suites, journal, file, keys);
    if (!obstacle && !signal.aborted) await loadPhase(options, journal, file);
  } catch (error) {
    if (!isBrokenOff(error, signal)) {
      journal.append({
        type: 'finding',
        finding: {
          kind: 'fault',
          requirement: FAULT_ROW,
          message: error instanceof Error ? (error.stack ?? error.message) : String(error),
        },
      });
      reason = 'a fault of the kit';
    }
  } finally {
    suites?.child.discard();
  }
  if (signal.aborted) {
    reason = 'interrupted';
    // What was broken off says nothing about the target.
    obstacle = null;
  }
  journal.append({ type: 'footer', complete: reason === null, reason, finishedAt: new Date().toISOString() });
  journal.close();
  return { log: await readLog(file), obstacle };
}

/** What an interrupt throws where it ends a pause. */
const isBrokenOff = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted && error instanceof Error && error.name === 'AbortError';

/** A fault that belongs to no requirement is shown at the first one that everything rests on. */
const FAULT_ROW = 'list-ok';

/** All keys in clear, the suites' own first. */
function keysOf({ target }: RunRequest): readonly string[] {
  const own = target.keys[target.suiteKey]?.reveal();
  const all = [...Object.values(target.keys), ...(target.sacrificial ? [target.sacrificial.key] : [])].map((key) =>
    key.reveal(),
  );
  return [...new Set([...(own === undefined ? [] : [own]), ...all])];
}

async function preflightPhase(
  { request, removal, estimate, signal }: ExecuteOptions,
  journal: Journal,
): Promise<Obstacle | null> {
  const { target } = request;
  journal.append({ type: 'phase', phase: 'preflight', at: Date.now() });
  const sender = createSender({
    baseUrl: target.baseUrl,
    run: request.run,
    kit: kit(),
    limits: { ...target.http, signal },
  });
  const bench = createBench({
    sender,
    journal,
    judging: judging(),
    run: request.run,
    plan: target.suiteKey,
    key: keysOf(request)[0] ?? '',
    writes: request.writes,
    baseUrl: target.baseUrl,
    figures: { plan: planOf(target, target.suiteKey), windows: target.windows },
    removal,
    asOf: request.asOf,
    known: [],
    signal,
  });
  try {
    const result = await preflight(bench, target, await estimate());
    if (!result.ok) return result.obstacle;
    journal.append({ type: 'preflight', facts: result.facts });
    return null;
  } finally {
    await sender.close();
  }
}

/** Suites that are about to be run. */
interface Suites {
  readonly child: PlaywrightChild;
  /** The requirements that they state. */
  readonly stated: readonly RequirementId[];
}

/** Starts what runs the suites, which takes longer than preflight; null where none is needed. */
function prepareSuites(
  { request, removal, directory }: ExecuteOptions,
  header: LogHeader,
  file: string,
  keys: readonly string[],
): Suites | null {
  const { requirements } = loadLedger();
  if (!needsSuites(requirements, request.selected, request.selection)) return null;
  const { target } = request;
  const order: WorkerOrder = {
    log: file,
    run: request.run,
    baseUrl: target.baseUrl,
    plan: target.suiteKey,
    writes: request.writes,
    figures: { plan: planOf(target, target.suiteKey), windows: target.windows },
    limits: target.http,
    removal,
    asOf: header.scope.asOf,
  };
  const stated = requirements
    .filter(({ id, judgedBy }) => judgedBy.kind === 'suite' && (!request.selected || request.selected.includes(id)))
    .map(({ id }) => id);
  // Passive rows alone are judged on what the whole suites send.
  const selected = request.selected && stated.length > 0 ? stated : null;
  return { child: startPlaywright({ order, keys, selected, outputDir: resolve(directory, FILES.playwright) }), stated };
}

async function suitesPhase(
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

async function loadPhase(
  { request, removal, directory, allowLoadOnProduction, signal }: ExecuteOptions,
  journal: Journal,
  file: string,
): Promise<void> {
  if (!needsLoad(loadLedger().requirements, request.selected)) return;
  journal.append({ type: 'phase', phase: 'load', at: Date.now() });
  const known = (await readLog(file)).exchanges;
  // What sends load takes a tenth of a second to load, and suites alone do not need it.
  const { runLoadPhase } = await import('./load-phase.js');
  await runLoadPhase({ request, removal, directory, allowLoadOnProduction, signal, journal, known });
}
