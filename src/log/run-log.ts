import type { Redacted } from '../wire/exchange/redact.js';
import type {
  AgentsRecord,
  CapacityLog,
  CapacityPhaseRecord,
  FindRecord,
  ScenarioRecord,
  SecondRecord,
} from './capacity-record.js';
import type { Finding } from '../judge/findings/finding.js';
import { chargedToPlainest } from '../judge/checks/plainer-rows.js';
import type { RequirementId } from '../base/interface/types.js';
import { kindOfAnswer } from '../wire/exchange/headers.js';
import type { Exchange } from '../wire/exchange/types.js';
import { shownExchange, type ClientExchange, type Traffic } from '../wire/exchange/client-exchange.js';
import type { Sample } from '../judge/limits/sample.js';
import {
  CELLS,
  type CommandEnd,
  type LogHeader,
  type LogRecord,
  type OwnProblem,
  type PreflightFacts,
  type ProfileSummary,
  type SampleRow,
} from './record.js';
import { isSelected } from './header.js';
import { gatherMoments, type Moments, type Series } from './series.js';
import type { KeyName, ProfileName } from '../base/interface/names.js';

export type Explored = Omit<Extract<LogRecord, { type: 'explored' }>, 'type'>;

/** Responses to the load of a run by key and status code, 0 without one, and when the last came. */
export interface Answered {
  readonly statuses: ReadonlyMap<KeyName, ReadonlyMap<number, number>>;
  /** Unix ms; null without any. */
  readonly lastAt: number | null;
  /** Newest requests without a response: when they were sent, and given up, Unix ms. */
  readonly lost: readonly Pick<Sample, 'sentAt' | 'answeredAt'>[];
  /** When the first request without a response was given up, Unix ms; null without any. */
  readonly firstLostAt: number | null;
}

/** Most requests without a response that a log keeps: enough to see that none was answered later. */
const MOST_LOST = 100;

function gatherAnswered() {
  const statuses = new Map<KeyName, Map<number, number>>();
  let lastAt: number | null = null;
  const lost: Answered['lost'][number][] = [];
  let firstLostAt: number | null = null;
  return {
    add(plan: KeyName, { status, sentAt, answeredAt }: Sample): void {
      const ofPlan = statuses.get(plan) ?? new Map<number, number>();
      statuses.set(plan, ofPlan.set(status, (ofPlan.get(status) ?? 0) + 1));
      if (status !== 0) lastAt = Math.max(lastAt ?? answeredAt, answeredAt);
      else {
        firstLostAt = Math.min(firstLostAt ?? answeredAt, answeredAt);
        lost.push({ sentAt, answeredAt });
        if (lost.length > MOST_LOST) lost.shift();
      }
    },
    all: (): Answered => ({ statuses, lastAt, lost, firstLostAt }),
  };
}

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
  readonly remarks: ReadonlySet<string>;
  readonly created: readonly { readonly id: string; readonly name: string }[];
  readonly ownProblems: readonly OwnProblem[];
  readonly series: readonly Series[];
  readonly profiles: readonly ProfileSummary[];
  readonly answered: Answered;
  readonly explored: Explored | null;
  readonly capacity: CapacityLog | null;
  readonly traffic: readonly LoggedTraffic[];
  /** null without a footer: the run was cut off. */
  readonly footer: Extract<LogRecord, { type: 'footer' }> | null;
}

/** Returns whether a log holds scenarios: their servers end with them. */
export const isPlayed = ({ traffic }: Pick<RunLog, 'traffic'>): boolean =>
  traffic.some(({ source }) => source === 'reference');

/** Returns whether a log holds traffic that others made: it shows violations, and no conformity. */
export const isOfOthers = ({ traffic }: Pick<RunLog, 'traffic'>): boolean =>
  traffic.some(({ source }) => source !== 'reference');

export interface LoggedTraffic extends Traffic {
  readonly command: CommandEnd | null;
  /** Entries of the source that are not the client's requests. */
  readonly leftOut: Omit<Extract<LogRecord, { type: 'left-out' }>, 'type' | 'nth'> | null;
}

/** Times are rounded to 0.01 ms to keep the log small. */
export const sampleToRow = (sample: Sample): SampleRow =>
  CELLS.map((name) =>
    name.endsWith('At') ? round(Number(sample[name])) : sample[name],
  ) as unknown as SampleRow;

export function rowToSample(row: SampleRow): Sample {
  const [operation, intendedAt, sentAt, answeredAt, status, limit, remaining, reset, retryAfter, date] = row;
  return { operation, intendedAt, sentAt, answeredAt, status, limit, remaining, reset, retryAfter, date };
}

const round = (ms: number): number => Math.round(ms * 100) / 100;

type Adders = { readonly [Type in LogRecord['type']]: (record: Extract<LogRecord, { type: Type }>) => void };

/** Adds nothing: a reader of the whole log needs no progress. */
const ignored = (): void => undefined;

/** Keeps what reports need, and no more load samples than can be drawn. */
export class LogCollector {
  private header: LogHeader | undefined;
  private readonly all = {
    preflight: null as RunLog['preflight'],
    explored: null as RunLog['explored'],
    footer: null as RunLog['footer'],
    exchanges: [] as Exchange[],
    findings: [] as Finding[],
    kept: new Map<RequirementId, number>(),
    shown: new Map<RequirementId, ReadonlySet<string>>(),
    settled: new Set<RequirementId>(),
    askedBy: new Map<string, RequirementId>(),
    remarks: new Set<string>(),
    created: [] as RunLog['created'][number][],
    ownProblems: [] as OwnProblem[],
    profiles: [] as ProfileSummary[],
  };
  /** Number of exchanges of settled rows; later ones belong to the next row. */
  private asked = 0;
  private readonly series = new Map<string, { profile: ProfileName; plan: KeyName; moments: Moments }>();
  private readonly answered = gatherAnswered();
  private scenario: ScenarioRecord | null = null;
  private find: FindRecord | undefined;
  private agents: AgentsRecord | null = null;
  private readonly seconds: SecondRecord[] = [];
  private readonly traffic = new Map<number, LoggedTraffic & { readonly exchanges: ClientExchange[] }>();
  private readonly phases: CapacityPhaseRecord[] = [];
  private readonly adders: Adders = {
    header: (record) => void (this.header = record),
    preflight: ({ facts }) => void (this.all.preflight = facts),
    exchange: ({ exchange, kept: rows }) => {
      this.all.exchanges.push(exchange);
      for (const requirement of rows) this.keep(requirement, 1, [kindOfAnswer(exchange)]);
    },
    finding: ({ finding }) => void this.all.findings.push(finding),
    settled: ({ requirement }) => {
      this.all.settled.add(requirement);
      for (const { id } of this.all.exchanges.slice(this.asked)) this.all.askedBy.set(id, requirement);
      this.asked = this.all.exchanges.length;
    },
    remark: ({ text }) => void this.all.remarks.add(text),
    created: ({ id, name }) => void this.all.created.push({ id, name }),
    'own-problem': ({ problem }) => void this.all.ownProblems.push(problem),
    series: ({ profile, plan, rows }) => {
      const name = `${profile}/${plan}`;
      const piece = this.series.get(name) ?? { profile, plan, moments: gatherMoments() };
      for (const row of rows) {
        const sample = rowToSample(row);
        piece.moments.add(sample);
        this.answered.add(plan, sample);
      }
      this.series.set(name, piece);
    },
    tally: ({ requirement, kept: count, answers }) => this.keep(requirement, count, answers),
    profile: ({ summary }) => void this.all.profiles.push(summary),
    explored: (record) => {
      const { type: _, ...explored } = record;
      this.all.explored = explored;
    },
    scenario: (record) => void (this.scenario = record),
    agents: (record) => void (this.agents = record),
    second: (record) => void this.seconds.push(record),
    'capacity-phase': (record) => void this.phases.push(record),
    find: (record) => void (this.find = record),
    traffic: ({ nth, facts }) =>
      void this.traffic.set(nth, { ...facts, exchanges: [], end: null, command: null, leftOut: null }),
    'client-exchange': ({ nth, exchange }) => {
      const record = this.traffic.get(nth);
      if (!record) return;
      record.exchanges.push(exchange);
      // Reports show it as any other.
      this.all.exchanges.push(shownExchange(exchange, record));
    },
    'traffic-end': ({ nth, end, command }) => {
      const record = this.traffic.get(nth);
      if (record) this.traffic.set(nth, { ...record, end, command: command ?? null });
    },
    'left-out': ({ nth, entries, reasons }) => {
      const record = this.traffic.get(nth);
      if (record) this.traffic.set(nth, { ...record, leftOut: { entries, reasons } });
    },
    // Earlier kits wrote only the reason.
    footer: (record) =>
      void (this.all.footer = record.reason?.startsWith('aborted: ') ? { ...record, aborted: true } : record),
    phase: ignored,
    waiting: ignored,
    progress: ignored,
  };

  private chargedUpTo: { readonly of: number; readonly findings: readonly Finding[] } = {
    of: 0,
    findings: [],
  };

  private keep(requirement: RequirementId, count: number, answers?: readonly string[]): void {
    const { kept, shown } = this.all;
    kept.set(requirement, (kept.get(requirement) ?? 0) + count);
    if (answers) shown.set(requirement, new Set([...(shown.get(requirement) ?? []), ...answers]));
  }

  add(record: Redacted<LogRecord>): void {
    // A newer kit may write other kinds.
    (this.adders[record.type] as ((record: LogRecord) => void) | undefined)?.(record);
  }

  /** Returns the findings, each mistake charged once; computed again only after a further finding. */
  private charged(header: LogHeader): readonly Finding[] {
    const { findings, exchanges } = this.all;
    if (this.chargedUpTo.of !== findings.length) {
      const isJudged = (row: RequirementId): boolean => isSelected(header.scope, row);
      this.chargedUpTo = {
        of: findings.length,
        findings: chargedToPlainest(findings, { exchanges, isJudged }),
      };
    }
    return this.chargedUpTo.findings;
  }

  /** Throws an Error without a header. */
  log(): RunLog {
    const { header, all, answered, series, traffic, scenario, agents, seconds, phases, find } = this;
    if (!header) throw new Error('the log has no header');
    return {
      header,
      ...all,
      findings: this.charged(header),
      answered: answered.all(),
      series: [...series.values()].map(({ moments, ...piece }) => ({ ...piece, moments: moments.all() })),
      traffic: [...traffic.values()],
      capacity: scenario === null ? null : { scenario, agents, seconds, phases, ...(find && { find }) },
    };
  }
}

/** Records in log order. Throws an Error without a header. */
export function gather(records: Iterable<Redacted<LogRecord>>): RunLog {
  const collector = new LogCollector();
  for (const record of records) collector.add(record);
  return collector.log();
}
