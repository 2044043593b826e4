import type { VNode } from 'preact';
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { Outcome } from '../../../verdict/verdict.js';
import { OWN_TITLE } from '../../../words/own.js';
import { Text } from '../parts/text.js';
import { columnsOf, SHOWN_WHOLE } from './fold-weeks.js';
import { dayOf, flakyRows, historySentence, rowsNow } from '../../runs/history.js';
import {
  historyByTarget,
  type Cell,
  type History,
  type HistoryRow,
  type HistoryRun,
  type TargetHistory,
} from '../../../acceptance/history.js';
import { renderDocument } from '../document.js';
import { runsLooks } from '../looks/looks.js';
import { Headline } from '../parts/headline.js';
import { RunsTable } from './runs-table.js';
import { CELL_CLASSES, cellWords } from './cells.js';
import { TrackHead, VerdictRow, Group } from './rows.js';
import { partTitles } from '../../../contract/names.js';
import { capital, count, counted, duration, ended, latencyText, listed, grouped } from '../../../format/format.js';

const WIDTH = 100;
const HEIGHT = 20;

interface SparkLineProps {
  readonly label: string;
  /** One per run, oldest first; null without a value. */
  readonly values: readonly (number | null)[];
  readonly text: (value: number) => string;
}

/** A figure of the newest run with its range and a small curve; null without one. */
function SparkLine({ label, values, text }: SparkLineProps): VNode | null {
  const known = values.filter((value) => value !== null);
  const last = known.at(-1);
  if (last === undefined) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [0, WIDTH]);
  const y = scaleLinear([Math.min(low, 0), Math.max(high, 1e-9)], [HEIGHT, 0]);
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, at) => Math.round(x(at) * 10) / 10)
    .y((value) => Math.round(y(value ?? 0) * 10) / 10);
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <b>{text(last)}</b>
        {known.length > 2 && (
          <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            <path d={path(values) ?? ''} />
          </svg>
        )}
        {low !== high && (
          <span class="note">
            {text(low)} to {text(high)}
          </span>
        )}
      </dd>
    </div>
  );
}

const TITLE = 'History: ';

/** Returns whether a text is a history page, of this or an older kit. */
export const isHistoryPage = (text: string): boolean =>
  text.startsWith('<!doctype html>') && text.includes(`<title>${TITLE}`);

/** Renders all runs of a folder on one HTML page. Pure. */
export function historyPage(history: History): string {
  const targets = historyByTarget(history);
  const [only, ...others] = targets;
  const headline =
    only === undefined
      ? 'This folder has no run.'
      : others.length === 0
        ? historySentence(only)
        : `${counted(history.runs.length, 'run')} of ${counted(targets.length, 'target')}, ${listed(targets.map(({ target }) => target))}.`;
  return renderDocument({
    looks: runsLooks(),
    title: `${TITLE}${headline}`,
    description: headline,
    body: (
      <>
        <header class="head">
          <p class="verdict-word">
            History<span class="judge">{period(history.runs)}</span>
          </p>
          <h1>
            <Headline text={headline} />
          </h1>
        </header>
        <main>
          {targets.map((target) => (
            <Target {...target} isAlone={others.length === 0} />
          ))}
          <Aside history={history} />
        </main>
      </>
    ),
  });
}

function period(runs: readonly HistoryRun[]): string {
  const [first, last] = [runs.at(0), runs.at(-1)];
  return first && last ? `${counted(runs.length, 'run')}, ${dayOf(first)} to ${dayOf(last)}` : '';
}

/** Folders that are not part of a target's history. */
function Aside({ history: { damaged, loadRuns } }: { readonly history: History }): VNode | null {
  if (damaged.length === 0 && loadRuns === 0) return null;
  return (
    <section>
      <h2>Not shown</h2>
      {loadRuns > 0 && <p>{capital(counted(loadRuns, 'load run'))}: compare two of them to see what changed.</p>}
      {damaged.length > 0 && (
        <>
          <p>{counted(damaged.length, 'run')} could not be read:</p>
          <ul class="reasons">
            {damaged.map(({ folder, problem }) => (
              <li>
                <Text longest={200}>{folder}</Text>: <Text longest={300}>{ended(problem)}</Text>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Target({ isAlone, ...history }: TargetHistory & { readonly isAlone: boolean }): VNode {
  const { target, runs, rows } = history;
  const columns = columnsOf(runs);
  const groups = groupsOf(rows);
  const steady = rows.filter((row) => isSteady(row));
  return (
    <>
      <section>
        <h2>{isAlone ? 'Run by run' : <Text longest={120}>{target}</Text>}</h2>
        {!isAlone && (
          <p class="lead">
            <Text longest={600}>{historySentence(history)}</Text>
          </p>
        )}
        <Figures runs={runs} />
        <Legend isFolded={columns.length < runs.length} />
        <table class="tracks">
          <TrackHead runs={runs} columns={columns} first="Each run" />
          <tbody>
            <VerdictRow history={history} columns={columns} />
          </tbody>
        </table>
        {groups.map(({ title, glyph, members }) => (
          <Group title={title} glyph={glyph} rows={members} runs={runs} columns={columns} />
        ))}
        {steady.length > 0 && (
          <details class="fold">
            <summary>
              {counted(steady.length, 'requirement')} with the same outcome in every run that tested{' '}
              {steady.length === 1 ? 'it' : 'them'}
            </summary>
            {[...grouped(steady, ({ part, isOwn }) => (isOwn ? OWN_TITLE : `${part} ${partTitles[part]}`))].map(
              ([title, members]) => (
                <Group title={title} glyph={null} rows={members} runs={runs} columns={columns} />
              ),
            )}
          </details>
        )}
      </section>
      <section>
        <h2>The runs{isAlone ? '' : <Text longest={120}>{` of ${target}`}</Text>}</h2>
        <RunsTable runs={runs} columns={columns} />
      </section>
    </>
  );
}

/** Returns whether a row needs no attention: one good outcome in all runs that judged it. */
const isSteady = ({ tendency: { last, changes } }: HistoryRow): boolean =>
  changes === 0 && (last === null || last.state === 'passed');

interface RowGroup {
  readonly title: string;
  readonly glyph: Outcome;
  readonly members: readonly HistoryRow[];
}

/** Groups unsteady rows by current outcome, worst first. */
function groupsOf(rows: readonly HistoryRow[]): readonly RowGroup[] {
  const flaky = new Set(flakyRows(rows).map(({ id }) => id));
  const passing = rowsNow(rows, 'passed').filter((row) => !isSteady(row));
  const groups: readonly RowGroup[] = [
    { title: 'Failing', glyph: 'failed', members: rowsNow(rows, 'failed') },
    { title: 'Inconclusive', glyph: 'inconclusive', members: rowsNow(rows, 'inconclusive') },
    { title: 'Warned', glyph: 'warned', members: rowsNow(rows, 'warned') },
    { title: 'Passing, but flaky', glyph: 'inconclusive', members: passing.filter(({ id }) => flaky.has(id)) },
    { title: 'Passing again', glyph: 'passed', members: passing.filter(({ id }) => !flaky.has(id)) },
  ];
  return groups.filter(({ members }) => members.length > 0);
}

/** Figures of the newest runs with the newest one's scope: others send other numbers of requests. */
function Figures({ runs }: { readonly runs: readonly HistoryRun[] }): VNode | null {
  const started = runs.filter(({ obstacle, complete }) => obstacle === null && complete);
  const alike = started.filter(({ scope }) => scope === started.at(-1)?.scope).slice(-SHOWN_WHOLE);
  if (alike.length === 0) return null;
  return (
    <dl class="sparks">
      <SparkLine label="Requests per run" values={alike.map(({ requests }) => requests)} text={count} />
      <SparkLine label="Duration" values={alike.map(({ durationMs }) => durationMs)} text={duration} />
      <SparkLine
        label="99th percentile under load"
        values={alike.map(({ latency }) => latency?.p99 ?? null)}
        text={latencyText}
      />
    </dl>
  );
}

const LEGEND: readonly NonNullable<Cell>[] = [
  'failed',
  'inconclusive',
  'warned',
  'passed',
  'observed',
  'not-applicable',
  'not-started',
];

function Legend({ isFolded }: { readonly isFolded: boolean }): VNode {
  return (
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
}
