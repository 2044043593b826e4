import { onceEach } from '../../../base/kernel/once-each.js';
import { WORST_FIRST, type Outcome } from '../../../judge/verdict.js';
import { count, grouped, moment } from '../../../base/kernel/format.js';
import { OUTCOME_LABELS, LOUD } from '../../../outcome/words/outcomes.js';
import { oneLine, visible } from '../../../base/kernel/visible.js';
import {
  dayOf,
  rowClauses,
  runGlyph,
  runName,
  steadinessWords,
  verdictOfRun,
  verdictWords,
  type Since,
} from '../../history.js';
import type { Cell, HistoryRow, HistoryRun, TargetHistory } from '../../../outcome/acceptance/history.js';
import { harmless } from '../markup/lists.js';
import { Table } from '../markup/table.js';
import { Glyph } from '../parts/glyph.js';

/** Number of newest runs shown individually. */
export const SHOWN_WHOLE = 30;

/**
 * Returns columns: one per week of older runs, named by its Monday, then one per recent run. `places` are the
 * positions of its runs among all of the target. Pure.
 */
export const columnsOf = onceEach((runs: readonly Pick<HistoryRun, 'startedAt'>[]) => {
  const folded = Math.max(0, runs.length - SHOWN_WHOLE);
  const weeks = grouped(
    runs.slice(0, folded).map(({ startedAt }, place) => ({ place, week: mondayOf(startedAt) })),
    ({ week }) => week,
  );
  return [
    ...[...weeks].map(([week, members]) => ({ week, places: members.map(({ place }) => place) })),
    ...runs.slice(folded).map((_, place) => ({ week: null, places: [folded + place] })),
  ];
});

export type Column = ReturnType<typeof columnsOf>[number];

/** Returns the Monday of a time's week in UTC, ISO date. */
export function mondayOf(iso: string): string {
  const day = new Date(iso);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

/** Class of a cell. What needs attention differs in height, not only in colour. */
const classOf = (cell: NonNullable<Cell>): string => `c-${cell}`;

const cellWords = (cell: NonNullable<Cell>): string =>
  cell === 'not-started' ? 'never started' : OUTCOME_LABELS[cell];

/** Worst first; a run that never started comes last. */
const ORDER: readonly NonNullable<Cell>[] = [...WORST_FIRST, 'not-started'];

/** From the history's folder; `id` is the card to open. */
export const runLink = ({ folder, base = '.' }: Pick<HistoryRun, 'folder' | 'base'>, id = ''): string =>
  `${base}/${encodeURIComponent(folder)}/index.html${id === '' ? '' : `#${encodeURIComponent(id)}`}`;

interface TrackProps {
  readonly history: TargetHistory;
  readonly cells: readonly Cell[];
  /** Card that a cell links to; default: the first screen. */
  readonly id?: string;
  /** Text of a cell, where it is not the outcome's name. */
  readonly words?: (cell: NonNullable<Cell>, run: HistoryRun) => string;
}

/** Oldest first. */
function Track({ history: { runs }, cells, id = '', words = cellWords }: TrackProps) {
  return (
    <div class="cells">
      {columnsOf(runs).map(({ week, places }) => {
        const worst = ORDER.find((outcome) => places.some((place) => cells[place] === outcome));
        const newest = places.findLast((place) => cells[place] === worst);
        const run = newest === undefined ? undefined : runs[newest];
        const aside = week === null ? '' : 'week';
        if (!worst || !run) return <span class={aside} />;
        const having = (outcome: Cell) =>
          places.filter((place) => cells[place] === outcome).flatMap((place) => runs[place] ?? []);
        const weekWords = (): string =>
          countedWords(ORDER.flatMap((outcome) => having(outcome).map((each) => words(outcome, each))));
        const tip =
          week === null
            ? `${moment(run.startedAt)}: ${words(worst, run)}${run.label === null ? '' : `, ${runName(run)}`}`
            : `week of ${week}: ${weekWords()}; opens ${dayOf(run)}`;
        return (
          <a
            class={`${aside} ${classOf(worst)}`.trim()}
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

/** Counts equal texts: “5 passed, 2 failed”. */
export const countedWords = (said: readonly string[]): string =>
  [...grouped(said, (word) => word)].map(([word, { length }]) => `${length} ${word}`).join(', ');

const dayAndBuild = (run: HistoryRun): string =>
  run.label === null ? dayOf(run) : `${dayOf(run)}, ${oneLine(runName(run))}`;

function tracksOf({ runs }: TargetHistory, first: string): Parameters<typeof Table>[0]['columns'] {
  const [from, to] = [runs.at(0), runs.at(-1)];
  const whole = runs.length > SHOWN_WHOLE ? runs.at(-SHOWN_WHOLE) : undefined;
  const days = (
    <span class="span">
      <span>{from && dayAndBuild(from)}</span>
      {whole && <span>each run from {dayOf(whole)}</span>}
      {runs.length > 1 && <span>{to && dayAndBuild(to)}</span>}
    </span>
  );
  return [first, [days], 'Since, and stability'];
}

export function VerdictTrack({ history }: { readonly history: TargetHistory }) {
  const { runs } = history;
  const cells = runs.map((run): Cell =>
    run.obstacle !== null
      ? 'not-started'
      : run.complete || run.verdict === 'non-conformant'
        ? runGlyph(run)
        : 'inconclusive',
  );
  // Of the scope that comes first: the whole, where it was run.
  const tendency = history.verdicts[0]?.tendency;
  const row = [
    <b>Verdict</b>,
    <Track history={history} cells={cells} words={(_, run) => verdictOfRun(run)} />,
    <>
      {verdictWords(history).map((since, at) => (
        <>
          {at > 0 && '; '}
          <SinceView since={since} />
        </>
      ))}
      {tendency && tendency.changes > 1 && (
        <span class="note">; {steadinessWords({ ...tendency, flakyOn: [] })}</span>
      )}
    </>,
  ];
  return (
    <Table
      class="tracks"
      columns={tracksOf(history, 'Each run')}
      rows={[{ class: 'verdict-row', cells: row }]}
    />
  );
}

interface GroupProps {
  readonly history: TargetHistory;
  readonly title: string;
  readonly glyph: Outcome | null;
  readonly rows: readonly HistoryRow[];
}

export function Group({ title, glyph, rows, history }: GroupProps) {
  const newest = history.runs.at(-1);
  return (
    <>
      <h3 class={glyph === null ? '' : `ink-${glyph}`}>
        {glyph !== null && <Glyph outcome={glyph} />} {title} <span class="note">{count(rows.length)}</span>
      </h3>
      <Table
        class="tracks"
        columns={tracksOf(history, 'Requirement')}
        rows={rows.map((row) => {
          const { id, statement, cells } = row;
          const clauses = rowClauses(row);
          return [
            <th scope="row" title={visible(statement)}>
              <a class="id below" href={newest ? runLink(newest, id) : '#'}>
                {visible(id)}
              </a>
            </th>,
            <Track history={history} cells={cells} id={id} />,
            <>
              {clauses.map((since, at) =>
                at > 0 && since.run === undefined ? (
                  <span class="note">; {harmless(since.before)}</span>
                ) : (
                  <>
                    {at > 0 && '; '}
                    <SinceView since={since} id={id} />
                  </>
                ),
              )}
              {clauses.length === 0 && <span class="note">not tested</span>}
            </>,
          ];
        })}
      />
    </>
  );
}

const SinceView = ({
  since: { before, run, after },
  id,
}: {
  readonly since: Since;
  readonly id?: string;
}) => (
  <>
    {harmless(before)}
    {run && (
      <>
        {' '}
        <a href={runLink(run, id)}>{harmless(runName(run))}</a>
      </>
    )}
    {after && ` ${after}`}
  </>
);

export const CellLegend = ({ isFolded }: { readonly isFolded: boolean }) => (
  <p class="legend flow note">
    {ORDER.filter((cell) => cell !== 'error').map((cell) => (
      <span>
        <i class={classOf(cell)} />
        {cellWords(cell)}
      </span>
    ))}
    {isFolded && (
      <span>Narrow: the worst outcome of a week. Then the last {SHOWN_WHOLE} runs, each on its own</span>
    )}
  </p>
);
