import type { VNode } from 'preact';
import type { Outcome } from '../../../verdict/verdict.js';
import { Glyph } from '../parts/glyph.js';
import { Text } from '../parts/text.js';
import { count } from '../../../format/format.js';
import { visible } from '../../../format/visible.js';
import { type Column } from './fold-weeks.js';
import { dayOf, sinceWords, steadinessWords, verdictWords, type Since } from '../../runs/history.js';
import { type Cell, type HistoryRow, type HistoryRun, type TargetHistory } from '../../../acceptance/history.js';
import { verdictOfRun } from './runs-table.js';
import { runLink, Track } from './cells.js';

export function TrackHead({
  runs,
  columns,
  first,
}: {
  readonly runs: readonly HistoryRun[];
  readonly columns: readonly Column[];
  readonly first: string;
}): VNode {
  const [from, to] = [runs.at(0), runs.at(-1)];
  const whole = columns.find(({ week }) => week === null)?.places[0] ?? 0;
  const middle = whole > 0 ? runs[whole] : undefined;
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        <th scope="col">
          <span class="span">
            <span>{from && dayOf(from)}</span>
            {middle && <span>each run from {dayOf(middle)}</span>}
            {runs.length > 1 && <span>{to && dayOf(to)}</span>}
          </span>
        </th>
        <th scope="col">Since, and stability</th>
      </tr>
    </thead>
  );
}

const VERDICT_CELLS = {
  conformant: 'passed',
  'non-conformant': 'failed',
  inconclusive: 'inconclusive',
  error: 'error',
} as const;

export function VerdictRow({
  history,
  columns,
}: {
  readonly history: TargetHistory;
  readonly columns: readonly Column[];
}) {
  const { runs, verdict } = history;
  const cells = runs.map((run): Cell =>
    run.obstacle !== null
      ? 'not-started'
      : run.complete || run.verdict === 'non-conformant'
        ? VERDICT_CELLS[run.verdict]
        : 'inconclusive',
  );
  return (
    <tr class="verdict-row">
      <th scope="row">
        <b>Verdict</b>
      </th>
      <td>
        <Track columns={columns} runs={runs} cells={cells} words={(_, run) => verdictOfRun(run)} />
      </td>
      <td>
        <SinceView since={verdictWords(verdict)} />
        {verdict.changes > 1 && <span class="note">; {steadinessWords({ ...verdict, flakyOn: [] })}</span>}
      </td>
    </tr>
  );
}

interface GroupProps {
  readonly title: string;
  readonly glyph: Outcome | null;
  readonly rows: readonly HistoryRow[];
  readonly runs: readonly HistoryRun[];
  readonly columns: readonly Column[];
}

export const Group = ({ title, glyph, rows, runs, columns }: GroupProps): VNode => (
  <>
    <h3 class={glyph === null ? '' : `ink-${glyph}`}>
      {glyph !== null && (
        <>
          <Glyph outcome={glyph} />{' '}
        </>
      )}
      {title} <span class="note">{count(rows.length)}</span>
    </h3>
    <table class="tracks">
      <TrackHead runs={runs} columns={columns} first="Requirement" />
      <tbody>
        {rows.map((row) => (
          <Row row={row} runs={runs} columns={columns} />
        ))}
      </tbody>
    </table>
  </>
);

function Row({
  row,
  runs,
  columns,
}: {
  readonly row: HistoryRow;
  readonly runs: readonly HistoryRun[];
  readonly columns: readonly Column[];
}): VNode {
  const newest = runs.at(-1);
  const steadiness = steadinessWords(row.tendency);
  return (
    <tr>
      <th scope="row" title={visible(row.statement)}>
        <a class="id" href={newest ? runLink(newest, row.id) : '#'}>
          {visible(row.id)}
        </a>
      </th>
      <td>
        <Track columns={columns} runs={runs} cells={row.cells} id={row.id} />
      </td>
      <td>
        <SinceView since={sinceWords(row.tendency)} id={row.id} />
        {steadiness !== '' && (
          <span class="note">
            ; <Text>{steadiness}</Text>
          </span>
        )}
        {row.tendency.last === null && <span class="note">{neverJudged(row)}</span>}
      </td>
    </tr>
  );
}

/** Describes rows that are only observed, or were never tested. */
const neverJudged = ({ cells }: HistoryRow): string =>
  cells.includes('observed') ? 'observed: the interface leaves it open' : 'not tested';

function SinceView({ since: { before, run, after }, id }: { readonly since: Since; readonly id?: string }): VNode {
  return (
    <>
      {before}
      {run && (
        <>
          {' '}
          <a href={runLink(run, id)}>{dayOf(run)}</a>
        </>
      )}
      {after !== '' && ` ${after}`}
    </>
  );
}
