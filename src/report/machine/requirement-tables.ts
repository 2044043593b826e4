import type { Requirement } from '../../base/interface/types.js';
import { csvLine } from '../../base/kernel/csv.js';
import { grouped } from '../../base/kernel/format.js';
import type { RunLog } from '../../log/run-log.js';
import type { RunDocument } from '../run-document.js';

/** A line of a table that is printed. */
const line = (cells: Parameters<typeof csvLine>[0]): string => csvLine(cells, '\n');

/** Columns of the ledger, for a spreadsheet or a test management tool. */
const LEDGER_COLUMNS = ['id', 'level', 'part', 'place', 'statement', 'operations', 'judgedBy', 'how', 'since'] as const;

/** Returns the ledger as CSV: a line for each requirement, in the order of the interface. Pure. */
export const ledgerCsv = (rows: readonly Requirement[]): string =>
  [
    line(LEDGER_COLUMNS),
    ...rows.map((row) => {
      const { id, level, part, place, statement, operations, how, since = '' } = row;
      return line([id, level, part, place, statement, operations.join(' '), row.judgedBy.kind, how, since]);
    }),
  ].join('');

/** Returns the ledger as JSON, with the members that `requirements.yaml` has. Pure. */
export const ledgerJson = (rows: readonly Requirement[]): string => `${JSON.stringify(rows, null, 2)}\n`;

const TRACE_COLUMNS = [
  'id',
  'statement',
  'place',
  'level',
  'outcome',
  'reason',
  'evidence',
  'responses',
  'date',
] as const;

/**
 * Returns a run as a traceability table, CSV: each requirement with its outcome and its evidence. `evidence` has the
 * ids of exchanges in `exchanges.har` and in the log: those of its findings and those that its test requested. `responses`
 * counts the responses that satisfied a requirement of every response. Pure.
 */
export function traceabilityCsv({ results, rows, own }: RunDocument, log: RunLog): string {
  const requested = grouped([...log.askedBy], ([, row]): string => row);
  return [
    line(TRACE_COLUMNS),
    ...[...rows, ...(own?.rows ?? [])].map((row) => {
      const found = row.exchanges.map(({ id }) => id);
      const asked = (requested.get(row.id) ?? []).map(([exchange]) => exchange);
      return line([
        row.id,
        row.statement,
        row.requirement ? `part ${row.part}, ${row.requirement.place}` : '',
        row.level,
        row.outcome,
        row.reason?.text ?? '',
        [...new Set([...found, ...asked])].join(' '),
        log.kept.get(row.id) ?? '',
        results.startedAt.slice(0, 10),
      ]);
    }),
  ].join('');
}
