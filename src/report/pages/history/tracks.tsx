import type { VNode } from 'preact';
import { WORST_FIRST, type Outcome } from '../../../verdict/verdict.js';
import { count, counted, grouped, moment } from '../../../format/format.js';
import { OUTCOME_LABELS } from '../../../words/outcomes.js';
import { oneLine, visible } from '../../../format/visible.js';
import { dayOf, sinceWords, steadinessWords, verdictOfRun, verdictWords, type Since } from '../../history.js';
import type { Cell, HistoryRow, HistoryRun, TargetHistory } from '../../../acceptance/history.js';
import { VERDICT_GLYPHS } from '../markup/head.js';
import { Table } from '../markup/table.js';
import { Glyph } from '../parts/glyph.js';
import { Text } from '../parts/text.js';

/** Number of newest runs shown individually. */
export const SHOWN_WHOLE = 30;

/** A column of a history: a run, or a week of older runs. */
export interface Column {
  /** Monday of the week, ISO date; null for a single run. */
  readonly week: string | null;
  /** Positions of its runs among all of the target; never empty. */
  readonly places: readonly number[];
}

/** Returns columns: one per recent run, one per week before that. Pure. */
export function columnsOf(runs: readonly Pick<HistoryRun, 'startedAt'>[]): readonly Column[] {
  const folded = Math.max(0, runs.length - SHOWN_WHOLE);
  const weeks = grouped(
    runs.slice(0, folded).map(({ startedAt }, place) => ({ place, week: mondayOf(startedAt) })),
    ({ week }) => week,
  );
  return [
    ...[...weeks].map(([week, members]) => ({ week, places: members.map(({ place }) => place) })),
    ...runs.slice(folded).map((_, place) => ({ week: null, places: [folded + place] })),
  ];
}

/** Returns the Monday of a time's week in UTC, ISO date. */
export function mondayOf(iso: string): string {
  const day = new Date(iso);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

/** Class of a cell. What needs attention differs in height, not only in colour. */
const CELL_CLASSES: Readonly<Record<NonNullable<Cell>, string>> = {
  error: 'c-e',
  failed: 'c-f',
  inconclusive: 'c-i',
  warned: 'c-w',
  passed: 'c-p',
  observed: 'c-o',
  'not-applicable': 'c-n',
  'not-started': 'c-s',
};

const cellWords = (cell: NonNullable<Cell>): string =>
  cell === 'not-started' ? 'never started' : OUTCOME_LABELS[cell];

/** Worst first; a run that never started comes last. */
const ORDER: readonly NonNullable<Cell>[] = [...WORST_FIRST, 'not-started'];

/** Returns the link to a run's page, from the history's folder; `id` is the card to open. */
export const runLink = ({ folder, base = '.' }: Pick<HistoryRun, 'folder' | 'base'>, id = ''): string =>
  `${base}/${encodeURIComponent(folder)}/index.html${id === '' ? '' : `#${encodeURIComponent(id)}`}`;

interface TrackProps {
  readonly columns: readonly Column[];
  readonly runs: readonly HistoryRun[];
  readonly cells: readonly Cell[];
  /** Card that a cell links to; default: the first screen. */
  readonly id?: string;
  /** Text of a cell, where it is not the outcome's name. */
  readonly words?: (cell: NonNullable<Cell>, run: HistoryRun) => string;
}

/** Runs of a row, oldest first: each a link to its result, with day, outcome and build as a tooltip. */
function Track({ columns, runs, cells, id = '', words = cellWords }: TrackProps): VNode {
  return (
    <div class="cells">
      {columns.map(({ week, places }) => {
        const worst = ORDER.find((outcome) => places.some((place) => cells[place] === outcome));
        const place = places.findLast((one) => cells[one] === worst);
        const run = place === undefined ? undefined : runs[place];
        const aside = week === null ? '' : 'week';
        if (!worst || !run) return <span class={aside} />;
        const tip =
          week === null
            ? `${moment(run.startedAt)}: ${words(worst, run)}${run.label === null ? '' : `, build ${run.label}`}`
            : `week of ${week}: ${weekWords(places, cells, runs, words)}; opens ${dayOf(run)}`;
        return (
          <a
            class={`${aside} ${CELL_CLASSES[worst]}`.trim()}
            href={runLink(run, id)}
            title={oneLine(tip)}
            // A hundred links per row would block keyboard users; only cells that need attention are tab stops.
            {...(LOUD.has(worst) ? {} : { tabindex: -1 })}
          />
        );
      })}
    </div>
  );
}

const LOUD: ReadonlySet<Cell> = new Set<Cell>(['error', 'failed', 'inconclusive', 'warned']);

/** “5 passed, 2 failed”, worst first. */
function weekWords(
  places: readonly number[],
  cells: readonly Cell[],
  runs: readonly HistoryRun[],
  words: NonNullable<TrackProps['words']>,
): string {
  const said = ORDER.flatMap((outcome) =>
    places.flatMap((place) => {
      const run = runs[place];
      return cells[place] === outcome && run ? [words(outcome, run)] : [];
    }),
  );
  return (
    [...grouped(said, (word) => word)].map(([word, { length }]) => `${length} ${word}`).join(', ') ||
    counted(places.length, 'run')
  );
}

interface TracksProps {
  readonly history: TargetHistory;
  readonly columns: readonly Column[];
}

/** A table of tracks, below the days of the first and the last run. */
function Tracks({
  history: { runs },
  columns,
  first,
  rows,
}: TracksProps & { readonly first: string; readonly rows: Parameters<typeof Table>[0]['rows'] }): VNode {
  const [from, to] = [runs.at(0), runs.at(-1)];
  const whole = columns.find(({ week }) => week === null)?.places[0] ?? 0;
  const middle = whole > 0 ? runs[whole] : undefined;
  const days = (
    <span class="span">
      <span>{from && dayOf(from)}</span>
      {middle && <span>each run from {dayOf(middle)}</span>}
      {runs.length > 1 && <span>{to && dayOf(to)}</span>}
    </span>
  );
  return <Table class="tracks" columns={[first, [days], 'Since, and stability']} rows={rows ?? []} />;
}

/** The verdict of each run. */
export function VerdictTrack({ history, columns }: TracksProps): VNode {
  const { runs, verdict } = history;
  const cells = runs.map((run): Cell =>
    run.obstacle !== null
      ? 'not-started'
      : run.complete || run.verdict === 'non-conformant'
        ? VERDICT_GLYPHS[run.verdict]
        : 'inconclusive',
  );
  const row = [
    <b>Verdict</b>,
    <Track columns={columns} runs={runs} cells={cells} words={(_, run) => verdictOfRun(run)} />,
    <>
      <SinceView since={verdictWords(verdict)} />
      {verdict.changes > 1 && <span class="note">; {steadinessWords({ ...verdict, flakyOn: [] })}</span>}
    </>,
  ];
  return <Tracks history={history} columns={columns} first="Each run" rows={[{ class: 'verdict-row', cells: row }]} />;
}

interface GroupProps extends TracksProps {
  readonly title: string;
  readonly glyph: Outcome | null;
  readonly rows: readonly HistoryRow[];
}

/** Requirements with the same current outcome, a track each. */
export function Group({ title, glyph, rows, history, columns }: GroupProps): VNode {
  const { runs } = history;
  const newest = runs.at(-1);
  return (
    <>
      <h3 class={glyph === null ? '' : `ink-${glyph}`}>
        {glyph !== null && <Glyph outcome={glyph} />} {title} <span class="note">{count(rows.length)}</span>
      </h3>
      <Tracks
        history={history}
        columns={columns}
        first="Requirement"
        rows={rows.map((row) => [
          <th scope="row" title={visible(row.statement)}>
            <a class="id" href={newest ? runLink(newest, row.id) : '#'}>
              {visible(row.id)}
            </a>
          </th>,
          <Track columns={columns} runs={runs} cells={row.cells} id={row.id} />,
          <Stability row={row} />,
        ])}
      />
    </>
  );
}

function Stability({ row: { id, tendency, cells } }: { readonly row: HistoryRow }): VNode {
  const steadiness = steadinessWords(tendency);
  return (
    <>
      <SinceView since={sinceWords(tendency)} id={id} />
      {steadiness !== '' && (
        <span class="note">
          ; <Text>{steadiness}</Text>
        </span>
      )}
      {tendency.last === null && (
        <span class="note">{cells.includes('observed') ? 'observed: the interface leaves it open' : 'not tested'}</span>
      )}
    </>
  );
}

const SinceView = ({ since: { before, run, after }, id }: { readonly since: Since; readonly id?: string }): VNode => (
  <>
    {before} {run && <a href={runLink(run, id)}>{dayOf(run)}</a>} {after}
  </>
);

const LEGEND: readonly NonNullable<Cell>[] = [
  'failed',
  'inconclusive',
  'warned',
  'passed',
  'observed',
  'not-applicable',
  'not-started',
];

/** Meaning of the cells. */
export const CellLegend = ({ isFolded }: { readonly isFolded: boolean }): VNode => (
  <p class="legend">
    {LEGEND.map((cell) => (
      <span>
        <i class={CELL_CLASSES[cell]} />
        {cellWords(cell)}
      </span>
    ))}
    {isFolded && <span>Narrow: the worst outcome of a week. Then the last {SHOWN_WHOLE} runs, each on its own</span>}
  </p>
);
