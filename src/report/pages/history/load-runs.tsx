import { minute } from '../../../base/kernel/format.js';
import { loadTrends, type LoadRun } from '../../../outcome/acceptance/load-history.js';
import { figureWords, loadVerdict, trendName, trendValue, trendWords } from '../../load-history.js';
import { Facts } from '../markup/lists.js';
import { Table, textColumns } from '../markup/table.js';
import { sparkLine } from './spark-line.js';
import { runLink } from './tracks.js';

export function LoadRuns({ runs }: { readonly runs: readonly LoadRun[] }) {
  if (runs.length === 0) return null;
  const trends = loadTrends(runs);
  return (
    <section>
      <h2>Load runs</h2>
      {trends.length > 0 && (
        <Facts
          class="sparks flow"
          facts={trends.map((trend) =>
            sparkLine(
              trendName(trend),
              trend.values.map(({ value }) => value),
              (value) => trendValue(trend, value),
            ),
          )}
        />
      )}
      <Table
        label="Load runs"
        class=""
        columns={textColumns('Started', 'Target', 'Scenario', 'Build', 'Verdict', 'Result')}
        rows={runs
          .toReversed()
          .map((run) => [
            <a href={runLink(run)}>{minute(run.startedAt)}</a>,
            run.target,
            `${run.scenario}${run.part === null ? '' : `, part ${run.part}`}`,
            run.label ?? '–',
            loadVerdict(run),
            figureWords(run) || '–',
          ])}
      />
      {trends.length > 0 && (
        <Table
          label="Trends by build"
          class=""
          columns={textColumns('Trend', 'By build, the newest last')}
          rows={trends.map((trend) => [trendName(trend), trendWords(trend)])}
        />
      )}
      <p class="note">
        Throughput and p99 are of the phase with the highest p99. Compare two runs to see what changed.
      </p>
    </section>
  );
}
