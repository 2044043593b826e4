import { dayOf } from '../../base/kernel/day.js';
import type { Requirement } from '../../base/interface/types.js';
import { csvLine } from '../../base/kernel/csv.js';
import { grouped } from '../../base/kernel/format.js';
import type { RunLog } from '../../log/run-log.js';
import type { RowView } from '../rows/row-view.js';
import type { RunDocument } from '../run-document.js';

type Columns<Row> = Readonly<Record<string, (row: Row) => string | number>>;

const csvTable = <Row>(rows: readonly Row[], columns: Columns<Row>): string =>
  [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row)))]
    .map((cells) => csvLine(cells, '\n'))
    .join('');

/**
 * Returns the ledger as CSV, for a spreadsheet or a test management tool: a line for each requirement, in the
 * order of the interface. Pure.
 */
export const ledgerCsv = (rows: readonly Requirement[]): string =>
  csvTable(rows, {
    id: ({ id }) => id,
    level: ({ level }) => level,
    part: ({ part }) => part,
    place: ({ place }) => place,
    statement: ({ statement }) => statement,
    operations: ({ operations }) => operations.join(' '),
    judgedBy: ({ judgedBy }) => judgedBy.kind,
    how: ({ how }) => how,
    since: ({ since = '' }) => since,
  });

/** Has the members of `requirements.yaml`. */
export const ledgerJson = (rows: readonly Requirement[]): string => `${JSON.stringify(rows, null, 2)}\n`;

/**
 * Returns a run as a traceability table, CSV: each requirement with its outcome and its evidence. `evidence`
 * has the ids of exchanges in `exchanges.har` and in the log: those of its findings, those that satisfied it
 * and those that its test requested. `responses` counts the responses that satisfied a requirement of every
 * response, `measured` says what load measured. Pure.
 */
export function traceabilityCsv({ results, rows, own }: RunDocument, log: RunLog): string {
  const requested = grouped([...log.askedBy], ([, row]): string => row);
  const evidenceOf = ({ id, exchanges, keptIn }: RowView): readonly string[] => [
    ...[...exchanges, ...keptIn].map((exchange) => exchange.id),
    ...(requested.get(id) ?? []).map(([exchange]) => exchange),
  ];
  return csvTable([...rows, ...(own?.rows ?? [])], {
    id: ({ id }) => id,
    statement: ({ statement }) => statement,
    place: ({ part, requirement }) => (requirement ? `part ${part}, ${requirement.place}` : ''),
    level: ({ level }) => level,
    outcome: ({ outcome }) => outcome,
    reason: ({ reason }) => reason?.text ?? '',
    evidence: (row) => [...new Set(evidenceOf(row))].join(' '),
    responses: ({ id }) => log.kept.get(id) ?? '',
    measured: ({ evidenceOfSeries }) => evidenceOfSeries.join(' '),
    date: () => dayOf(results.startedAt),
  });
}
