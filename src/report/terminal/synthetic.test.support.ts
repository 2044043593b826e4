import type { ReasonCode, Finding } from '../../judge/findings/finding.js';
import { loadLedger } from '../../base/interface/ledger.js';
import type { PlanName, Requirement, RequirementId } from '../../base/interface/types.js';
import type { Credential, Exchange } from '../../wire/exchange/types.js';
import type { LogRecord, PreflightFacts, ProfileSummary } from '../../log/record.js';
import { EXAMPLE_PREFLIGHT, headerWith, START, type HeaderChanges } from '../example-header.test.support.js';
import { exampleExchange, exampleProfile, notApplicable } from '../example-run.test.support.js';
import { gather } from '../../log/gathered.test.support.js';
import type { RunLog } from '../../log/run-log.js';
import { resultsOf, type Results } from '../../outcome/results/results.js';
import { runDocument, type RunDocument } from '../run-document.js';
import type { ProfileName } from '../../base/interface/names.js';

/** Rows of the real ledger, for realistic contents. */
export const ROWS: readonly Requirement[] = loadLedger().requirements;

const ALLOWANCES: Readonly<Record<PlanName, number>> = {
  free: 60,
  pro: 300,
  business: 1_000,
  enterprise: 2_400,
};

/** Differences of a synthetic run from one without problems. */
export interface Made extends HeaderChanges {
  readonly preflight?: Partial<PreflightFacts> | null;
  /** Findings that replace a row's own. */
  readonly findings?: readonly Finding[];
  /** Findings that load adds to judged rows. */
  readonly late?: readonly Finding[];
  readonly profiles?: readonly ProfileName[];
  readonly exchanges?: readonly Exchange[];
  /** Number of suite rows before the run ended; a reason means a footer, none means no footer. */
  readonly cutAfter?: number;
  readonly reason?: string | null;
  /** Kit fault that cut the run off. */
  readonly fault?: string;
}

/** Returns the records of a synthetic run, in the order of a real one. */
export function recordsOf(made: Made = {}): LogRecord[] {
  const header = headerWith(made, { run: '1a2b3c4d' });
  const selected = (row: Requirement) => header.scope.selected?.includes(row.id) ?? true;
  const suites = ROWS.filter((row) => row.judgedBy.kind === 'suite' && selected(row));
  const passive = ROWS.filter((row) => row.judgedBy.kind === 'passive' && selected(row));
  const load = ROWS.filter((row) => row.judgedBy.kind === 'load' && selected(row));
  const exchanges = made.exchanges ?? Array.from({ length: 54 }, (_, index) => exchangeOf(index + 1));
  const own = (row: Requirement): Finding[] =>
    (made.findings ?? []).filter(({ requirement }) => requirement === row.id);
  const findings = (row: Requirement): LogRecord[] =>
    (own(row).length > 0 ? own(row) : [foundBy(row, exchanges, header.scope.includes)]).map((finding) => ({
      type: 'finding',
      finding,
    }));
  // Suites run in another order than the interface's.
  const judged = suites.toReversed().slice(0, made.cutAfter ?? suites.length);
  const start: LogRecord[] = [
    header,
    { type: 'phase', phase: 'preflight', at: START },
    ...(made.preflight === null
      ? []
      : [{ type: 'preflight', facts: { ...EXAMPLE_PREFLIGHT, ...made.preflight } } as const]),
    { type: 'phase', phase: 'suites', at: START },
    ...exchanges.map((exchange): LogRecord => ({
      type: 'exchange',
      exchange,
      kept: passive.filter((row) => own(row).length === 0).map(({ id }) => id),
    })),
    ...passive.map(({ id, judgedBy }): LogRecord => ({
      type: 'tally',
      requirement: id,
      profile: 'burst',
      kept: 0,
      answers: judgedBy.kind === 'passive' ? judgedBy.answers : [],
    })),
    ...passive.flatMap((row) => own(row).map((finding): LogRecord => ({ type: 'finding', finding }))),
    ...judged.flatMap((row): LogRecord[] => [...findings(row), { type: 'settled', requirement: row.id }]),
  ];
  if (made.cutAfter !== undefined)
    return made.reason === undefined ? start : [...start, footerOf(false, made.reason, made.fault)];
  const profiles = made.profiles ?? (load.length > 0 ? (['burst', 'recovery'] as const) : []);
  return [
    ...start,
    ...(load.length > 0 ? [{ type: 'phase', phase: 'load', at: START + 3_000 } as const] : []),
    ...profiles.flatMap((profile) => header.scope.plans.flatMap((plan) => profileRecords(profile, plan))),
    ...load.flatMap((row): LogRecord[] => [...findings(row), { type: 'settled', requirement: row.id }]),
    ...(made.late ?? []).map((finding): LogRecord => ({ type: 'finding', finding })),
    ...ROWS.filter((row) => row.judgedBy.kind === 'compare' && selected(row)).map((row): LogRecord => ({
      type: 'finding',
      finding: notApplicable(row.id, 'no-key', 'only one target was given'),
    })),
    footerOf(true, null),
  ];
}

/** Returns a synthetic run for its reports. */
export function runOf(made: Made = {}): {
  log: RunLog;
  results: Results;
  document: RunDocument;
  records: LogRecord[];
} {
  const records = recordsOf(made);
  const log = gather(records);
  const results = resultsOf(log, ROWS);
  return { log, results, document: runDocument(results, { log, requirements: ROWS }), records };
}

export const violated = (
  requirement: RequirementId,
  message: string,
  detail: { expected?: string; actual?: string; measured?: { what: string[] } } = {},
): Finding => ({
  kind: 'violated',
  requirement,
  message,
  ...detail,
  exchanges: ['x2'],
});

export const doubtful = (requirement: RequirementId, code: ReasonCode, text: string): Finding => ({
  kind: 'inconclusive',
  requirement,
  reason: { code, text },
  exchanges: [],
});

/** Returns a correct target's finding for a row. */
function foundBy(row: Requirement, exchanges: readonly Exchange[], includes: readonly string[]): Finding {
  const ids = exchanges.slice(0, 3).map(({ id }) => id);
  if (row.id === 'get-after-removal')
    return notApplicable(row.id, 'removal-date', 'before 2030-12-05 (1,476 days left)');
  const optIn = row.id.startsWith('ban-') ? 'ban' : row.id === 'rate-day-quota' ? 'day-quota' : null;
  if (optIn !== null && !includes.includes(optIn)) return notApplicable(row.id, 'opt-in', 'not asked for');
  return row.level === 'must' || row.level === 'should'
    ? { kind: 'kept', requirement: row.id, exchanges: ids }
    : { kind: 'observed', requirement: row.id, value: '400 with an Error', exchanges: ids };
}

/** Makes a listing with the Business key; `change` replaces parts of its request. */
export const exchangeOf = (
  number: number,
  change: Partial<Exchange['request']> = {},
  credential: Credential = { kind: 'valid', plan: 'business' },
): Exchange => ({
  ...exampleExchange({ id: `x${number}` }),
  credential,
  request: { ...exampleExchange().request, ...change },
  sentAt: START + number * 10,
  latencyMs: 8.4,
});

function profileRecords(profile: ProfileName, plan: PlanName): LogRecord[] {
  const summary: ProfileSummary = {
    ...exampleProfile(4, ALLOWANCES[plan] + 1),
    profile,
    plan,
    startedAt: START + 3_000,
    finishedAt: START + 60_000,
    allowance: ALLOWANCES[plan],
    latency: { count: ALLOWANCES[plan], min: 1, p50: 4, p90: 7, p99: 12, max: 21 },
    sentence:
      profile === 'burst'
        ? `${ALLOWANCES[plan]} of ${ALLOWANCES[plan]} served, the next one refused`
        : 'allowed again 0.4 s after Retry-After, and in full at Reset',
  };
  return [
    { type: 'waiting', what: `the ${plan} window to begin anew`, until: START + 38_000 },
    { type: 'progress', profile, plan, text: `41 of ${ALLOWANCES[plan]} sent · window ends in 38 s` },
    { type: 'profile', summary },
  ];
}

const footerOf = (complete: boolean, reason: string | null, fault?: string): LogRecord => ({
  type: 'footer',
  complete,
  reason,
  finishedAt: '2026-11-20T10:01:03.100Z',
  ...(fault !== undefined && { fault }),
});
