import { knownRedacted } from '../wire/exchange/redaction.js';
import type { LogRecord } from './record.js';
import { gather as gatherRedacted, type RunLog } from './run-log.js';

/** Gathers hand-made records without keys into a run log. */
export const gather = (records: Iterable<LogRecord>): RunLog =>
  gatherRedacted([...records].map((record) => knownRedacted(record)));
