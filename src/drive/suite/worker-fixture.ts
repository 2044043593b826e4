import { dayOf } from '../../base/kernel/day.js';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadContract } from '../../base/interface/contract.js';
import { removalPhaseAt } from '../../base/interface/removal-phase.js';
import { takeOver } from '../../log/follow.js';
import { fileJournal, type Journal } from '../../log/journal.js';
import type { LogRecord } from '../../log/record.js';
import { curlSource, type CurlSource } from '../../wire/exchange/curl.js';
import { nothingKnown } from '../../wire/exchange/kept-connection.js';
import { redactor } from '../../wire/exchange/redact.js';
import { keysIn } from '../../wire/targets/keys.js';
import { newRunId, openFixture, orderFor, type Fixture } from './fixture.js';
import { resolveTarget } from './resolve-target.js';
import { TARGET_VARIABLE, type WorkerOrder } from './variables.js';

/*
 * What a Playwright worker opens. Its own module, because the process that lists the tests needs none of it.
 */

/** Additional state of suites started without `run`; null under `run`, whose log has it. */
export interface HandReport {
  readonly source: CurlSource;
  /** Returns all redacted records of the workers of this start, oldest first. */
  readonly records: () => readonly LogRecord[];
}

interface Opened {
  readonly fixture: Fixture;
  readonly hand: HandReport | null;
  readonly close: () => Promise<void>;
}

/** Files for the state of a start, for the worker that follows one with a failed test. */
const MEMORY = '.petstore-memory.ndjson';
const RUN = '.petstore-run';

/**
 * Opens the fixture for the target in PETSTORE_TARGET. A failed test ends its worker, but keeps the suites'
 * responses: the next worker continues with its log.
 *
 * @param directory folder of this start
 * @param isFirst is true for the first worker of the start
 * @throws ConfigError
 */
export async function openHandFixture(
  env: NodeJS.ProcessEnv,
  directory: string,
  isFirst: boolean,
): Promise<Opened> {
  const { readTargetFile } = await import('../../wire/targets/load-target.js');
  const target = await resolveTarget(readTargetFile(env[TARGET_VARIABLE] ?? 'staging', env));
  mkdirSync(directory, { recursive: true });
  const [file, runFile] = [join(directory, MEMORY), join(directory, RUN)];
  if (isFirst) for (const old of [file, runFile]) rmSync(old, { force: true });
  const records: LogRecord[] = existsSync(file) ? recordsIn(file) : [];
  const run = existsSync(runFile) ? readFileSync(runFile, 'utf8') : newRunId();
  writeFileSync(runFile, run);
  const known = records.flatMap((record) => (record.type === 'exchange' ? [record.exchange] : []));
  const redact = redactor(keysIn(target));
  const journal = fileJournal(file, redact, (record) => void records.push(record));
  const removal = removalPhaseAt(loadContract().removalDate, Date.now());
  const asOf = dayOf();
  const order = orderFor(target, { run, writes: target.writes, asOf }, removal);
  const suiteKey = target.keys[target.suiteKey]?.reveal() ?? '';
  const { fixture, sender } = openFixture(order, { journal, keys: [suiteKey], redact, known });
  const hand = { source: curlSource({ target, scope: target }), records: () => records };
  return { fixture, hand, close: async () => (await sender.close(), journal.close()) };
}

/** Reads the whole lines of a log; a killed worker may leave half a line. */
const recordsIn = (file: string): LogRecord[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogRecord);

/** Process of Playwright that started this worker. */
const STARTED_BY = process.ppid;

/**
 * Ends the suites once the log cannot be written, as on a full disk. Playwright would start a worker for each
 * further test, whose requests nobody would know of.
 */
const endingRun = (log: Journal): Journal => ({
  ...log,
  append(record) {
    try {
      log.append(record);
    } catch (error) {
      // An orphan's new parent is none of ours.
      if (process.ppid === STARTED_BY) process.kill(STARTED_BY, 'SIGINT');
      throw error;
    }
  },
});

/**
 * Opens the fixture of a Playwright worker of `run`, which continues the run's log and its state. Throws
 * RunFileError.
 */
export async function openWorkerFixture(order: WorkerOrder): Promise<Opened> {
  const { keys, words } = order;
  const redact = redactor(keys, words);
  // The worker starts during preflight, to save time; until its end only preflight writes.
  const { journal: log, known, preflight } = await takeOver(order.log, 'suites', redact, order.secret);
  const journal = endingRun(log);
  const afterwards = nothingKnown(preflight?.connections);
  const { fixture, sender } = openFixture(order, { journal, keys, redact, known, afterwards });
  return { fixture, hand: null, close: async () => (await sender.close(), journal.close()) };
}
