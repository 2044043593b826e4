import { capacityByKey, capacityOf, capacityVerdict, type CapacityResults } from '../capacity/results.js';
import type { Finding, Story } from '../findings/finding.js';
import type { Tried } from '../log/tried.js';
import type { PlanName, Requirement, RequirementId } from '../contract/types.js';
import type { Exchange } from '../exchange/types.js';
import type { AcceptedDeviation, LogHeader, Obstacle, ProfileSummary, Selection } from '../log/record.js';
import { isOwn } from '../log/own-exchange.js';
import type { OwnProblem } from '../log/own-problem.js';
import { judgeBaseline } from './judge-baseline.js';
import type { Explored, RunLog } from '../log/run-log.js';
import { durationsOf } from './durations.js';
import { requirementResult, type RequirementResult } from './requirement-result.js';
import { withObstacles } from './held-up.js';
import { shardOf } from './shard.js';
import { verdictOf, WORST_FIRST, type Outcome, type Verdict } from './verdict.js';

export type { RequirementResult, ResultFinding } from './requirement-result.js';

/** What became of suites of somebody's own, apart from the interface's requirements. */
export interface OwnResults {
  /** Whether they decide about the run's verdict as well. */
  readonly decide: boolean;
  /** Of these requirements alone, whatever they decide. */
  readonly verdict: Verdict;
  /** Of the interface's requirements alone. */
  readonly withoutThem: Verdict;
  readonly counts: Readonly<Record<Outcome, number>>;
  /** How many requests their tests sent; the run's requests hold them as well. */
  readonly requests: number;
  readonly requirements: readonly RequirementResult[];
  /** What went wrong in their files, which says nothing about the target. */
  readonly problems: readonly OwnProblem[];
}

/** results.json; its JSON Schema is `config/schemas/results.schema.json`. */
export interface Results {
  readonly schemaVersion: 1;
  readonly verdict: Verdict;
  readonly kit: { readonly name: string; readonly version: string };
  readonly interface: { readonly version: string };
  readonly target: {
    readonly name: string;
    readonly baseUrl: string;
    readonly windows: { readonly minute: number; readonly day: number };
  };
  readonly scope: {
    readonly plans: readonly PlanName[];
    readonly selection: Selection | null;
    readonly writes: boolean;
    readonly asOf: string;
  };
  /** The build of the server, in the words of whoever started the run; absent where nobody said. */
  readonly label?: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly durationMs: number;
  readonly complete: boolean;
  /** What broke down in the kit itself, with its stack; absent where nothing did. There is no verdict then. */
  readonly fault?: string;
  /** What kept the run from starting; absent where it started. Nothing was judged then. */
  readonly obstacle?: Pick<Obstacle, 'code' | 'message' | 'hint'>;
  /** The deviations that a baseline accepts on the day of the run, and that occurred; absent where none did. */
  readonly accepted?: readonly AcceptedDeviation[];
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly requests: { readonly total: number; readonly byKey: Readonly<Record<string, number>> };
  readonly requirements: readonly RequirementResult[];
  readonly exchanges: readonly Exchange[];
  readonly load: readonly ProfileSummary[];
  /** Suites of somebody's own; absent where none were run. */
  readonly own?: OwnResults;
  /** What exploring tried and found; absent where nothing was explored. */
  readonly explored?: ExploredResults;
  /** Of a load run: what was sent, how it was answered, and which thresholds were kept. */
  readonly capacity?: CapacityResults;
}

/** What exploring tried: the same seed tries the same on the same target. */
export interface ExploredResults {
  readonly seed: number;
  /** Most requests that it was given, and those that it sent. */
  readonly asked: number;
  readonly requests: number;
  /** Why it ended before its requests were used up. */
  readonly stopped?: 'limited' | 'unanswered' | 'interrupted';
  /** The stories that show a violation, each with its row. */
  readonly stories: readonly (Story & { readonly requirement: RequirementId; readonly message: string })[];
  /** How often each class of values, pair and operation in a state was tried. */
  readonly classes: readonly Tried[];
}

/**
 * results.json from a log. Pure: the same log and ledger give the same results.
 * @param rows the ledger's rows, in the order of the interface
 */
export function resultsOf(log: RunLog, rows: readonly Requirement[]): Results {
  const results = judgedOf(log, rows);
  const entries = log.header.acceptance?.accepted ?? [];
  if (entries.length === 0 || results.obstacle) return results;
  const today = results.finishedAt.slice(0, 10);
  const { accepted } = judgeBaseline(results, { accepted: entries }, today);
  if (accepted.length === 0) return results;
  const until = new Map(accepted.map(({ requirement, expires }) => [requirement, expires]));
  const requirements = results.requirements.map((row) => {
    const acceptedUntil = until.get(row.id);
    return acceptedUntil === undefined ? row : { ...row, acceptedUntil };
  });
  return { ...results, requirements, accepted };
}

function judgedOf(log: RunLog, rows: readonly Requirement[]): Results {
  const { header, footer } = log;
  const complete = footer?.complete ?? false;
  const end = { complete, fault: footer?.fault !== undefined };
  const finishedAt = footer?.finishedAt ?? lastMoment(log);
  const ownRows = header.own?.rows ?? [];
  const durations = durationsOf(log, [...rows, ...ownRows], finishedAt);
  const requirements = withObstacles(
    rows.map((row) => ({ ...requirementResult(row, log), ...durations.get(row.id) })),
    log.findings,
  );
  const withoutThem = verdictOf(requirements, end);
  const own = header.own ? ownResults(header.own, log, durations, withoutThem) : null;
  const ofRows = own?.decide ? verdictOf([...requirements, ...own.requirements], end) : withoutThem;
  // What a part has not met another may: only the whole can be sound.
  const onRows = ofRows === 'conformant' && shardOf(header.scope.selection) ? 'inconclusive' : ofRows;
  const named = new Set(
    [...requirements, ...(own?.requirements ?? [])].flatMap((row) => [
      ...row.findings.flatMap(({ exchanges, story }) => [...exchanges, ...(story?.exchanges ?? [])]),
      ...(row.observed ?? []).flatMap(({ exchanges }) => exchanges),
    ]),
  );
  const capacity = log.capacity === null ? null : capacityOf(log.capacity, footer);
  return {
    schemaVersion: 1,
    verdict: capacity === null || onRows === 'error' ? onRows : worse(onRows, capacityVerdict(capacity, complete)),
    kit: header.kit,
    interface: { version: header.interface.version },
    target: { name: header.target.name, baseUrl: header.target.baseUrl, windows: header.target.windows },
    scope: {
      plans: header.scope.plans,
      selection: header.scope.selection,
      writes: header.scope.writes,
      asOf: header.scope.asOf,
    },
    ...(header.label !== undefined && { label: header.label }),
    startedAt: header.startedAt,
    finishedAt,
    durationMs: Math.max(0, Date.parse(finishedAt) - Date.parse(header.startedAt)),
    complete,
    ...(footer?.fault !== undefined && { fault: footer.fault }),
    ...(footer?.obstacle && { obstacle: told(footer.obstacle) }),
    counts: countOutcomes(requirements),
    requests: countRequests(log),
    requirements,
    exchanges: log.exchanges.filter((exchange) => named.has(exchange.id)),
    load: log.profiles,
    ...(own && { own }),
    ...(log.explored && { explored: exploredOf(log.explored, log.findings) }),
    ...(capacity && { capacity }),
  };
}

function ownResults(
  { rows, decide }: NonNullable<LogHeader['own']>,
  log: RunLog,
  durations: ReturnType<typeof durationsOf>,
  withoutThem: Verdict,
): OwnResults {
  const requirements = rows.map((row) => ({ ...requirementResult(row, log), ...durations.get(row.id) }));
  const { ownProblems: problems } = log;
  return {
    decide,
    verdict: verdictOf(requirements, {
      complete: (log.footer?.complete ?? false) && problems.length === 0,
      fault: log.footer?.fault !== undefined,
    }),
    withoutThem,
    counts: countOutcomes(requirements),
    requests: log.exchanges.filter(isOwn).reduce((sum, { attempts }) => sum + attempts, 0),
    requirements,
    problems,
  };
}

const exploredOf = (
  { seed, asked, requests, classes, stopped }: Explored,
  findings: readonly Finding[],
): ExploredResults => ({
  seed,
  asked,
  requests: Object.values(requests).reduce((sum, amount) => sum + amount, 0),
  stories: findings.flatMap((finding) =>
    finding.kind === 'violated' && finding.story
      ? [{ requirement: finding.requirement, message: finding.message, ...finding.story }]
      : [],
  ),
  classes,
  ...(stopped && { stopped }),
});

const told = ({ code, message, hint }: Obstacle): NonNullable<Results['obstacle']> => ({ code, message, hint });

/** The worse of two verdicts on one run. */
const worse = (one: Verdict, other: Verdict): Verdict =>
  (['error', 'non-conformant', 'inconclusive'] as const).find((verdict) => verdict === one || verdict === other) ??
  'conformant';

function countOutcomes(requirements: readonly RequirementResult[]): Record<Outcome, number> {
  const counts = Object.fromEntries(WORST_FIRST.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  for (const { outcome } of requirements) counts[outcome] += 1;
  return counts;
}

/** What was put on the wire: suites' exchanges with their second attempts, and the load, by the plan whose key was used. */
function countRequests(log: RunLog): Results['requests'] {
  const byKey: Record<string, number> = { anonymous: 0 };
  const count = (key: string, amount: number) => (byKey[key] = (byKey[key] ?? 0) + amount);
  for (const { id, credential, attempts } of log.exchanges)
    // Of a load run's own answers, and of exploring's, those that findings name are recorded; all are counted with their phases.
    if (!/^[ce]/.test(id)) count(credential.kind === 'valid' ? credential.plan : 'anonymous', attempts);
  for (const [key, sent] of Object.entries(log.explored?.requests ?? {})) count(key, sent);
  for (const { plan, sent } of log.profiles) count(plan, sent);
  if (log.capacity) for (const [key, sent] of Object.entries(capacityByKey(log.capacity))) count(key, sent);
  return { total: Object.values(byKey).reduce((sum, amount) => sum + amount, 0), byKey };
}

function lastMoment(log: RunLog): string {
  const last = log.exchanges.at(-1);
  return last ? new Date(last.sentAt + last.latencyMs).toISOString() : log.header.startedAt;
}
