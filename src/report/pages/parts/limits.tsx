import { scaleLog } from 'd3-scale';
import type { LatencySummary, ProfileSummary } from '../../../log/record.js';
import type { Results } from '../../../outcome/results/results.js';
import type { PageInput } from '../input.js';
import { capital, count, duration, milliseconds, trimmed } from '../../../base/kernel/format.js';
import { chartsOf, type Drawing, type PlacedMark, type WindowChart } from '../model/window.js';
import { drawnViolations, withViolations, type DrawnViolation } from '../model/violations.js';
import { Glyph } from './glyph.js';
import { harmless, IdLink } from '../markup/lists.js';
import { percent } from '../markup/plot.js';
import { keyNames } from '../../../base/interface/names.js';
import { Table } from '../markup/table.js';
import { Text } from './text.js';
import { WindowPlot } from './window-plot.js';
import { AMOUNTS } from '../../amounts.js';

export function Limits({ log, document: { results, rows } }: PageInput) {
  const charts = (['window', 'day', 'ban'] as const).flatMap((drawing) => chartsOf(log, drawing));
  return (
    <section id="limits">
      <h2>Limits</h2>
      {charts.length === 0 && <p>{whyNoLoad(results.scope.selection, results.complete)}</p>}
      {charts.some(({ drawing }) => drawing === 'window') && (
        <p class="lead">
          Remaining falls with every request and returns with the window. Each chart is as high as its plan’s
          limit. Waits are folded, with their length, and short profiles are drawn wider. Below the curve:
          requests allowed, refused with 429, or neither. A solid line marks a violated requirement.
        </p>
      )}
      {charts.map((chart) => figureOf(chart, drawnViolations(chart, log, rows)))}
      <Latency profiles={log.profiles} />
    </section>
  );
}

const TITLES: Readonly<Record<Drawing, (plan: string) => string>> = {
  window: capital,
  day: (plan) => `${capital(plan)}: the day’s quota`,
  ban: () => 'The ban',
};

const whyNoLoad = (selection: Results['scope']['selection'], complete: boolean): string =>
  selection?.replay !== undefined
    ? 'No load was sent: the run only replayed a story.'
    : selection?.only === 'suites' || selection?.profiles?.every((profile) => profile === 'explore')
      ? 'No load was sent: only the suites were selected.'
      : complete
        ? 'No load profile ran. Only the rate headers of each response were checked.'
        : 'The run ended before it sent load.';

function figureOf(chart: WindowChart, violations: readonly DrawnViolation[]) {
  const { id, drawing, plan, profiles } = chart;
  const shown = withViolations(chart, violations);
  return (
    <div class="figure">
      <h3 id={id}>{TITLES[drawing](plan)}</h3>
      <ul class="found">
        {profiles.map((summary) => {
          const broken = violations.filter(({ profile }) => profile === summary);
          return (
            <li>
              <span class="note">{summary.profile}</span>{' '}
              <span class={broken.length > 0 ? 'o-failed' : undefined}>
                {broken.length > 0 && <Glyph outcome="failed" />} <Text>{summary.sentence}</Text>
                {broken.map(({ id: row, message }) => (
                  <span class="behind note">
                    Violates <IdLink id={row} />: {harmless(message)}
                  </span>
                ))}
              </span>
            </li>
          );
        })}
      </ul>
      <div class="beside">
        <WindowPlot chart={shown} />
        <div class="tables">
          <Table
            class="dense"
            columns={['Profile', 'Sent', 'Allowed', 'Refused', 'Limit']}
            rows={profiles.map(({ profile, sent, served, refused, allowance }) => [
              profile,
              ...[sent, served, refused, allowance].map(count),
            ])}
          />
          <MarkTable marks={shown.marks} />
        </div>
      </div>
    </div>
  );
}

const MOST = AMOUNTS.page.marks;

function MarkTable({ marks }: { readonly marks: readonly PlacedMark[] }) {
  if (marks.length === 0) return null;
  return (
    <Table
      class="dense marks"
      columns={['Mark', 'After', ['Event', 'left wide']]}
      rows={marks.slice(0, MOST).map(({ kind, offset, text }, index) => [
        index + 1,
        seconds(offset),
        <td class={kind === 'violation' ? 'left wide o-failed' : 'left wide'}>
          {kind === 'violation' && <Glyph outcome="failed" />} <Text>{text}</Text>
        </td>,
      ])}
    >
      {marks.length > MOST && (
        <tfoot>
          <tr>
            <td colspan={3} class="left note">
              and {count(marks.length - MOST)} more
            </td>
          </tr>
        </tfoot>
      )}
    </Table>
  );
}

const seconds = (ms: number): string =>
  Math.abs(ms) < 600_000 ? `${trimmed(ms / 1000, 2)} s` : duration(ms);

/** Start of the logarithmic scale, ms: smaller differences do not matter. */
const LEAST = 0.1;
/** Fewest responses for meaningful percentiles. */
const FEWEST = 10;

type Measured = ProfileSummary & { readonly latency: LatencySummary };

function Latency({ profiles }: { readonly profiles: readonly ProfileSummary[] }) {
  const measured = profiles
    .filter((summary): summary is Measured => summary.latency !== null && summary.latency.count >= FEWEST)
    .toSorted((one, other) => keyNames.indexOf(one.plan) - keyNames.indexOf(other.plan));
  if (measured.length === 0) return null;
  const lowest = Math.max(LEAST, Math.min(...measured.map(({ latency }) => latency.min)));
  const highest = Math.max(lowest * 10, ...measured.map(({ latency }) => latency.max));
  const scale = scaleLog([lowest, highest], [0.01, 0.99]).clamp(true);
  return (
    <div class="figure">
      <h3>Latency</h3>
      <p class="lead">
        In milliseconds, from the planned sending of a request to the last byte of its response. The interface
        sets no limit; compare the figures with another run’s. Profiles with fewer than {FEWEST} responses are
        left out.
      </p>
      <Table
        label="Latency by plan and profile"
        class="dense latency"
        columns={[
          'Plan',
          ['Profile', 'left'],
          'Responses',
          'p50',
          'p90',
          'p99',
          'Max',
          ['Minimum to maximum, with p50 and p99', 'left range'],
        ]}
        rows={measured.map(({ plan, profile, latency }) => [
          capital(plan),
          profile,
          count(latency.count),
          ...[latency.p50, latency.p90, latency.p99, latency.max].map(milliseconds),
          <Range {...latency} at={scale} />,
        ])}
      />
    </div>
  );
}

function Range({ min, p50, p90, p99, max, at }: LatencySummary & { readonly at: (ms: number) => number }) {
  const x = (ms: number): string => percent(at(Math.max(LEAST, ms)));
  return (
    <svg aria-hidden="true" width="100%" height="14">
      <line class="thin" x1={x(min)} x2={x(max)} y1="7" y2="7" />
      <line class="thick" x1={x(p50)} x2={x(p90)} y1="7" y2="7" />
      <circle cx={x(p50)} cy="7" r="3.5" />
      <line class="tick" x1={x(p99)} x2={x(p99)} y1="3" y2="11" />
    </svg>
  );
}
