import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FILES } from '../../../log/files.js';
import type { LogRecord } from '../../../log/record.js';
import type { Running } from './command.js';
import { recordsIn } from './results.js';
import { until } from './until.js';

/** Moment of a run, defined by the records in its log. */
export type Moment = (records: readonly LogRecord[]) => boolean;

/** Waits until the log that a run writes into a folder reaches a moment. */
export async function reaches(run: Running, directory: string, moment: Moment): Promise<void> {
  const log = join(directory, FILES.log);
  await until(`a moment in ${log}`, () => existsSync(log) && moment(recordsIn(directory)), run);
}

/** True once the log has its first line. */
export const atHeader: Moment = (records) => records.length > 0;

/** Returns the moment when a phase has begun. */
export const atPhase =
  (phase: Extract<LogRecord, { type: 'phase' }>['phase']): Moment =>
  (records) =>
    records.some((record) => record.type === 'phase' && record.phase === phase);

/** Returns the moment when this many requests have a response. */
export const atExchange =
  (count: number): Moment =>
  (records) =>
    records.filter(({ type }) => type === 'exchange').length >= count;
