import type { Requirement } from '../../base/interface/types.js';
import type { Redacted } from '../../wire/exchange/redact.js';
import { isSelected } from '../../log/header.js';
import type { LogHeader, LogRecord, PhaseName } from '../../log/record.js';
import { LogCollector, type RunLog } from '../../log/run-log.js';

type RecordOf<Type extends LogRecord['type']> = Extract<LogRecord, { type: Type }>;

export type Wait = Pick<RecordOf<'waiting'>, 'what' | 'until'>;

/** State of the screen for a current run: the log so far without its series, and the current activity. */
export interface View {
  /** null before the header. */
  readonly log: RunLog | null;
  readonly phase: PhaseName;
  /** When the first phase began, Unix ms. */
  readonly startedAt: number;
  readonly waits: readonly Wait[];
  readonly progress: readonly RecordOf<'progress'>[];
}

export const NOTHING_SEEN: View = {
  log: null,
  phase: 'preflight',
  startedAt: Infinity,
  waits: [],
  progress: [],
};

/** Takes the records of a run, and returns the view after each. Ignores series, which no screen shows. */
export function viewing(): (record: Redacted<LogRecord>) => View {
  const collector = new LogCollector();
  let view = NOTHING_SEEN;
  return (record) => {
    if (record.type !== 'series') collector.add(record);
    if (view.log || record.type === 'header')
      view = { ...view, ...change(view, record), log: collector.log() };
    return view;
  };
}

function change({ startedAt, waits, progress }: View, record: LogRecord): Partial<View> {
  if (record.type === 'phase')
    return { phase: record.phase, startedAt: Math.min(startedAt, record.at), waits: [], progress: [] };
  if (record.type === 'waiting')
    return { waits: [...waits.filter(({ what }) => what !== record.what), record] };
  if (record.type === 'progress')
    return {
      // A key does one thing at a time.
      progress: progress.some(({ plan }) => plan === record.plan)
        ? progress.map((one) => (one.plan === record.plan ? record : one))
        : [...progress, record],
    };
  if (record.type === 'profile') return { progress: progress.filter((one) => !isSame(one, record.summary)) };
  return {};
}

const isSame = (one: { profile: string; plan: string }, other: { profile: string; plan: string }): boolean =>
  one.profile === other.profile && one.plan === other.plan;

export const inScope = (row: Requirement, header: LogHeader): boolean =>
  row.judgedBy.kind !== 'nobody' && isSelected(header.scope, row.id);

/**
 * Is true if a row's outcome can be shown before the end of the run. A suite's row: after its suite. A
 * passive one with a finding: after all suites. Load and comparison: at the end. A row without a finding
 * waits too, because its reason depends on the end of the run.
 */
export function isSettled(row: Requirement, { log, phase }: View): boolean {
  if (!log) return false;
  if (!inScope(row, log.header)) return true;
  if (!log.kept.has(row.id) && !log.findings.some(({ requirement }) => requirement === row.id)) return false;
  return row.judgedBy.kind === 'suite'
    ? log.settled.has(row.id)
    : row.judgedBy.kind === 'passive' &&
        phase !== 'preflight' &&
        phase !== 'suites' &&
        // Its suites come last.
        log.header.scope.selection?.quick !== true;
}
