import type { VNode } from 'preact';
import { VERDICT_LABELS } from '../../../words/outcomes.js';
import { clip } from '../../../format/visible.js';
import { ScrollTable } from '../markup/scroll-table.js';
import { Text } from '../parts/text.js';
import type { Column } from './fold-weeks.js';
import type { HistoryRun } from '../../../acceptance/history.js';
import { runLink } from './cells.js';
import { count, counted, duration, latencyText, moment, grouped } from '../../../format/format.js';

/** Longest reason that fits the table. */
const LONGEST_REASON = 160;

/** Returns a run's verdict in words, with a note if the run was cut short. */
export function verdictOfRun({ obstacle, complete, verdict }: HistoryRun): string {
  if (obstacle !== null) return 'never started';
  const words = VERDICT_LABELS[verdict].toLowerCase();
  if (complete || verdict === 'error') return words;
  return verdict === 'non-conformant' ? `${words}, cut short` : 'cut short';
}

/** Runs, newest first: recent ones in full, older ones folded by week. */
export function RunsTable({
  runs,
  columns,
}: {
  readonly runs: readonly HistoryRun[];
  readonly columns: readonly Column[];
}): VNode {
  const of = (places: readonly number[]) => places.flatMap((place) => runs[place] ?? []).toReversed();
  const whole = of(columns.filter(({ week }) => week === null).flatMap(({ places }) => places));
  const weeks = columns.filter(({ week }) => week !== null).toReversed();
  return (
    <>
      <Table label="The newest runs" runs={whole} />
      {weeks.length > 0 && <h3>Earlier runs, by week</h3>}
      {weeks.map(({ week, places }) => (
        <details class="week">
          <summary>
            Week of {week}: {verdictCounts(of(places))}
          </summary>
          <Table label={`The runs in the week of ${week}`} runs={of(places)} />
        </details>
      ))}
    </>
  );
}

const verdictCounts = (runs: readonly HistoryRun[]): string =>
  [...grouped(runs, verdictOfRun)].map(([words, { length }]) => `${length} ${words}`).join(', ');

function Table({ label, runs }: { readonly label: string; readonly runs: readonly HistoryRun[] }): VNode {
  const hasLabels = runs.some((run) => run.label !== null);
  const hasLoad = runs.some(({ latency }) => latency !== null);
  return (
    <ScrollTable
      label={label}
      class="runs"
      columns={[
        'Started',
        ...(hasLabels ? ['Build'] : []),
        'Verdict',
        'Scope and result',
        ['Requests', 'number'],
        ['Duration', 'number'],
        ...(hasLoad
          ? ([
              ['Median under load', 'number'],
              ['99th percentile', 'number'],
            ] as const)
          : []),
      ]}
    >
      <tbody>
        {runs.map((run) => (
          <tr>
            <th scope="row">
              <a href={runLink(run)}>{moment(run.startedAt).replace(/:\d\d UTC$/, '')}</a>
            </th>
            {hasLabels && <td>{run.label !== null && <Text longest={40}>{run.label}</Text>}</td>}
            <td class={INK[run.obstacle === null ? run.verdict : 'inconclusive']}>{verdictOfRun(run)}</td>
            <td class="wide">
              <Text>{whatOf(run)}</Text>
            </td>
            <td class="number">{count(run.requests)}</td>
            <td class="number">{duration(run.durationMs)}</td>
            {hasLoad && <td class="number">{run.latency ? latencyText(run.latency.p50) : ''}</td>}
            {hasLoad && <td class="number">{run.latency ? latencyText(run.latency.p99) : ''}</td>}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

const INK = {
  conformant: 'ink-passed',
  'non-conformant': 'ink-failed',
  inconclusive: 'ink-inconclusive',
  error: 'ink-error',
} as const;

const SCOPES = {
  all: 'all',
  suites: 'suites only',
  load: 'load only',
  part: 'a part',
  selection: 'a selection',
} as const;

/** Describes a run's scope and failed musts, or why it never started. */
function whatOf({ obstacle, scope, musts }: HistoryRun): string {
  if (obstacle !== null) return clip(obstacle, LONGEST_REASON);
  const failed = musts.failed === 0 ? 'none' : count(musts.failed);
  return `${SCOPES[scope]}: ${failed} of ${counted(musts.inScope, 'required behaviour')} ${musts.failed > 1 ? 'fail' : 'fails'}`;
}
