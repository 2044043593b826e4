import type { Outcome } from '../judge/verdict.js';
import { dayOf as dayIn } from '../base/kernel/day.js';
import { count, counted, grouped, listed, lowered } from '../base/kernel/format.js';
import { oneLine } from '../base/kernel/visible.js';
import { AMOUNTS } from './amounts.js';
import { safeText } from '../outcome/words/safe-text.js';
import { buildWords } from '../outcome/words/verdict-sentence.js';
import { verdictGlyph, scopedVerdictWords } from '../outcome/words/scoped-verdict.js';
import type {
  History,
  HistoryRow,
  HistoryRun,
  TargetHistory,
  Tendency,
} from '../outcome/acceptance/history.js';

export const dayOf = (run: Pick<HistoryRun, 'startedAt'>): string => dayIn(run.startedAt);

/** Its build, otherwise its day. */
export const runName = (run: Pick<HistoryRun, 'startedAt' | 'label'>): string =>
  run.label === null ? dayOf(run) : buildWords(run.label);

/** Words around the run of a start, which pages turn into a link. */
export interface Since {
  readonly before: string;
  readonly run?: HistoryRun;
  readonly after?: string;
}

/** Words for an outcome, and for a good one after it. */
const STATE: Readonly<Partial<Record<Outcome, readonly [now: string, again?: string]>>> = {
  failed: ['failing', 'fixed'],
  warned: ['warned', 'fixed'],
  inconclusive: ['inconclusive', 'determined again'],
  passed: ['passing'],
};

/** Describes the start of a requirement's state: “failing since …”, “fixed on …”, “failing in all 12 runs”. */
export function sinceWords(tendency: Tendency<Outcome>): Since {
  const { last, before, known } = tendency;
  if (last === null) return { before: '' };
  // A night that could not tell fixes nothing: what failed before it was fixed by the run after it.
  const again = STATE[known ?? 'observed']?.[1] ?? STATE[before ?? 'observed']?.[1];
  if ((last.state === 'passed' || last.state === 'observed') && again !== undefined) {
    const { from } = last;
    return from.label === null
      ? { before: `${again} on`, run: from }
      : { before: `${again} in`, run: from, after: `(${dayOf(from)})` };
  }
  return since(tendency, STATE[last.state]?.[0] ?? last.state);
}

/**
 * Describes the verdict of each scope: “not conformant since …”, “suites conformant since …”. A target with
 * runs of one scope only needs no name of it.
 */
export function verdictWords({ verdicts }: Pick<TargetHistory, 'verdicts'>): readonly Since[] {
  if (verdicts.length === 0) return [{ before: 'no verdict yet' }];
  const isOnly = verdicts.length === 1;
  const lasting = verdicts.filter(({ isSuperseded }) => !isSuperseded);
  return lasting.map(({ scope, tendency }) => {
    const { last } = tendency;
    const isNamed = !isOnly && scope !== 'all';
    const name = isNamed ? SCOPE_NAMES[scope] : '';
    if (last === null)
      return {
        before: isOnly
          ? 'no verdict yet'
          : isNamed
            ? `${name} without a verdict`
            : 'without a verdict as a whole',
      };
    const { scoped, isUnmet } = last.newest;
    const words = lowered(scopedVerdictWords(isNamed ? { ...scoped, isPart: false } : scoped));
    const state = isUnmet ? `baseline not met, ${words}` : words;
    const isClause = isUnmet || scoped.accepted > 0;
    const named = isNamed ? `${name}${isClause ? ': ' : ' '}${state}` : state;
    return since(tendency, named, isOnly || isNamed ? '' : 'complete ');
  });
}

const SCOPE_NAMES = {
  all: 'all',
  suites: 'suites',
  load: 'load',
  traffic: 'traffic:',
  selection: 'a selection',
} as const;

/** @param kind words before the runs, where a target has others that are not counted */
function since({ last, before, judged }: Tendency<string>, state: string, kind = ''): Since {
  if (last === null) return { before: state };
  if (before === null) {
    const { label } = last.newest;
    const only = judged === 1 && label !== null ? ` (${buildWords(label)})` : '';
    return { before: `${state} ${inAll(judged, kind)}${only}` };
  }
  const day = last.from.label === null ? [] : [dayOf(last.from)];
  const runs = last.runs === 1 ? [] : [`${count(last.runs)} runs`];
  const after = [...day, ...runs].join(', ');
  return { before: `${state} since`, run: last.from, ...(after !== '' && { after: `(${after})` }) };
}

function inAll(runs: number, kind: string): string {
  if (runs === 1) return `in the only ${kind}run`;
  return runs === 2 ? `in both ${kind}runs` : `in all ${count(runs)} ${kind}runs`;
}

/** Describes stability: flaky only on the same build, otherwise the number of changes; empty for one change. */
export function steadinessWords<State extends string>({ changes, flakyOn }: Tendency<State>): string {
  if (flakyOn.length > 0) {
    const more = flakyOn.length > 2 ? ` and ${count(flakyOn.length - 2)} more` : '';
    return `flaky: more than one outcome on ${listed(flakyOn.slice(-2).map(buildWords))}${more}`;
  }
  return changes > 1 ? `changed ${count(changes)} times` : '';
}

/**
 * Returns what is said of a row, in clauses: since when it has its state, since when it fails otherwise than
 * before, how steady it is, and what its last result stands for.
 */
export const rowClauses = (row: HistoryRow): readonly Since[] =>
  [
    sinceWords(row.tendency),
    ...(row.otherwise === null ? [] : [{ before: 'otherwise since', run: row.otherwise }]),
    { before: steadinessWords(row.tendency) },
    { before: rowRemark(row) },
  ].filter(({ before }) => before !== '');

export const plainSince = ({ before, run, after }: Since): string =>
  [before, run && runName(run), after].filter(Boolean).join(' ');

export const rowsNow = (
  rows: readonly HistoryRow[],
  ...outcomes: readonly Outcome[]
): readonly HistoryRow[] =>
  rows.filter(({ tendency: { last } }) => last !== null && outcomes.includes(last.state));

export const flakyRows = (rows: readonly HistoryRow[]): readonly HistoryRow[] =>
  rows.filter(({ tendency }) => tendency.flakyOn.length > 0);

/** Own suites are separate; the target's name is not escaped. */
export function historySentence(history: TargetHistory): string {
  const { target, runs, rows } = history;
  const [ours, own] = [rows.filter(({ isOwn }) => !isOwn), rows.filter(({ isOwn }) => isOwn)];
  const failing = rowsNow(ours, 'failed').filter(({ isAccepted }) => !isAccepted);
  const now = failing.filter(({ lastTested }) => lastTested === null).length;
  const earlier = failing.length - now;
  const idle = runs.filter(({ obstacle }) => obstacle !== null).length;
  const ofOwn = [countedAs('failing', rowsNow(own, 'failed')), ...unsteady(own)].filter(
    (part) => part !== '',
  );
  const parts = [
    ...verdictWords(history).map(plainSince),
    now > 0 ? `${counted(now, 'requirement')} ${now === 1 ? 'fails' : 'fail'}` : '',
    // The newest run left them out, so its own count does not have them.
    earlier > 0 ? `${counted(earlier, 'requirement')} failed when last tested` : '',
    ...unsteady(ours),
    ofOwn.length > 0 ? `own suites: ${ofOwn.join(', ')}` : '',
    idle > 0 ? `${counted(idle, 'run')} never started` : '',
  ];
  return `${target}: ${parts.filter((part) => part !== '').join('; ')}.`;
}

const countedAs = (word: string, rows: readonly HistoryRow[]): string =>
  rows.length > 0 ? `${count(rows.length)} ${word}` : '';

const unsteady = (rows: readonly HistoryRow[]): readonly string[] => [
  countedAs(
    'inconclusive',
    rowsNow(rows, 'inconclusive').filter(({ lastTested }) => lastTested === null),
  ),
  countedAs('flaky', flakyRows(rows)),
];

const rowRemark = ({ isAccepted, lastTested }: Pick<HistoryRow, 'isAccepted' | 'lastTested'>): string =>
  [
    isAccepted ? 'accepted' : '',
    lastTested ? `last tested ${lastTested.label === null ? 'on' : 'in'} ${runName(lastTested)}` : '',
  ]
    .filter(Boolean)
    .join('; ');

/** Shows only rows that need attention. */
export function historyLines(targets: readonly TargetHistory[]): readonly string[] {
  return targets.flatMap((one) => {
    const { rows } = one;
    const worth = [
      ...new Set([...rowsNow(rows, 'failed'), ...rowsNow(rows, 'inconclusive'), ...flakyRows(rows)]),
    ];
    // Each failure has its line. A server that stopped leaves many rows open at once.
    const alike = grouped(
      worth,
      (row) => `${rowState(row) === 'inconclusive' ? '' : row.id}\n${wordsOfRow(row)}`,
    );
    return [
      safeText(historySentence(one), true),
      ...[...alike.values()].flatMap((some) =>
        some.length > AMOUNTS.terminal.alikeRows
          ? [line(counted(some.length, 'requirement'), `${wordsOfRow(some[0])}: ${namesOf(some)}`)]
          : some.map((row) => line(row.id, wordsOfRow(row))),
      ),
    ];
  });
}

const line = (name: string, words: string): string => safeText(`  ${name.padEnd(30)} ${words}`, true);

const rowState = ({ tendency }: HistoryRow): Outcome | undefined => tendency.last?.state;

const namesOf = (rows: readonly HistoryRow[]): string => {
  const shown = rows.slice(0, AMOUNTS.terminal.alikeRows).map(({ id }) => id);
  return `${shown.join(', ')} and ${count(rows.length - shown.length)} more`;
};

const wordsOfRow = (row: HistoryRow): string => rowClauses(row).map(plainSince).join('; ');

export function verdictOfRun(run: HistoryRun): string {
  const { obstacle, complete, verdict, scoped, isUnmet, clock, cause } = run;
  if (obstacle !== null) return 'never started';
  const baseline = isUnmet ? 'baseline not met; ' : '';
  const notes = [cause?.replace(/^The /, 'the '), clock].flatMap((note) => (note ? [`; ${note}`] : []));
  const words = `${baseline}${lowered(scopedVerdictWords(scoped))}${notes.join('')}`;
  if (complete || verdict === 'error') return words;
  return verdict === 'non-conformant' ? `${words}, cut short` : 'cut short';
}

/** Returns the outcome whose glyph and colour show a run's verdict. An unmet baseline ends with 1: it is red. */
export const runGlyph = ({ scoped, isUnmet }: Pick<HistoryRun, 'scoped' | 'isUnmet'>): Outcome =>
  isUnmet ? 'failed' : verdictGlyph(scoped);

/**
 * Most runs that could not be read, with a line each: more have one cause, such as another version of the
 * kit.
 */
const MOST_UNREAD = 10;

/** Names the runs that could not be read, each with the reason: the sentences above are without them. */
export const unreadLines = (damaged: History['damaged']): readonly string[] =>
  damaged.length === 0
    ? []
    : [
        `${counted(damaged.length, 'run')} could not be read:`,
        ...damaged
          .slice(0, MOST_UNREAD)
          .map(({ folder, problem }) => `  ${oneLine(folder)}: ${oneLine(problem)}`),
        ...(damaged.length > MOST_UNREAD
          ? [`  and ${count(damaged.length - MOST_UNREAD)} more, which the page lists`]
          : []),
      ];
