import { parsedJson } from '../base/kernel/json.js';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Redacted } from '../wire/exchange/redact.js';
import { knownRedacted } from '../wire/exchange/redaction.js';
import { linesOf } from '../base/kernel/lines.js';
import { checkRegular } from '../base/kernel/places.js';
import { whyUnreadable } from '../base/kernel/yaml-source.js';
import { FORMATS } from './capacity-record.js';
import { LOG_SCHEMA_VERSION } from './header-record.js';
import { RECORDS, type LogRecord } from './record.js';
import { has, type Shape } from '../base/kernel/shape.js';
import { LogCollector, type RunLog } from './run-log.js';
import { RunFileError } from '../base/kernel/errors.js';

/** Reads a log. Drops a half-written last line, as a crash leaves it. Throws RunFileError for other damage. */
export const readLog = (file: string): Promise<RunLog> => gathered(recordsOf(file));

/**
 * Reads a log that this run is writing or has written. Trusts the shape of its records: the checks of all
 * kinds take a quarter of a second to compile. Throws as `readLog` does.
 */
export const readOwnLog = (file: string): Promise<RunLog> => gathered(recordsOf(file, () => true));

async function gathered(records: AsyncIterable<Redacted<LogRecord>>): Promise<RunLog> {
  const collector = new LogCollector();
  for await (const record of records) collector.add(record);
  return collector.log();
}

const checks = new Map(Object.entries<Shape>(RECORDS).map(([type, shape]) => [type, has(shape, FORMATS)]));

/** Kinds that this kit does not know are skipped. */
const isRecord = (record: LogRecord): boolean => checks.get(record.type)?.(record) ?? true;

/** Yields the records of a log file in order, each after a check of its shape. Throws as `readLog` does. */
export async function* recordsOf(file: string, isSound = isRecord): AsyncGenerator<Redacted<LogRecord>> {
  let broken: number | undefined;
  let number = 0;
  let first: LogRecord | undefined;
  try {
    for await (const line of linesOf(bytesOf(file), {
      characters: LONGEST_LINE,
      error: () => tooLong(file),
    })) {
      number += 1;
      if (broken !== undefined)
        throw new RunFileError('log-damaged', `${file}: line ${broken} is not a log record`);
      const record = parseLine(line);
      if (record) {
        first ??= header(file, record);
        if (!isSound(record))
          throw new RunFileError('log-damaged', `${file}: record ${number} has missing or wrong members`);
        yield record;
      } else if (line !== '') broken = number;
    }
  } catch (error) {
    if (error instanceof RunFileError) throw error;
    throw new RunFileError('log-unreadable', `${file} cannot be read (${whyUnreadable(error)}).`, {
      cause: error,
    });
  }
  header(file, first);
}

/** Longest line of a log, in characters. No run comes near it, and an endless line would exhaust memory. */
const LONGEST_LINE = 64 * 2 ** 20;

const tooLong = (file: string): RunFileError =>
  new RunFileError('log-damaged', `${file}: a line is too long to be a log record`);

/** Throws as `checkRegular` does. */
async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  checkRegular(await stat(file));
  yield* createReadStream(file) as AsyncIterable<Buffer>;
}

function header(file: string, first: LogRecord | undefined): LogRecord {
  if (first?.type !== 'header')
    throw new RunFileError('log-damaged', `${file}: the first line is not a log header`);
  const version: number = first.schemaVersion;
  if (version !== LOG_SCHEMA_VERSION)
    throw new RunFileError(
      'log-version',
      `${file}: log version ${version}, this kit reads ${LOG_SCHEMA_VERSION}`,
    );
  return first;
}

function parseLine(line: string): Redacted<LogRecord> | undefined {
  const value = parsedJson(line) as LogRecord | null | undefined;
  return typeof value === 'object' && typeof value?.type === 'string' ? knownRedacted(value) : undefined;
}
