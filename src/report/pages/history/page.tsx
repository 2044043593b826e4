import type { Outcome } from '../../../judge/verdict.js';
import { OWN_TITLE } from '../../../outcome/words/own.js';
import { clip } from '../../../base/kernel/visible.js';
import { dayOf, flakyRows, historySentence, rowsNow, runGlyph, verdictOfRun } from '../../history.js';
import { LoadRuns } from './load-runs.js';
import { sparkLine } from './spark-line.js';
import {
  historyByTarget,
  type History,
  type HistoryRow,
  type HistoryRun,
  type TargetHistory,
} from '../../../outcome/acceptance/history.js';
import { isPageTitled, renderDocument } from '../document.js';
import { Head } from '../markup/head.js';
import { Facts, Fold, harmless, Items } from '../markup/lists.js';
import { Table } from '../markup/table.js';
import { Headline, Text } from '../parts/text.js';
import {
  CellLegend,
  columnsOf,
  countedWords,
  Group,
  runLink,
  SHOWN_WHOLE,
  VerdictTrack,
  type Column,
} from './tracks.js';
import { partTitles } from '../../../base/interface/names.js';
import {
  capital,
  count,
  counted,
  duration,
  ended,
  latencyText,
  listed,
  grouped,
  minute,
} from '../../../base/kernel/format.js';

const TITLE = 'History: ';

export const isHistoryPage = isPageTitled(TITLE);

const withoutTargets = ({ loadRuns }: History): string =>
  loadRuns.length === 0 ? 'This folder has no run.' : `${capital(counted(loadRuns.length, 'load run'))}.`;

const amountWords = ({ runs }: History, targets: ReturnType<typeof historyByTarget>): string =>
  `${counted(runs.length, 'run')} of ${counted(targets.length, 'target')}, ${listed(targets.map(({ target }) => target))}.`;

export function historyPage(history: History): string {
  const targets = historyByTarget(history);
  const [only, ...others] = targets;
  const headline =
    only === undefined
      ? withoutTargets(history)
      : others.length === 0
        ? historySentence(only)
        : amountWords(history, targets);
  return renderDocument({
    looks: 'several',
    title: `${TITLE}${headline}`,
    description: headline,
    body: (
      <>
        <Head
          glyph={null}
          word="History"
          judge={period(history.runs)}
          sentence={<Headline text={headline} />}
        />
        <main>
          {targets.map((target) => (
            <Target {...target} isAlone={others.length === 0} />
          ))}
          <LoadRuns runs={history.loadRuns} />
          <Aside history={history} />
        </main>
      </>
    ),
  });
}

function period(runs: readonly HistoryRun[]): string {
  const [first, last] = [runs.at(0), runs.at(-1)];
  if (!first || !last) return '';
  const [from, to] = [dayOf(first), dayOf(last)];
  return `${counted(runs.length, 'run')}, ${from === to ? from : `${from} to ${to}`}`;
}

function Aside({ history: { damaged } }: { readonly history: History }) {
  if (damaged.length === 0) return null;
  return (
    <section>
      <h2>Not shown</h2>
      <p>{counted(damaged.length, 'run')} could not be read:</p>
      <Items
        items={damaged.map(({ folder, problem }) => (
          <>
            {harmless(folder)}: {harmless(ended(problem))}
          </>
        ))}
      />
    </section>
  );
}

function Target({ isAlone, ...history }: TargetHistory & { readonly isAlone: boolean }) {
  const { target, runs, rows } = history;
  const columns = columnsOf(runs);
  const steady = rows.filter(isSteady);
  return (
    <>
      <section>
        <h2>{isAlone ? 'Run by run' : harmless(target)}</h2>
        {!isAlone && (
          <p class="lead">
            <Text longest={600}>{historySentence(history)}</Text>
          </p>
        )}
        <Figures runs={runs} />
        <CellLegend isFolded={columns.length < runs.length} />
        <VerdictTrack history={history} />
        {groupsOf(rows).map(
          ([title, glyph, members]) =>
            members.length > 0 && <Group title={title} glyph={glyph} rows={members} history={history} />,
        )}
        {steady.length > 0 && (
          <Fold title={steadyWords(steady)}>
            {[
              ...grouped(steady, ({ part, isOwn }) => (isOwn ? OWN_TITLE : `${part} ${partTitles[part]}`)),
            ].map(([title, members]) => (
              <Group title={title} glyph={null} rows={members} history={history} />
            ))}
          </Fold>
        )}
      </section>
      <section>
        <h2>The runs{isAlone ? '' : harmless(` of ${target}`)}</h2>
        <RunsTable runs={runs} columns={columns} />
      </section>
    </>
  );
}

/**
 * Returns whether a row needs no attention: passed in all runs that judged it, or only observed. One stretch
 * of nights in which the server was away left it open like all others, and its run says so.
 */
const isSteady = ({ cells, tendency: { last, changes, flakyOn } }: HistoryRow): boolean =>
  last === null ||
  last.state === 'observed' ||
  (last.state === 'passed' &&
    flakyOn.length === 0 &&
    changes <= ONE_STRETCH &&
    !cells.some((cell) => cell === 'failed' || cell === 'warned'));

/** Changes of a row that was open for one stretch of runs. */
const ONE_STRETCH = 2;

function steadyWords(rows: readonly HistoryRow[]): string {
  const passed = rows.filter(({ tendency: { last } }) => last?.state === 'passed').length;
  const others = rows.length - passed;
  return [
    ...(passed > 0
      ? [`${counted(passed, 'requirement')} passed in every run that judged ${passed === 1 ? 'it' : 'them'}`]
      : []),
    ...(others > 0 ? [`${counted(others, 'requirement')} only observed, or not tested`] : []),
  ].join('; ');
}

function groupsOf(
  rows: readonly HistoryRow[],
): readonly (readonly [string, Outcome, readonly HistoryRow[]])[] {
  const flaky = new Set(flakyRows(rows));
  const passing = rowsNow(rows, 'passed').filter((row) => !isSteady(row));
  return [
    ['Failing', 'failed', rowsNow(rows, 'failed')],
    ['Inconclusive', 'inconclusive', rowsNow(rows, 'inconclusive')],
    ['Warned', 'warned', rowsNow(rows, 'warned')],
    ['Passing, but flaky', 'inconclusive', passing.filter((row) => flaky.has(row))],
    ['Passing again', 'passed', passing.filter((row) => !flaky.has(row))],
  ];
}

/** Figures of the newest runs with the newest one's scope: others send other numbers of requests. */
function Figures({ runs }: { readonly runs: readonly HistoryRun[] }) {
  const started = runs.filter(({ obstacle, complete }) => obstacle === null && complete);
  const alike = started.filter(({ scope }) => scope === started.at(-1)?.scope).slice(-SHOWN_WHOLE);
  if (alike.length === 0) return null;
  const [requests, times] = [alike.map((run) => run.requests), alike.map(({ durationMs }) => durationMs)];
  // Profiles differ in what they send, so one curve is of one.
  const of = alike.findLast(({ latency }) => latency !== null)?.latency?.of;
  const p99 = alike.map(({ latency }) => (latency?.of === of ? (latency?.p99 ?? null) : null));
  return (
    <Facts
      class="sparks flow"
      facts={[
        sparkLine('Requests per run', requests, count),
        sparkLine('Duration', times, duration),
        sparkLine(`p99 of ${of ?? 'load'}`, p99, latencyText),
      ]}
    />
  );
}

const LONGEST_REASON = 160;

function RunsTable({
  runs,
  columns,
}: {
  readonly runs: readonly HistoryRun[];
  readonly columns: readonly Column[];
}) {
  const of = (places: readonly number[]) => places.flatMap((place) => runs[place] ?? []).toReversed();
  const whole = of(columns.filter(({ week }) => week === null).flatMap(({ places }) => places));
  const weeks = columns.filter(({ week }) => week !== null).toReversed();
  return (
    <>
      <Runs label="The newest runs" runs={whole} />
      {weeks.length > 0 && <h3>Earlier runs, by week</h3>}
      {weeks.map(({ week, places }) => (
        <details class="week">
          <summary>
            Week of {week}: {countedWords(of(places).map(verdictOfRun))}
          </summary>
          <Runs label={`The runs in the week of ${week}`} runs={of(places)} />
        </details>
      ))}
    </>
  );
}

function Runs({ label, runs }: { readonly label: string; readonly runs: readonly HistoryRun[] }) {
  const hasLabels = runs.some((run) => run.label !== null);
  const hasLoad = runs.some(({ latency }) => latency !== null);
  return (
    <Table
      label={label}
      class="dense runs"
      columns={[
        'Started',
        ...(hasLabels ? [['Build', 'left'] as const] : []),
        ['Verdict', 'left'],
        ['Scope and result', 'left wide'],
        'Requests',
        'Duration',
        ...(hasLoad ? [['p99 under load', 'left'] as const] : []),
      ]}
      rows={runs.map((run) => [
        <a href={runLink(run)}>{minute(run.startedAt).replace(/ UTC$/, '')}</a>,
        ...(hasLabels ? [run.label ?? ''] : []),
        <td class={`left ink-${run.obstacle === null ? runGlyph(run) : 'inconclusive'}`}>
          {verdictOfRun(run)}
        </td>,
        whatOf(run),
        count(run.requests),
        duration(run.durationMs),
        ...(hasLoad ? [run.latency ? `${latencyText(run.latency.p99)}, ${run.latency.of}` : ''] : []),
      ])}
    />
  );
}

const SCOPES = {
  all: 'all',
  suites: 'suites only',
  load: 'load only',
  traffic: 'traffic',
  selection: 'a selection',
} as const;

function whatOf({ obstacle, scope, musts: { failed, accepted, inScope, judged } }: HistoryRun): string {
  // The full stop after an address stands apart, and would get its own line.
  if (obstacle !== null) return clip(obstacle.replace(/ \.$/, ''), LONGEST_REASON);
  const of = counted(inScope, 'required behaviour');
  const deviations = accepted > 0 ? counted(accepted, 'accepted deviation') : '';
  // “None fails” would contradict the accepted rows, which the page lists as failing.
  if (failed === 0 && accepted > 0) return `${SCOPES[scope]}: ${deviations} in ${of}`;
  const [amount, verb] = [failed === 0 ? 'none' : count(failed), failed > 1 ? 'fail' : 'fails'];
  // A run that judged little says how much.
  const words =
    judged < inScope ? `${count(judged)} of ${of} judged, ${amount} ${verb}` : `${amount} of ${of} ${verb}`;
  return `${SCOPES[scope]}: ${[words, deviations].filter((part) => part !== '').join('; ')}`;
}
