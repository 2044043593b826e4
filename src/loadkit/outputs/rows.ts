import type { FinishedRequest } from '../meter.js';
import { csvLine } from '../../base/kernel/csv.js';
import type { SecondRecord } from '../../log/capacity-record.js';

/** A row of `load --out`: a second of the run, or one request. */
export type OutputRow = { readonly type: 'second' | 'sample' } & Readonly<
  Record<string, string | number | boolean | null>
>;

/** First line of the CSV file: all columns. A row has those of its type. */
const HEAD =
  'type,run,part,at,phase,operation,key,status,outcome,violates,latencyMs,serviceMs,intendedAt,sentAt,trace,ms,intended,' +
  'sent,served,refused,errors,violations,dropped,byStatus,underWay,p50,p90,p95,p99,max,busy,cpu,lagMs,lateMs,behind';
const COLUMNS = HEAD.split(',');

/** Run of a row: eight hexadecimal digits, and its part as I/N, null for the whole. */
interface RunOfRow {
  readonly run: string;
  readonly part: string | null;
}

/** Durations in ms, times in Unix ms; status 0 without a complete response. Pure. */
export const requestRow = ({ run, part }: RunOfRow, request: FinishedRequest): OutputRow => ({
  type: 'sample',
  run,
  part,
  at: thousandths(request.answeredAt),
  phase: request.phase,
  operation: request.operation,
  key: request.key,
  status: request.status,
  outcome: request.outcome,
  violates: request.violates,
  latencyMs: thousandths(request.answeredAt - request.intendedAt),
  serviceMs: thousandths(request.answeredAt - request.sentAt),
  intendedAt: thousandths(request.intendedAt),
  sentAt: thousandths(request.sentAt),
  trace: request.trace,
});

const LATENCIES = ['p50', 'p90', 'p95', 'p99', 'max'] as const;

/** Everything in the log except a part's histogram. Latencies are null without one. */
export function secondRow({ run, part }: RunOfRow, second: SecondRecord): OutputRow {
  const { byStatus, latency: _, failed: __, operations: ___, keyUse: ____, ...rest } = second;
  const statuses = Object.entries(byStatus).map(([status, amount]) => `${status}=${amount}`);
  const latencies = LATENCIES.flatMap((name) => {
    const ms = second[name];
    return ms === undefined ? [] : [[name, ms === 0 ? null : ms] as const];
  });
  return { ...rest, ...Object.fromEntries(latencies), run, part, byStatus: statuses.join(' ') };
}

const thousandths = (ms: number): number => Math.round(ms * 1000) / 1000;

/** Format of rows: start of the file, and each row with its line end. */
export interface RowFormat {
  readonly head: string;
  readonly row: (row: OutputRow) => string;
}

export const NDJSON: RowFormat = { head: '', row: (row) => `${JSON.stringify(row)}\n` };

/** Comma-separated values (RFC 4180), one table for both types of row. */
export const CSV: RowFormat = {
  head: `${HEAD}\r\n`,
  row: (row) => csvLine(COLUMNS.map((column) => row[column] ?? '')),
};
