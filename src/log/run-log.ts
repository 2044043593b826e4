import type { Redacted } from '../exchange/redact.js';
import type {
  AgentsRecord,
  CapacityLog,
  CapacityPhaseRecord,
  ScenarioRecord,
  SecondRecord,
} from './capacity-record.js';
import type { Finding } from '../findings/finding.js';
import type { RequirementId } from '../contract/types.js';
import { kindOfAnswer } from '../exchange/headers.js';
import type { Exchange } from '../exchange/types.js';
import type { Sample } from '../limits/sample.js';
import type { LogHeader, LogRecord, OwnProblem, PreflightFacts, ProfileSummary, SampleRow } from './record.js';
import { gatherMoments, type Moments, type Series } from './series.js';
import type { KeyName, ProfileName } from '../contract/names.js';

export type Explored = Omit<Extract<LogRecord, { type: 'explored' }>, 'type'>;

/** A whole log, sorted by kind. Every report is a function of it. */
export interface RunLog {
  readonly header: LogHeader;
  readonly preflight: PreflightFacts | null;
  readonly exchanges: readonly Exchange[];
  readonly findings: readonly Finding[];
  /** Number of exchanges and load responses that satisfied each passive row. */
  readonly kept: ReadonlyMap<RequirementId, number>;
  /** Responses that satisfied each passive row, as `getPet 404`; rows without recorded responses are missing. */
  readonly shown: ReadonlyMap<RequirementId, ReadonlySet<string>>;
  readonly settled: ReadonlySet<RequirementId>;
  /** First row that requested an exchange, by the exchange's id; exchanges that no row requested are missing. */
  readonly askedBy: ReadonlyMap<string, RequirementId>;
  readonly created: readonly { readonly id: string; readonly name: string }[];
  /** Errors in files of own suites. */
  readonly ownProblems: readonly OwnProblem[];
  readonly series: readonly Series[];
  readonly profiles: readonly ProfileSummary[];
  /** Result of exploring; null without exploring. */
  readonly explored: Explored | null;
  /** Records of a load run; null for other runs. */
  readonly capacity: CapacityLog | null;
  /** null without a footer: the run was cut off. */
  readonly footer: Extract<LogRecord, { type: 'footer' }> | null;
}

/** Converts a sample to a flat row. Times are rounded to 0.01 ms to keep the log small. */
export const sampleToRow = (sample: Sample): SampleRow => [
  sample.operation,
  round(sample.intendedAt),
  round(sample.sentAt),
  round(sample.answeredAt),
  sample.status,
  sample.limit,
  sample.remaining,
  sample.reset,
  sample.retryAfter,
  sample.date,
];

/** Inverse of `sampleToRow`. */
export const rowToSample = ([
  operation,
  intendedAt,
  sentAt,
  answeredAt,
  status,
  limit,
  remaining,
  reset,
  retryAfter,
  date,
]: SampleRow): Sample => ({
  operation: operation as Sample['operation'],
  intendedAt,
  sentAt,
  answeredAt,
  status,
  limit,
  remaining,
  reset,
  retryAfter,
  date,
});

const round = (ms: number): number => Math.round(ms * 100) / 100;

/** A run log under construction. Keeps what reports need, and no more load samples than can be drawn. */
export interface Gathering {
  readonly add: (record: Redacted<LogRecord>) => void;
  /** Returns the log of all added records. Throws an Error without a header. */
  readonly log: () => RunLog;
}

/** Collects records into a run log, in the order of the log. */
export function gathering(): Gathering {
  let header: LogHeader | undefined;
  let preflight: PreflightFacts | null = null;
  let footer: RunLog['footer'] = null;
  const exchanges: Exchange[] = [];
  const findings: Finding[] = [];
  const kept = new Map<RequirementId, number>();
  const shown = new Map<RequirementId, ReadonlySet<string>>();
  const settled = new Set<RequirementId>();
  const askedBy = new Map<string, RequirementId>();
  /** Number of exchanges of settled rows; later ones belong to the next row. */
  let told = 0;
  const created: { id: string; name: string }[] = [];
  const ownProblems: OwnProblem[] = [];
  const series = new Map<string, { profile: ProfileName; plan: KeyName; moments: Moments }>();
  const profiles: ProfileSummary[] = [];
  let explored: Explored | null = null;
  let scenario: ScenarioRecord | null = null;
  let agents: AgentsRecord | null = null;
  const seconds: SecondRecord[] = [];
  const phases: CapacityPhaseRecord[] = [];
  const keep = (requirement: RequirementId, count: number, answers?: readonly string[]) => {
    kept.set(requirement, (kept.get(requirement) ?? 0) + count);
    if (answers) shown.set(requirement, new Set([...(shown.get(requirement) ?? []), ...answers]));
  };

  const add = (record: Redacted<LogRecord>): void => {
    switch (record.type) {
      case 'header':
        header = record;
        break;
      case 'preflight':
        preflight = record.facts;
        break;
      case 'exchange':
        exchanges.push(record.exchange);
        for (const requirement of record.kept) keep(requirement, 1, [kindOfAnswer(record.exchange)]);
        break;
      case 'finding':
        findings.push(record.finding);
        break;
      case 'settled':
        settled.add(record.requirement);
        for (const { id } of exchanges.slice(told)) askedBy.set(id, record.requirement);
        told = exchanges.length;
        break;
      case 'created':
        created.push({ id: record.id, name: record.name });
        break;
      case 'own-problem':
        ownProblems.push(record.problem);
        break;
      case 'series': {
        const name = `${record.profile}/${record.plan}`;
        const { profile, plan } = record;
        const piece = series.get(name) ?? { profile, plan, moments: gatherMoments() };
        for (const row of record.rows) piece.moments.add(rowToSample(row));
        series.set(name, piece);
        break;
      }
      case 'tally':
        keep(record.requirement, record.kept, record.answers);
        break;
      case 'profile':
        profiles.push(record.summary);
        break;
      case 'explored': {
        const { type: _type, ...told } = record;
        explored = told;
        break;
      }
      case 'scenario':
        scenario = record;
        break;
      case 'agents':
        agents = record;
        break;
      case 'second':
        seconds.push(record);
        break;
      case 'capacity-phase':
        phases.push(record);
        break;
      case 'footer':
        // Earlier kits wrote only the reason.
        footer = record.reason?.startsWith('aborted: ') ? { ...record, aborted: true } : record;
        break;
      case 'phase':
      case 'waiting':
      case 'progress':
        break;
    }
  };
  const log = (): RunLog => {
    if (!header) throw new Error('the log has no header');
    return {
      header,
      preflight,
      exchanges,
      findings,
      kept,
      shown,
      settled,
      askedBy,
      created,
      ownProblems,
      series: [...series.values()].map(({ moments, ...piece }) => ({ ...piece, moments: moments.all() })),
      profiles,
      explored,
      capacity: scenario === null ? null : { scenario, agents, seconds, phases },
      footer,
    };
  };
  return { add, log };
}

/** Returns the run log of records in log order. Throws an Error without a header. */
export function gather(records: Iterable<Redacted<LogRecord>>): RunLog {
  const { add, log } = gathering();
  for (const record of records) add(record);
  return log();
}
