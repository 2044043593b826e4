import { capacityByKey, capacityOf, capacityVerdict } from '../capacity/results.js';
import type { CapacityResults } from '../capacity/results.js';
import type { Finding, Reason, Story } from '../checks/finding.js';
import type { Tried } from '../explore/tried.js';
import type { Level, Part, PlanName, Requirement } from '../contract/types.js';
import type { Exchange } from '../exchange/types.js';
import type { LogHeader, Obstacle, ProfileSummary, Selection } from '../log/record.js';
import { isOwn } from '../own/own-exchange.js';
import type { OwnProblem } from '../own/thrown.js';
import type { AcceptedDeviation } from '../report/across/baseline.js';
import { judgeBaseline } from '../report/across/judge-baseline.js';
import type { Explored, RunLog } from '../log/run-log.js';
import { durationsOf } from './durations.js';
import { withObstacles } from './held-up.js';
import { carriesLoad, shardOf } from './shard.js';
import { fold, partlyOf, reasonOf, verdictOf, WORST_FIRST } from './verdict.js';
import type { Outcome, Verdict } from './verdict.js';

/** A finding as results.json and the reports show it. */
export interface ResultFinding {
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly exchanges: readonly string[];
  /** Found by exploring: the shortest story that shows it. */
  readonly story?: Story;
}

/** What became of one requirement, with everything that a reader needs to act on it. */
export interface RequirementResult {
  readonly id: string;
  readonly level: Level;
  readonly part: Part;
  readonly statement: string;
  readonly outcome: Outcome;
  readonly reason?: Reason;
  /** The broken requirements that keep this one from being judged: what is mended there may settle it. */
  readonly heldUpBy?: readonly string[];
  /** What was not tried of a row that passed; absent where all was. */
  readonly partly?: readonly string[];
  /** What was seen, for may and open rows and where a judged row also records something. */
  readonly observed?: readonly {
    readonly subject?: string;
    readonly value: string;
    readonly exchanges: readonly string[];
  }[];
  /** What was violated; empty unless failed or warned. */
  readonly findings: readonly ResultFinding[];
  /** How many answers the row stands on. */
  readonly evidence: number;
  /** How long the run took for what the row asked for first; absent where it asked for nothing that another had not. */
  readonly durationMs?: number;
}

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
  readonly stories: readonly (Story & { readonly requirement: string; readonly message: string })[];
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
  const { accepted } = judgeBaseline(results, { schemaVersion: 1, accepted: entries }, today);
  return accepted.length === 0 ? results : { ...results, accepted };
}

function judgedOf(log: RunLog, rows: readonly Requirement[]): Results {
  const { header, footer } = log;
  const complete = footer?.complete ?? false;
  const finishedAt = footer?.finishedAt ?? lastMoment(log);
  const ownRows = header.own?.rows ?? [];
  const durations = durationsOf(log, [...rows, ...ownRows], finishedAt);
  const requirements = withObstacles(
    rows.map((row) => ({ ...requirementResult(row, log), ...durations.get(row.id) })),
    log.findings,
  );
  const withoutThem = verdictOf(requirements, complete);
  const own = header.own ? ownResults(header.own, log, durations, withoutThem) : null;
  const ofRows = own?.decide ? verdictOf([...requirements, ...own.requirements], complete) : withoutThem;
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
    verdict: verdictOf(requirements, (log.footer?.complete ?? false) && problems.length === 0),
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

function requirementResult(row: Requirement, log: RunLog): RequirementResult {
  const findings = findingsOf(row, log);
  const outcome = fold(row.level, findings);
  const reason = reasonOf(row.level, outcome, findings);
  const partly = partlyOf(outcome, findings);
  const observed = findings.flatMap((finding) => (finding.kind === 'observed' ? [observation(finding)] : []));
  return {
    id: row.id,
    level: row.level,
    part: row.part,
    statement: row.statement,
    outcome,
    ...(reason && { reason }),
    ...(partly.length > 0 && { partly }),
    ...(observed.length > 0 && { observed }),
    findings: onceEach(
      findings.flatMap((finding) =>
        finding.kind === 'violated'
          ? [violation(finding)]
          : finding.kind === 'fault'
            ? [{ message: finding.message, exchanges: [] }]
            : [],
      ),
    ),
    evidence:
      (log.footer?.obstacle ? 0 : log.kept.get(row.id)) ??
      new Set(findings.flatMap((finding) => (finding.kind === 'kept' ? finding.exchanges : []))).size,
  };
}

/** The findings on a row, with the ones that follow from what the log does not hold. */
function findingsOf(row: Requirement, log: RunLog): readonly Finding[] {
  const { selected } = log.header.scope;
  const notApplicable = (code: Reason['code'], text: string): Finding[] => [
    { kind: 'not-applicable', requirement: row.id, reason: { code, text } },
  ];
  if (selected && !selected.includes(row.id)) return notApplicable('not-selected', 'not selected');
  if (row.judgedBy.kind === 'nobody') return notApplicable('untestable', row.judgedBy.reason);
  if (row.judgedBy.kind === 'compare') return notApplicable('opt-in', 'takes a second target: compare two runs');
  // One answer that kept the run from starting is none to judge by: it may be a proxy's, or another service's.
  if (log.footer?.obstacle?.code === 'web-page' && row.id === 'json-media-type')
    return [pageForList(log.footer.obstacle)];
  if (log.footer?.obstacle)
    return [{ kind: 'inconclusive', requirement: row.id, reason: notStarted(log.footer.obstacle), exchanges: [] }];
  const found: Finding[] = log.findings.filter((finding) => finding.requirement === row.id);
  if (log.kept.has(row.id)) found.push({ kind: 'kept', requirement: row.id, exchanges: [] });
  // A load run and a story judge what answers break by themselves: of any other row they can only show that it is broken.
  const alone = aloneIn(log.header);
  if (alone !== null && (row.judgedBy.kind !== 'passive' || found.length === 0))
    return found.some(({ kind }) => kind === 'violated' || kind === 'fault')
      ? found
      : notApplicable('not-selected', `${alone} judges what answers break by themselves`);
  // What a suite has begun and not brought to its end may lack the finding that decides.
  // That a part was left out says nothing of the rest.
  const isSpokenOf = found.some(({ kind }) => kind !== 'untried');
  if (isSpokenOf && (log.settled.has(row.id) || row.judgedBy.kind !== 'suite'))
    return row.judgedBy.kind === 'load' && !log.footer?.complete ? found.map(cutShort) : found;
  if (log.footer?.complete && row.judgedBy.kind === 'passive' && log.header.scope.selection)
    return notApplicable('not-observed', 'nothing that was selected was answered in a way that it speaks of');
  if (log.footer?.complete && row.judgedBy.kind === 'load' && !asksForLoad(log.header.scope.selection))
    return notApplicable('not-selected', 'what the suites sent does not decide it, and load was not selected');
  return [...found, { kind: 'inconclusive', requirement: row.id, reason: whyOpen(row, log), exchanges: [] }];
}

const asksForLoad = (selection: Selection | null): boolean => selection?.only !== 'suites' && carriesLoad(selection);

/** What was sent instead of suites and load profiles; null where nothing was. */
function aloneIn({ scope: { selection } }: RunLog['header']): string | null {
  if (selection?.scenario !== undefined) return 'a load run';
  return selection?.replay === undefined ? null : 'a story that is replayed';
}

/** Load that was broken off has too little to judge by: not because of the store or the window, but because it was broken off. */
const cutShort = (finding: Finding): Finding =>
  finding.kind === 'inconclusive' && finding.reason.code === 'too-little-data'
    ? { ...finding, reason: INTERRUPTED }
    : finding;

const INTERRUPTED: Reason = { code: 'interrupted', text: 'the run ended before this was judged' };

/** A server that answers its listing with a page, and as if all were well, is no target that is missing but one that fails. */
const pageForList = ({ message }: Obstacle): Finding => ({
  kind: 'violated',
  requirement: 'json-media-type',
  message,
  expected: 'application/json',
  actual: 'an HTML page',
  exchanges: [],
});

const notStarted = ({ short }: Obstacle): Reason => ({
  code: 'not-started',
  text: `the run could not start: ${short}`,
});

function whyOpen(row: Requirement, log: RunLog): Reason {
  if (!log.footer?.complete) return INTERRUPTED;
  if (isOfOwn(row)) return { code: 'own-suite', text: 'no test has judged it' };
  return row.judgedBy.kind === 'passive'
    ? { code: 'prerequisite', text: 'no answer that it speaks of was sound in what has to be judged before it' }
    : { code: 'nothing-judged', text: 'nothing was judged' };
}

const isOfOwn = ({ judgedBy }: Requirement): boolean => judgedBy.kind === 'suite' && judgedBy.suite === 'own';

/** What is found when an answer comes and again when a row looks at it is one finding. */
const onceEach = (findings: readonly ResultFinding[]): readonly ResultFinding[] => [
  ...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values(),
];

const observation = ({ subject, value, exchanges }: Extract<Finding, { kind: 'observed' }>) => ({
  ...(subject !== undefined && { subject }),
  value,
  exchanges,
});

const violation = ({
  message,
  expected,
  actual,
  exchanges,
  story,
}: Extract<Finding, { kind: 'violated' }>): ResultFinding => ({
  message,
  ...(expected !== undefined && { expected }),
  ...(actual !== undefined && { actual }),
  exchanges,
  ...(story && { story }),
});

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
