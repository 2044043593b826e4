import { knownRedacted } from './known-redacted.js';
import type { LogRecord } from './record.js';
import { gather as gatherRedacted, type RunLog } from './run-log.js';

/** The log of records that were made by hand and hold no key. */
export const gather = (records: Iterable<LogRecord>): RunLog =>
  gatherRedacted([...records].map((record) => knownRedacted(record)));
