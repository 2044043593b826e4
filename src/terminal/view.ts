import type { Part, Requirement, RequirementId } from '../contract/types.js';
import type { LogHeader, LogRecord } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';

export interface Wait {
  readonly what: string;
  /** Unix ms. */
  readonly until: number;
}

/** Current state of a load profile of a plan. */
interface Progress {
  readonly profile: string;
  readonly plan: string;
  readonly text: string;
}

/** State of the screen for a current run: the log so far without its series, and the current activity. */
export interface View {
  /** null before the header. */
  readonly log: RunLog | null;
  readonly phase: Extract<LogRecord, { type: 'phase' }>['phase'];
  /** When the first phase began, Unix ms. */
  readonly startedAt: number;
  readonly waits: readonly Wait[];
  readonly progress: readonly Progress[];
}

/** Before the first record. */
export const NOTHING_SEEN: View = { log: null, phase: 'preflight', startedAt: Infinity, waits: [], progress: [] };

/** Returns the view after one more record. Pure; ignores series, which the screen does not show. */
export function see(view: View, record: LogRecord): View {
  if (record.type === 'header') return { ...view, log: emptyLog(record) };
  if (!view.log) return view;
  const log = view.log;
  const withLog = (change: Partial<RunLog>): View => ({ ...view, log: { ...log, ...change } });
  switch (record.type) {
    case 'phase':
      return {
        ...view,
        phase: record.phase,
        startedAt: Math.min(view.startedAt, record.at),
        waits: [],
        progress: [],
      };
    case 'preflight':
      return withLog({ preflight: record.facts });
    case 'exchange':
      return withLog({
        exchanges: [...log.exchanges, record.exchange],
        kept: record.kept.length === 0 ? log.kept : plus(log.kept, record.kept, 1),
      });
    case 'finding':
      return withLog({ findings: [...log.findings, record.finding] });
    case 'settled':
      return withLog({ settled: new Set([...log.settled, record.requirement]) });
    case 'created':
      return withLog({ created: [...log.created, { id: record.id, name: record.name }] });
    case 'tally':
      return withLog({ kept: plus(log.kept, [record.requirement], record.kept) });
    case 'waiting':
      return { ...view, waits: [...view.waits.filter(({ what }) => what !== record.what), waitOf(record)] };
    case 'progress':
      return { ...view, progress: replaced(view.progress, record) };
    case 'profile':
      return {
        ...withLog({ profiles: [...log.profiles, record.summary] }),
        progress: view.progress.filter((one) => !isSame(one, record.summary)),
      };
    case 'footer':
      return { ...withLog({ footer: record }), waits: [], progress: [] };
    case 'explored': {
      const { type: _type, ...explored } = record;
      return withLog({ explored });
    }
    case 'own-problem':
      return withLog({ ownProblems: [...log.ownProblems, record.problem] });
    case 'series':
    case 'scenario':
    case 'agents':
    case 'second':
    case 'capacity-phase':
      return view;
  }
}

const emptyLog = (header: LogHeader): RunLog => ({
  header,
  preflight: null,
  exchanges: [],
  findings: [],
  kept: new Map(),
  shown: new Map(),
  settled: new Set(),
  askedBy: new Map(),
  created: [],
  ownProblems: [],
  series: [],
  profiles: [],
  explored: null,
  capacity: null,
  footer: null,
});

const plus = (kept: RunLog['kept'], ids: readonly RequirementId[], amount: number): RunLog['kept'] =>
  ids.reduce((sum, id) => sum.set(id, (sum.get(id) ?? 0) + amount), new Map(kept));

const waitOf = ({ what, until }: Wait): Wait => ({ what, until });

const isSame = (one: { profile: string; plan: string }, other: { profile: string; plan: string }): boolean =>
  one.profile === other.profile && one.plan === other.plan;

function replaced(progress: readonly Progress[], { profile, plan, text }: Progress): Progress[] {
  const next = { profile, plan, text };
  return progress.some((one) => isSame(one, next))
    ? progress.map((one) => (isSame(one, next) ? next : one))
    : [...progress, next];
}

/** Is true if a row is in the scope of a run, and someone judges it. */
export const inScope = (row: Requirement, header: LogHeader): boolean =>
  row.judgedBy.kind !== 'nobody' && (header.scope.selected?.includes(row.id) ?? true);

/**
 * Is true if a row's outcome can be shown before the end of the run. A suite's row: after its suite. A passive one with a
 * finding: after all suites. Load and comparison: at the end. A row without a finding waits too, because its reason depends on
 * the end of the run.
 */
export function isSettled(row: Requirement, { log, phase }: View): boolean {
  if (!log) return false;
  if (!inScope(row, log.header)) return true;
  const found = log.kept.has(row.id) || log.findings.some(({ requirement }) => requirement === row.id);
  switch (row.judgedBy.kind) {
    case 'nobody':
      return true;
    case 'suite':
      return found && log.settled.has(row.id);
    case 'passive':
      return found && (phase === 'explore' || phase === 'load' || phase === 'own' || phase === 'compare');
    case 'load':
    case 'compare':
      return false;
  }
}

/** Returns the parts with rows in scope, in the order of the interface, split before the first one that load judges. */
export function partsAround(rows: readonly Requirement[], header: LogHeader): { before: Part[]; after: Part[] } {
  const parts = [...new Set(rows.map(({ part }) => part))].sort((a, b) => a - b);
  const loaded = parts.findIndex((part) =>
    rows.some((row) => row.part === part && row.judgedBy.kind === 'load' && inScope(row, header)),
  );
  return loaded < 0 ? { before: parts, after: [] } : { before: parts.slice(0, loaded), after: parts.slice(loaded) };
}
