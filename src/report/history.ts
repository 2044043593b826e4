import type { Outcome } from '../judge/verdict.js';
import { dayOf as dayIn } from '../base/kernel/day.js';
import { count, counted, latencyText, listed, minute, trimmed } from '../base/kernel/format.js';
import { safeText } from '../outcome/words/safe-text.js';
import { CAPACITY_LABELS } from '../outcome/words/outcomes.js';
import { standingWords } from '../outcome/words/standing.js';
import type {
  HistoryRow,
  HistoryRun,
  LoadRun,
  TargetHistory,
  Tendency,
} from '../outcome/acceptance/history.js';
import { AMOUNTS } from './amounts.js';

/** Returns the day of a run, as histories write it. */
export const dayOf = (run: Pick<HistoryRun, 'startedAt'>): string => dayIn(run.startedAt);

/** Words around the start day, which pages turn into a link. */
export interface Since {
  readonly before: string;
  readonly run?: HistoryRun;
  readonly after?: string;
}

/** Words for an outcome, and for passing again after it. */
const STATE: Readonly<Partial<Record<Outcome, readonly [now: string, again?: string]>>> = {
  failed: ['failing', 'fixed on'],
  warned: ['warned', 'fixed on'],
  inconclusive: ['inconclusive', 'determined again on'],
  passed: ['passing'],
};

/** Describes the start of a requirement's state: “failing since …”, “fixed on …”, “failing in all 12 runs”. */
export function sinceWords(tendency: Tendency<Outcome>): Since {
  const { last, before } = tendency;
  if (last === null) return { before: '' };
  if (last.state === 'passed' && before !== null)
    return { before: STATE[before]?.[1] ?? 'passing since', run: last.from };
  return since(tendency, STATE[last.state]?.[0] ?? last.state);
}

/** Describes the start of a verdict: “not conformant since …”, of runs with the scope of the newest only. */
export function verdictWords({ verdict, runs }: Pick<TargetHistory, 'verdict' | 'runs'>): Since {
  const { last } = verdict;
  const words = last ? lowered(standingWords(last.newest.standing)) : 'no verdict yet';
  const hasOthers = runs.some(
    ({ obstacle, selection }) => obstacle === null && selection !== runs.at(-1)?.selection,
  );
  return since(verdict, words, hasOthers ? ' of this scope' : '');
}

const lowered = (text: string): string => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;

/** @param scope words behind the runs, where a target has others that are not counted */
function since({ last, before, judged }: Tendency<string>, state: string, scope = ''): Since {
  if (last === null) return { before: state };
  if (before === null) return { before: `${state} ${inAll(judged)}${scope}` };
  return { before: `${state} since`, run: last.from, after: runsWords(last.runs) };
}

function inAll(runs: number): string {
  if (runs === 1) return 'in the only run';
  return runs === 2 ? 'in both runs' : `in all ${count(runs)} runs`;
}

const runsWords = (runs: number): string => (runs === 1 ? '' : `(${count(runs)} runs)`);

/** Describes stability: flaky only on the same build, otherwise the number of changes; empty for one change. */
export function steadinessWords<State extends string>({ changes, flakyOn }: Tendency<State>): string {
  if (flakyOn.length > 0) {
    const more = flakyOn.length > 2 ? ` and ${count(flakyOn.length - 2)} more` : '';
    return `flaky: more than one outcome on build ${listed(flakyOn.slice(-2))}${more}`;
  }
  return changes > 1 ? `changed ${count(changes)} times` : '';
}

/** “otherwise since 2026-11-02”, of a row that fails, but not as it failed before; null for others. */
export const otherwiseWords = ({ otherwise }: Pick<HistoryRow, 'otherwise'>): Since | null =>
  otherwise === null ? null : { before: 'otherwise since', run: otherwise };

/** Returns the words as one text. */
export const plainSince = ({ before, run, after }: Since): string =>
  [before, run && dayOf(run), after].filter(Boolean).join(' ');

/** Returns the rows with one of these newest outcomes. */
export const rowsNow = (
  rows: readonly HistoryRow[],
  ...outcomes: readonly Outcome[]
): readonly HistoryRow[] =>
  rows.filter(({ tendency: { last } }) => last !== null && outcomes.includes(last.state));

/** Rows that are flaky. */
export const flakyRows = (rows: readonly HistoryRow[]): readonly HistoryRow[] =>
  rows.filter(({ tendency }) => tendency.flakyOn.length > 0);

/** Returns a target's runs as one quotable sentence, own suites separate; its name is not escaped. */
export function historySentence(history: TargetHistory): string {
  const { target, runs, rows } = history;
  const [ours, own] = [rows.filter(({ isOwn }) => !isOwn), rows.filter(({ isOwn }) => isOwn)];
  const failing = rowsNow(ours, 'failed').length;
  const idle = runs.filter(({ obstacle }) => obstacle !== null).length;
  const ofOwn = [countedAs('failing', rowsNow(own, 'failed')), ...unsteady(own)].filter(
    (part) => part !== '',
  );
  const parts = [
    plainSince(verdictWords(history)),
    failing > 0 ? `${counted(failing, 'requirement')} ${failing === 1 ? 'fails' : 'fail'}` : '',
    ...unsteady(ours),
    ofOwn.length > 0 ? `own suites: ${ofOwn.join(', ')}` : '',
    idle > 0 ? `${counted(idle, 'run')} never started` : '',
  ];
  return `${target}: ${parts.filter((part) => part !== '').join('; ')}.`;
}

const countedAs = (word: string, rows: readonly HistoryRow[]): string =>
  rows.length > 0 ? `${count(rows.length)} ${word}` : '';

const unsteady = (rows: readonly HistoryRow[]): readonly string[] => [
  countedAs('inconclusive', rowsNow(rows, 'inconclusive')),
  countedAs('flaky', flakyRows(rows)),
];

/** Returns the verdict of a load run in words. */
export const loadVerdict = ({ verdict, complete, throughput }: LoadRun): string =>
  throughput === null
    ? 'never started'
    : `${CAPACITY_LABELS[verdict].toLowerCase()}${complete ? '' : ', cut short'}`;

const MOST = AMOUNTS.terminal.historyLines;

/** Returns load runs as terminal lines, newest first; older ones are counted. */
export function loadRunLines(runs: readonly LoadRun[]): readonly string[] {
  const shown = runs.toReversed().slice(0, MOST);
  const rest = runs.length - shown.length;
  return [
    ...(runs.length > 0 ? ['load runs, with the highest throughput and p99 of any phase'] : []),
    ...shown.map((run) => {
      const figures =
        run.throughput === null || run.p99 === null
          ? ''
          : `; throughput ${trimmed(run.throughput, 1)}/s, p99 ${latencyText(run.p99)}`;
      const build = run.label === null ? '' : `, build ${run.label}`;
      const text = `${minute(run.startedAt)}  ${run.scenario} on ${run.target}${build}: ${loadVerdict(run)}${figures}`;
      return `  ${safeText(text, true)}`;
    }),
    ...(rest > 0 ? [`  and ${count(rest)} earlier`] : []),
  ];
}

/** Returns a history as terminal lines: rows that need attention. */
export function historyLines(targets: readonly TargetHistory[]): readonly string[] {
  return targets.flatMap((one) => {
    const { rows } = one;
    const worth = [
      ...new Set([...rowsNow(rows, 'failed'), ...rowsNow(rows, 'inconclusive'), ...flakyRows(rows)]),
    ];
    return [
      safeText(historySentence(one), true),
      ...worth.slice(0, MOST).map((row) => {
        const otherwise = otherwiseWords(row);
        const words = [
          plainSince(sinceWords(row.tendency)),
          otherwise ? plainSince(otherwise) : '',
          steadinessWords(row.tendency),
        ]
          .filter(Boolean)
          .join('; ');
        return safeText(`  ${row.id.padEnd(30)} ${words}`, true);
      }),
      ...(worth.length > MOST ? [`  and ${counted(worth.length - MOST, 'requirement')} more`] : []),
    ];
  });
}

/** Returns a run's verdict in words, with a note if the run was cut short. */
export function verdictOfRun({ obstacle, complete, verdict, standing }: HistoryRun): string {
  if (obstacle !== null) return 'never started';
  const words = lowered(standingWords(standing));
  if (complete || verdict === 'error') return words;
  return verdict === 'non-conformant' ? `${words}, cut short` : 'cut short';
}
