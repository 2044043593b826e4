import type { Redacted } from '../exchange/redact.js';
import type { LogRecord } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import type { Results } from '../verdict/results.js';

/** Places for the reader, as shown paths. */
export interface Places {
  readonly report: string;
  /** Next command to type. */
  readonly next?: string;
  /** Changes since the run compared with. */
  readonly changes?: string;
}

/** Receives the progress of a run. */
export interface RunReporter {
  record(record: Redacted<LogRecord>): void;
  /** Prints the rest, ends the live lines and restores the cursor. */
  finish(results: Results, log: RunLog, places: Places): void;
  /** Ends the live lines without a summary, for a run that ends with an error. */
  stop(): void;
}
