import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { whyUnreadable } from '../contract/yaml-source.js';
import type { LogRecord } from './record.js';
import { LOG_SCHEMA_VERSION } from './record.js';
import { gather } from './run-log.js';
import type { RunLog } from './run-log.js';

/** What is wrong with a log that cannot be read. */
export class LogError extends Error {
  override name = 'LogError';
  constructor(
    readonly code: 'log-unreadable' | 'log-version' | 'log-damaged',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Reads a log file whole. A half-written last line, as a crash leaves it, is dropped; any other damage is an error.
 * @throws LogError log-unreadable, log-version or log-damaged (with the line's number)
 */
export async function readLog(file: string): Promise<RunLog> {
  return gather(await readRecords(file));
}

/** The records of a log file, in order; see `readLog` for what is thrown. */
export async function readRecords(file: string): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  let broken: number | undefined;
  let number = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
      number += 1;
      if (broken !== undefined) throw new LogError('log-damaged', `${file}: line ${broken} is not a log record`);
      const record = parseLine(line);
      if (record) records.push(record);
      else if (line !== '') broken = number;
    }
  } catch (error) {
    if (error instanceof LogError) throw error;
    throw new LogError('log-unreadable', `${file} cannot be read (${whyUnreadable(error)}).`, { cause: error });
  }
  const [first] = records;
  if (first?.type !== 'header') throw new LogError('log-damaged', `${file}: the first line is no log header`);
  const version: number = first.schemaVersion;
  if (version !== LOG_SCHEMA_VERSION)
    throw new LogError('log-version', `${file}: log version ${version}, this kit reads ${LOG_SCHEMA_VERSION}`);
  return records;
}

function parseLine(line: string): LogRecord | undefined {
  try {
    const value = JSON.parse(line) as LogRecord;
    return typeof value === 'object' && value !== null && typeof value.type === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
