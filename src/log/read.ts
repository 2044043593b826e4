import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { Redacted } from '../exchange/redact.js';
import { knownRedacted } from './known-redacted.js';
import { whyUnreadable } from '../contract/yaml-source.js';
import { LOG_SCHEMA_VERSION, type LogRecord } from './record.js';
import { isRecord } from './record-shape.js';
import { gathering, type RunLog } from './run-log.js';
import { NAME_A_RUN, UserError } from '../contract/errors.js';

/** What is wrong with a log that cannot be read. */
export class LogError extends UserError<LogErrorCode> {
  override readonly name = 'LogError';
  constructor(code: LogErrorCode, message: string, options?: ErrorOptions) {
    super('usage', code, message, NAME_A_RUN, options);
  }
}

export type LogErrorCode = 'log-unreadable' | 'log-version' | 'log-damaged';

/**
 * Reads a log file whole. A half-written last line, as a crash leaves it, is dropped; any other damage is an error.
 * @throws LogError log-unreadable, log-version or log-damaged (with the line's number)
 */
export async function readLog(file: string): Promise<RunLog> {
  const { add, log } = gathering();
  for await (const record of recordsOf(file)) add(record);
  return log();
}

/** The records of a log file, in order and one by one; see `readLog` for what is thrown. */
export async function* recordsOf(file: string): AsyncGenerator<Redacted<LogRecord>> {
  let broken: number | undefined;
  let number = 0;
  let first: LogRecord | undefined;
  try {
    for await (const line of createInterface({ input: linesOf(file), crlfDelay: Infinity })) {
      number += 1;
      if (broken !== undefined) throw new LogError('log-damaged', `${file}: line ${broken} is not a log record`);
      const record = parseLine(line);
      if (record) {
        first ??= header(file, record);
        if (!isRecord(record))
          throw new LogError('log-damaged', `${file}: record ${number} has not the shape of its kind`);
        yield record;
      } else if (line !== '') broken = number;
    }
  } catch (error) {
    if (error instanceof LogError) throw error;
    throw new LogError('log-unreadable', `${file} cannot be read (${whyUnreadable(error)}).`, { cause: error });
  }
  header(file, first);
}

/** Of one record, in characters: no run writes one that comes near it, and a text without an end would take all memory. */
const LONGEST_LINE = 64 * 2 ** 20;

/** The text of a log, given up where a line has no end. */
function linesOf(file: string): Readable {
  return Readable.from(
    (async function* () {
      let open = 0;
      const stats = await stat(file);
      // Into a pipe nobody may ever write, and a device has no end.
      if (!stats.isFile())
        throw Object.assign(new Error('no file'), { code: stats.isDirectory() ? 'EISDIR' : 'ENXIO' });
      for await (const piece of createReadStream(file, 'utf8') as AsyncIterable<string>) {
        const end = piece.lastIndexOf('\n');
        open = end < 0 ? open + piece.length : piece.length - end - 1;
        if (open > LONGEST_LINE) throw new LogError('log-damaged', `${file}: a line is too long to be a log record`);
        yield piece;
      }
    })(),
  );
}

/** A log's first record, which says that it is one, and of the version that this kit reads. */
function header(file: string, first: LogRecord | undefined): LogRecord {
  if (first?.type !== 'header') throw new LogError('log-damaged', `${file}: the first line is no log header`);
  const version: number = first.schemaVersion;
  if (version !== LOG_SCHEMA_VERSION)
    throw new LogError('log-version', `${file}: log version ${version}, this kit reads ${LOG_SCHEMA_VERSION}`);
  return first;
}

function parseLine(line: string): Redacted<LogRecord> | undefined {
  try {
    const value = JSON.parse(line) as LogRecord;
    return typeof value === 'object' && value !== null && typeof value.type === 'string'
      ? knownRedacted(value)
      : undefined;
  } catch {
    return undefined;
  }
}
