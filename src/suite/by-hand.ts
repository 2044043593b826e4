import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadContract } from '../contract/contract.js';
import { redactor } from '../exchange/redact.js';
import { fileJournal } from '../log/journal.js';
import type { LogRecord } from '../log/record.js';
import { readTargetFile } from '../targets/load-target.js';
import type { Target } from '../targets/target.js';
import { newRunId, openFixture, orderFor, type Fixture } from './fixture.js';
import { removalPhaseAt } from '../contract/removal-phase.js';
import { TARGET_VARIABLE } from './variables.js';

/** Fixture of suites started without `run`, with their log. */
export interface HandFixture {
  readonly fixture: Fixture;
  readonly target: Target;
  /** All redacted records of the workers of this start, oldest first. */
  readonly records: () => readonly LogRecord[];
  readonly close: () => Promise<void>;
}

/** Files for the state of a start, for the worker that follows one with a failed test. */
const MEMORY = '.petstore-memory.ndjson';
const RUN = '.petstore-run';

/**
 * Opens the fixture for the target in PETSTORE_TARGET. A failed test ends its worker, but keeps the suites' responses: the next
 * worker continues with its log.
 * @param directory folder of this start
 * @param isFirst is true for the first worker of the start
 * @throws ConfigError
 */
export async function openHandFixture(
  env: NodeJS.ProcessEnv,
  directory: string,
  isFirst: boolean,
): Promise<HandFixture> {
  const target = readTargetFile(env[TARGET_VARIABLE] ?? 'staging', env);
  mkdirSync(directory, { recursive: true });
  const [file, runFile] = [join(directory, MEMORY), join(directory, RUN)];
  if (isFirst) for (const old of [file, runFile]) rmSync(old, { force: true });
  const records: LogRecord[] = existsSync(file) ? recordsIn(file) : [];
  const run = existsSync(runFile) ? readFileSync(runFile, 'utf8') : newRunId();
  writeFileSync(runFile, run);
  const known = records.flatMap((record) => (record.type === 'exchange' ? [record.exchange] : []));
  const keys = [...Object.values(target.keys), ...(target.sacrificial ? [target.sacrificial.key] : [])];
  const redact = redactor(keys.map((key) => key.reveal()));
  const journal = fileJournal(file, redact, (record) => void records.push(record));
  const removal = removalPhaseAt(loadContract().removalDate, Date.now());
  const order = orderFor(target, { run, writes: target.writes, removal, asOf: new Date().toISOString().slice(0, 10) });
  const suiteKey = target.keys[target.suiteKey]?.reveal() ?? '';
  const { fixture, sender } = openFixture(order, { journal, keys: [suiteKey], redact, known });
  return { fixture, target, records: () => records, close: async () => (await sender.close(), journal.close()) };
}

/** Reads the whole lines of a log; a killed worker may leave half a line. */
const recordsIn = (file: string): LogRecord[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogRecord);
