import type { ComponentChildren, VNode } from 'preact';
import type { ProfileSummary } from '../../../log/record.js';
import type { Results } from '../../../verdict/results.js';
import type { PageInput } from '../input.js';
import { capital, count, duration, trimmed } from '../../../format/format.js';
import { chartId, chartsOf, type Drawing, type PlacedMark, type WindowChart, COLUMNS } from '../model/window.js';
import { drawnViolations, withViolations, type DrawnViolation } from '../model/violations.js';
import type { Card } from '../model/cards.js';
import { Glyph } from './glyph.js';
import { Latency } from './latency.js';
import { IdLink } from '../markup/lists.js';
import { Table } from '../markup/table.js';
import { Text } from './text.js';
import { WindowPlot } from './window-plot.js';
import { Area, percent, Stretched } from '../markup/plot.js';
import { described, Folds, Ground, MarkNumbers, Marks, TimeAxis } from './axis.js';

const HEIGHT = 54;

/** The ban as a time line: responses before, during and after, with the ban as a band. */
function BanLine({ chart }: { readonly chart: WindowChart }): VNode {
  const begins = chart.marks.find(({ kind }) => kind === 'ban-begins');
  const ends = chart.marks.find(({ kind }) => kind === 'ban-ends');
  const from = begins ? begins.share : null;
  const to = ends ? ends.share : 1;
  const lasted = begins && ends ? duration(ends.offset - begins.offset) : null;
  return (
    <div class="plot" role="img" aria-label={described('Requests around the ban', chart.time)}>
      <span />
      <MarkNumbers marks={chart.marks} />
      <span />
      <span class="scale lanes-scale" aria-hidden="true">
        <span>allowed</span>
        <span>429</span>
        <span>other</span>
      </span>
      <Area class="ban" height={HEIGHT}>
        <Ground time={chart.time} height={HEIGHT} />
        <Stretched units={COLUMNS} height={HEIGHT}>
          <path class="lane-served" d={ticks(chart, 'served', 2)} />
          <path class="lane-refused" d={ticks(chart, 'refused', 20)} />
          <path class="lane-other" d={ticks(chart, 'other', 38)} />
        </Stretched>
        <Folds time={chart.time} height={HEIGHT} />
        {from !== null && (
          <rect class="band" x={percent(from)} width={percent(Math.max(0.002, to - from))} y="0" height={HEIGHT} />
        )}
        <Marks marks={chart.marks} height={HEIGHT} />
        {from !== null && to - from > 0.12 && (
          <text class="band-text" x={percent((from + to) / 2)} y={HEIGHT / 2 + 4} text-anchor="middle">
            {lasted === null ? 'banned, end not seen' : `banned for ${lasted}`}
          </text>
        )}
      </Area>
      <span class="scale lanes-scale total" aria-hidden="true">
        <span>{count(chart.totals.served)}</span>
        <span>{count(chart.totals.refused)}</span>
        <span>{count(chart.totals.other)}</span>
      </span>
      <span />
      <TimeAxis time={chart.time} />
      <span />
    </div>
  );
}

const ticks = (chart: WindowChart, lane: 'served' | 'refused' | 'other', top: number): string =>
  chart.lanes[lane].map(([column]) => `M${column} ${top}v14`).join('');

/** Behaviour of each plan's limit: one chart per plan on a common scale, each with its table. */
export function Limits({
  input: { log, results },
  cards,
}: {
  readonly input: PageInput;
  readonly cards: readonly Card[];
}): VNode {
  const minutes = chartsOf(log, 'window');
  const days = chartsOf(log, 'day');
  const bans = chartsOf(log, 'ban');
  const shown = (chart: WindowChart, drawing: Drawing) => {
    const violations = drawnViolations(chart, drawing, log.series, cards);
    return { id: chartId(drawing, chart.plan), violations, chart: withViolations(chart, violations) };
  };
  const none = minutes.length + days.length + bans.length === 0;
  return (
    <section id="limits">
      <h2>Limits</h2>
      {none && <p>{whyNoLoad(results.scope.selection, results.complete)}</p>}
      {minutes.length > 0 && (
        <p class="lead">
          Remaining falls with every request and returns with the window. Each chart is as high as its plan’s limit. Its
          width is the time with activity; waits are folded, with their length. Below the curve: requests allowed,
          refused with 429, or neither. A solid line marks a violated requirement.
        </p>
      )}
      {minutes.map((chart) => (
        <PlanFigure {...shown(chart, 'window')} title={capital(chart.plan)} />
      ))}
      {days.map((chart) => (
        <PlanFigure {...shown(chart, 'day')} title={`${capital(chart.plan)}: the day’s quota`} />
      ))}
      {bans.map((chart) => (
        <Figure
          id={chartId('ban', chart.plan)}
          title="The ban"
          profiles={chart.profiles}
          violations={shown(chart, 'ban').violations}
          table={<MarkTable marks={chart.marks} />}
        >
          <BanLine chart={chart} />
        </Figure>
      ))}
      <Latency profiles={log.profiles} />
    </section>
  );
}

const whyNoLoad = (selection: Results['scope']['selection'], complete: boolean): string =>
  selection?.replay !== undefined
    ? 'No load was sent: the run only replayed a story.'
    : selection?.only === 'suites' || selection?.profiles?.every((profile) => profile === 'explore')
      ? 'No load was sent: only the suites were selected.'
      : complete
        ? 'No load profile ran. Only the rate headers of each response were checked.'
        : 'The run ended before it sent load.';

function PlanFigure({
  id,
  chart,
  violations,
  title,
}: {
  readonly id: string;
  readonly chart: WindowChart;
  readonly violations: readonly DrawnViolation[];
  readonly title: string;
}): VNode {
  return (
    <Figure
      id={id}
      title={title}
      profiles={chart.profiles}
      violations={violations}
      table={
        <>
          <ProfileTable profiles={chart.profiles} />
          <MarkTable marks={chart.marks} />
        </>
      }
    >
      <WindowPlot chart={chart} />
    </Figure>
  );
}

interface FigureProps {
  readonly id: string;
  readonly title: string;
  readonly profiles: readonly ProfileSummary[];
  readonly violations: readonly DrawnViolation[];
  readonly table: VNode;
  readonly children: ComponentChildren;
}

/** Heading and findings, then the chart next to its table. */
function Figure({ id, title, profiles, violations, table, children }: FigureProps): VNode {
  return (
    <div class="figure">
      <h3 id={id}>{title}</h3>
      <ul class="found">
        {profiles.map((summary) => {
          const broken = violations.filter(({ profile }) => profile === summary);
          return (
            <li>
              <span class="note">{summary.profile}</span>{' '}
              <span class={broken.length > 0 ? 'o-failed' : undefined}>
                {broken.length > 0 && <Glyph outcome="failed" />} <Text>{summary.sentence}</Text>
                {broken.map(({ id: row, message }) => (
                  <span class="behind">
                    Violates <IdLink id={row} />: <Text longest={240}>{message}</Text>
                  </span>
                ))}
              </span>
            </li>
          );
        })}
      </ul>
      <div class="beside">
        {children}
        <div class="tables">{table}</div>
      </div>
    </div>
  );
}

const ProfileTable = ({ profiles }: { readonly profiles: readonly ProfileSummary[] }): VNode => (
  <Table
    class="dense"
    columns={['Profile', 'Sent', 'Allowed', 'Refused', 'Limit']}
    rows={profiles.map(({ profile, sent, served, refused, allowance }) => [
      profile,
      ...[sent, served, refused, allowance].map(count),
    ])}
  />
);

/** Most marks in the table; the chart shows all. */
const MOST_MARKS = 12;

/** Marks of a chart by number, with their time since its start. */
function MarkTable({ marks }: { readonly marks: readonly PlacedMark[] }): VNode | null {
  if (marks.length === 0) return null;
  return (
    <Table
      class="dense marks"
      columns={['Mark', 'After', ['Event', 'left']]}
      rows={marks.slice(0, MOST_MARKS).map(({ kind, offset, text }, index) => [
        index + 1,
        seconds(offset),
        <td class={kind === 'violation' ? 'left o-failed' : 'left'}>
          {kind === 'violation' && <Glyph outcome="failed" />} <Text>{text}</Text>
        </td>,
      ])}
    >
      {marks.length > MOST_MARKS && (
        <tfoot>
          <tr>
            <td colspan={3} class="left note">
              and {count(marks.length - MOST_MARKS)} more
            </td>
          </tr>
        </tfoot>
      )}
    </Table>
  );
}

const seconds = (ms: number): string => (Math.abs(ms) < 600_000 ? `${trimmed(ms / 1000, 2)} s` : duration(ms));
