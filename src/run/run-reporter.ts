import type { Redacted } from '../exchange/redact.js';
import type { LogRecord } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import type { Results } from '../verdict/results.js';

/** Where the reader finds more: paths as they are to be shown. */
export interface Places {
  readonly report: string;
  /** The command to type next. */
  readonly next?: string;
  /** Changes since the run compared with. */
  readonly changes?: string;
}

/** Who is told of a run as it goes. */
export interface RunReporter {
  record(record: Redacted<LogRecord>): void;
  /** Tells all that has not been told yet, ends the live lines and gives the cursor back. */
  finish(results: Results, log: RunLog, places: Places): void;
  /** Ends the live lines without a closing, for a run that ends with an error. */
  stop(): void;
}
