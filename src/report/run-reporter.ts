import type { Redacted } from '../wire/exchange/redact.js';
import type { LogRecord } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import type { RunDocument } from './run-document.js';

/** Where a run's report is, and the command that follows. */
export interface ReportPlaces {
  readonly report: string;
  /** todo.md, which `--verbose` names. */
  readonly todo?: string;
  readonly next?: string;
}

/**
 * Receives the progress of a run. Disposal ends the live lines without a summary, for a run that ends with an
 * error.
 */
export interface RunReporter extends Disposable {
  record(record: Redacted<LogRecord>): void;
  finish(document: RunDocument, log: RunLog, places: ReportPlaces): void;
}

export const SILENT: RunReporter = {
  record: () => undefined,
  finish: () => undefined,
  [Symbol.dispose]: () => undefined,
};
