import { appendFileSync, closeSync, openSync } from 'node:fs';
import type { Shape } from '../base/kernel/shape.js';
import { REDACTED, type Redact, type Redacted } from '../wire/exchange/redact.js';
import type { Finding } from '../judge/findings/finding.js';
import { knownRedacted, redactedBy } from '../wire/exchange/redaction.js';
import type { Received } from './received.js';
import { RECORDS, type LogRecord } from './record.js';
import { HIDDEN } from '../wire/exchange/secret-texts.js';
import { finding } from '../judge/findings/shape.js';

/** One process writes at a time. */
export interface Journal {
  append(record: LogRecord): void;
  close(): void;
}

/**
 * Opens a journal in a file, one record a line. `append` writes before it returns, so a crash loses at most a
 * line. Everything that the target sent is redacted here, and only here.
 *
 * @param received takes the exchanges that redaction changed, for judging; absent if no other process judges
 *   them
 */
export function fileJournal(
  file: string,
  redact: Redact,
  onRecord?: (record: Redacted<LogRecord>) => void,
  received?: Pick<Received, 'add'>,
): Journal {
  const descriptor = openSync(file, 'a');
  return {
    append(record) {
      const redacted = redactRecord(record, redact);
      const line = JSON.stringify(redacted);
      if (received && record.type === 'exchange' && [REDACTED, HIDDEN].some((sign) => line.includes(sign)))
        received.add(record.exchange);
      // On a nearly full disk, a single write may omit the end without an error.
      appendFileSync(descriptor, `${line}\n`);
      onRecord?.(redacted);
    },
    close: () => closeSync(descriptor),
  };
}

/**
 * Opens a journal in memory, for runs whose log has no reader. Their keys are valid only for the kit's own
 * server.
 */
export function memoryJournal(
  onRecord?: (record: LogRecord) => void,
): Journal & { readonly records: readonly Redacted<LogRecord>[] } {
  const records: Redacted<LogRecord>[] = [];
  return {
    records,
    append(record) {
      records.push(knownRedacted(record));
      onRecord?.(record);
    },
    close: () => undefined,
  };
}

/** Redacts everything in a record that the target wrote. The kit's own words stay. */
export const redactRecord = <One extends LogRecord>(record: One, redact: Redact): Redacted<One> =>
  knownRedacted(redactedBy<One>(RECORDS[record.type] as Shape<One>, record, redact));

/** Redacts and shortens every text of a finding, since it may quote the target. */
export const redactFinding = (given: Finding, redact: Redact): Finding => redactedBy(finding, given, redact);
