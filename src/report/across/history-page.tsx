import { partTitles } from '../../contract/parts.js';
import type { Outcome } from '../../verdict/verdict.js';
import { counted, duration, moment, trimmed } from '../wording/format.js';
import { ScrollArea } from '../markup/scroll-area.js';
import { TableHead } from '../markup/table-head.js';
import { OUTCOME_LABELS, VERDICT_LABELS } from '../wording/outcomes.js';
import { visible } from '../wording/visible.js';
import { historyByTarget } from './history.js';
import type { History, HistoryRow, HistoryRun, TargetHistory } from './history.js';
import { OutcomeStrip, outcomeCounts } from './outcome-strip.js';
import { renderPage } from './page-shell.js';
import { TrendChart } from './trend-chart.js';

/** All runs of a folder on one page, as HTML. Pure. */
export function historyPage(history: History): string {
  const targets = historyByTarget(history);
  return renderPage(
    'Runs over time',
    <>
      <h1>{headline(history, targets)}</h1>
      <Damaged damaged={history.damaged} />
      {targets.map((target) => (
        <Target key={target.target} {...target} />
      ))}
    </>,
  );
}

function headline({ runs }: History, targets: readonly TargetHistory[]): string {
  const [first, last] = [runs.at(0), runs.at(-1)];
  if (!first || !last) return 'There is no run in this folder.';
  const flaky = targets.flatMap(({ rows }) => rows.filter((row) => row.flaky)).length;
  const steady =
    flaky === 0
      ? 'no requirement changes to and fro'
      : `${counted(flaky, 'requirement')} ${flaky === 1 ? 'changes' : 'change'} to and fro`;
  return `${counted(runs.length, 'run')} of ${counted(targets.length, 'target')}, ${first.startedAt.slice(0, 10)} to ${last.startedAt.slice(0, 10)}: ${steady}.`;
}

const Damaged = ({ damaged }: Pick<History, 'damaged'>) =>
  damaged.length === 0 ? null : (
    <section>
      <h2>{counted(damaged.length, 'run')} could not be read</h2>
      <ul>
        {damaged.map(({ folder, problem }) => (
          <li key={folder}>
            {visible(folder)}: {visible(problem)}
          </li>
        ))}
      </ul>
    </section>
  );

function Target({ target, runs, rows }: TargetHistory) {
  const flaky = rows.filter((row) => row.flaky);
  const loud = rows.filter((row) => !isSteady(row, runs));
  const steady = rows.filter((row) => isSteady(row, runs));
  return (
    <section>
      <h2>
        {visible(target)}, {counted(runs.length, 'run')}
      </h2>
      <p class="quiet">
        Below, a cell a run, oldest on the left. Full height: failed. Then, ever lower: not established, warning,
        passed, observed, not tested.
      </p>
      <Runs runs={runs} />
      {flaky.length > 0 && <Matrix title="To and fro: unsteady target, or a check that is not sure" rows={flaky} />}
      <ByPart rows={loud} />
      {loud.length === 0 && (
        <p>In every run each requirement passed, was observed or was not tested, and none changed.</p>
      )}
      {steady.length > 0 && (
        <details>
          <summary>
            {counted(steady.length, 'requirement')} with one and the same outcome in every run, none of them bad
          </summary>
          <ByPart rows={steady} />
        </details>
      )}
      {runs.length > 1 && (
        <div class="charts">
          <TrendChart
            title="Requests"
            unit="a run"
            series={[{ label: 'requests', values: runs.map((run) => run.requests) }]}
          />
          <TrendChart
            title="Latency under load"
            unit="ms"
            series={[
              { label: 'median', values: runs.map(({ latency }) => latency?.p50 ?? null) },
              { label: '99th percentile', values: runs.map(({ latency }) => latency?.p99 ?? null) },
            ]}
          />
        </div>
      )}
    </section>
  );
}

const ByPart = ({ rows }: { readonly rows: readonly HistoryRow[] }) => (
  <>
    {[...new Set(rows.map((row) => row.part))].map((part) => (
      <Matrix key={part} title={`${part} ${partTitles[part]}`} rows={rows.filter((row) => row.part === part)} />
    ))}
  </>
);

const HARMLESS: ReadonlySet<Outcome> = new Set<Outcome>(['passed', 'observed', 'not-applicable']);

/** Nothing to look at: the same outcome in all runs that came to judge the requirement, and not a bad one. */
function isSteady({ cells }: HistoryRow, runs: readonly HistoryRun[]): boolean {
  const judged = cells.filter((cell, index) => cell !== 'inconclusive' || runs[index]?.complete);
  const outcomes = new Set(judged.filter((cell) => cell !== null));
  return outcomes.size < 2 && [...outcomes].every((outcome) => HARMLESS.has(outcome));
}

const Matrix = ({ title, rows }: { readonly title: string; readonly rows: readonly HistoryRow[] }) => (
  <>
    <h3>{title}</h3>
    <ScrollArea label={title}>
      <table class="matrix">
        <TableHead columns={['Requirement', 'Runs', 'Outcomes', 'Last']} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row" title={visible(row.statement)}>
                {visible(row.id)}
              </th>
              <td class="strip">
                <OutcomeStrip cells={row.cells} />
              </td>
              <td>
                {outcomeCounts(row.cells)}
                {row.switches > 0 && <span class="quiet">; {counted(row.switches, 'change')}</span>}
              </td>
              <td>{last(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  </>
);

function last({ cells }: HistoryRow): string {
  const outcome = cells.at(-1);
  return outcome ? OUTCOME_LABELS[outcome] : 'unknown to it';
}

/** More runs than these push the outcomes off the screen. */
const MOST_OPEN = 12;

const Runs = ({ runs }: { readonly runs: readonly HistoryRun[] }) => (
  <details open={runs.length <= MOST_OPEN}>
    <summary>The runs and their figures, newest first</summary>
    <ScrollArea label="The runs and their figures">
      <table>
        <TableHead
          columns={[
            'Started',
            'Verdict',
            ['Requests', 'number'],
            ['Took', 'number'],
            ['Median, ms', 'number'],
            ['99th percentile, ms', 'number'],
          ]}
        />
        <tbody>
          {runs.toReversed().map((run) => (
            <tr key={run.folder}>
              <th scope="row">
                <a href={`./${encodeURIComponent(run.folder)}/index.html`}>{moment(run.startedAt)}</a>
              </th>
              <td>
                {!run.complete && <b class="failed">Interrupted; </b>}
                {VERDICT_LABELS[run.verdict]}
              </td>
              <td class="number">{run.requests.toLocaleString('en-GB')}</td>
              <td class="number">{duration(run.durationMs)}</td>
              <td class="number">{run.latency ? trimmed(run.latency.p50, 1) : ''}</td>
              <td class="number">{run.latency ? trimmed(run.latency.p99, 1) : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  </details>
);
