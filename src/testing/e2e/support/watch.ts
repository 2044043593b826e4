import { existsSync, mkdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { LogRecord } from '../../../log/record.js';

/** Moment of a run, defined by the records in its log. */
export type Moment = (records: readonly LogRecord[]) => boolean;

/** Resolves once the log in a folder reaches a moment. Makes the folder, so that it can be watched. */
export async function reaches(directory: string, moment: Moment): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'log.ndjson');
  await new Promise<void>((resolve) => {
    const look = () => {
      if (!existsSync(file)) return;
      const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
      if (!moment(lines.map((line) => JSON.parse(line) as LogRecord))) return;
      watcher.close();
      resolve();
    };
    const watcher = watch(directory, look);
    look();
  });
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
