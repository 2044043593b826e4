import { scaleLog } from 'd3-scale';
import { count, latencyText, shareText, trimmed } from '../../../base/kernel/format.js';
import type { CapacityLog, CapacityPhaseRecord } from '../../../log/capacity-record.js';
import type { Threshold } from '../../../wire/scenario/threshold.js';
import { secondTable } from '../../capacity-document.js';
import { Fold } from '../markup/lists.js';
import {
  Area,
  curveOf,
  Heights,
  Labels,
  Legend,
  logAxis,
  logTicks,
  Rules,
  Stretched,
  UNITS,
} from '../markup/plot.js';
import { DataTable } from '../sections.js';
import {
  BINS,
  distributionsOf,
  percentileCurves,
  rateOf,
  responseBands,
  timelineOf,
  type Timeline,
} from './model.js';
import { Lane, TimePlot, type Bound } from './time-plot.js';

const LATENCY_LINES = ['max', 'p99', 'p90', 'p50'] as const;

/** Thresholds with a line in the charts, over the phases they cover. A single operation has no line. */
const drawn = ({ metric, operation }: Threshold): boolean =>
  operation === null && LATENCY_LINES.some((name) => name === metric);

const boundsIn = ({ bands }: Timeline, thresholds: readonly Threshold[]): readonly Bound[] =>
  thresholds.filter(drawn).flatMap(({ bound, phase }): readonly Bound[] => {
    if (phase === null) return [{ value: bound, from: 0, to: 1 }];
    return bands.flatMap(({ name, from, to }) => (name === phase ? [{ value: bound, from, to }] : []));
  });

export function OverTime({ log }: { readonly log: CapacityLog }) {
  const { scenario, phases } = log;
  const timeline = timelineOf(log);
  const { thresholds } = scenario.scenario;
  const seconds = timeline.moments.map(({ second }) => second);
  const stack = responseBands(timeline);
  return (
    <>
      <p class="lead on-screen scrub-help" hidden>
        To read the figures of a second, point at it. Or select a chart with Tab and a second with the arrow
        keys.
      </p>
      <div class="figure">
        <h3>Requests per second</h3>
        <TimePlot
          timeline={timeline}
          label="Requests sent per second, and responses by status"
          scale="count"
          text={count}
          series={[{ name: 'sent', dots: timeline.steps(rateOf(({ sent }) => sent)) }]}
          stack={stack}
        />
        {(['violations', 'errors', 'dropped'] as const).map((name) => (
          <Lane timeline={timeline} name={name} dots={timeline.line((second) => second[name])} />
        ))}
        <Legend
          entries={[
            ['series-sent', 'sent'],
            ...stack.map(({ name, label }) => [`stack stack-${name}`, label] as const),
          ]}
        />
      </div>
      <div class="figure">
        <h3>Requests in flight</h3>
        <TimePlot
          timeline={timeline}
          label="Requests without a response at the end of each second"
          scale="count"
          height={90}
          text={count}
          series={[{ name: 'served', dots: timeline.steps(({ underWay }) => underWay), filled: true }]}
        />
      </div>
      <div class="figure">
        <h3>Latency</h3>
        <TimePlot
          timeline={timeline}
          label="Latency percentiles of each second"
          scale="log"
          text={latencyText}
          bounds={boundsIn(timeline, thresholds)}
          series={LATENCY_LINES.map((name) => ({
            name,
            dots: timeline.line((second) => second[name]),
          }))}
        />
        <Legend
          entries={[
            ...LATENCY_LINES.map(
              (name) => [`series-${name}`, name === 'max' ? 'maximum of each second' : name] as const,
            ),
            ...thresholds.filter(drawn).map(({ text }) => ['series-bound', `threshold: ${text}`] as const),
          ]}
        />
      </div>
      <Fold id="seconds" title="Figures of each second">
        <DataTable table={secondTable(seconds, timeline.startAt)} class="dense" places={timeline.moments} />
      </Fold>
      <PercentilePlot phases={phases} />
      <DistributionPlot phases={phases} />
      {phases.length === 0 && <p class="lead">No phase was completed.</p>}
    </>
  );
}

export function GeneratorLoad({ log }: { readonly log: CapacityLog }) {
  const timeline = timelineOf(log);
  return (
    <div class="figure">
      <TimePlot
        timeline={timeline}
        label="Load of the generator"
        scale="linear"
        text={shareText}
        series={[
          { name: 'served', dots: timeline.line(({ busy }) => busy), filled: true },
          { name: 'sent', dots: timeline.line(({ cpu }) => cpu) },
        ]}
      />
      <Lane timeline={timeline} name="behind" dots={timeline.line(({ behind }) => (behind ? 1 : 0))} />
      <Legend
        entries={[
          ['series-sent', 'share of one processor'],
          ['series-served', 'share of time with a busy event loop'],
        ]}
      />
    </div>
  );
}

/** Height of the percentile chart, and of one phase's bars, in CSS pixels. */
const TALL = 200;
const LOW = 44;
/** Number of line classes: they differ in stroke and dash, not in colour. */
const STROKES = 6;

const NINES = ['0 %', '90 %', '99 %', '99.9 %', '99.99 %', '99.999 %'];

function PercentilePlot({ phases }: { readonly phases: readonly CapacityPhaseRecord[] }) {
  const curves = percentileCurves(phases);
  const values = curves.flatMap(({ points }) => points.map(([, ms]) => ms)).filter((ms) => ms > 0);
  if (values.length === 0) return null;
  const most = Math.max(1, ...curves.flatMap(({ points }) => points.map(([nines]) => nines)));
  const latency = logAxis(values, TALL, latencyText);
  const ticks = NINES.slice(0, Math.floor(most) + 1).map((text, nines) => ({ share: nines / most, text }));
  return (
    <div class="figure">
      <h3>By percentile</h3>
      <p class="lead">
        The slowest responses: to the right of the marks are the slowest tenth, hundredth and thousandth. A
        line ends where its phase has too few responses.
      </p>
      <div
        class="plot time-plot"
        role="img"
        aria-label="Latency by percentile, one line per phase; the table has the figures."
      >
        <Heights ticks={latency.ticks} height={TALL} />
        <Area class="plot-area" height={TALL}>
          <Rules shares={ticks.map(({ share }) => share)} height={TALL} />
          <Stretched height={TALL}>
            {curves.map(({ points }, at) => (
              <path
                class={`series series-${at % STROKES}`}
                d={curveOf(points.map(([nines, ms]) => [nines / most, latency.y(ms)] as const))}
              />
            ))}
          </Stretched>
        </Area>
        <span />
        <Labels ticks={ticks} />
      </div>
      <Legend entries={curves.map(({ name }, at) => [`series-${at % STROKES}`, name] as const)} />
    </div>
  );
}

function DistributionPlot({ phases }: { readonly phases: readonly CapacityPhaseRecord[] }) {
  const { range, distributions } = distributionsOf(phases);
  if (distributions.length === 0) return null;
  const most = Math.max(...distributions.flatMap(({ shares }) => shares));
  const x = scaleLog(range, [0, 1]);
  const width = UNITS / BINS;
  const bar = (share: number, bin: number): string => {
    if (share === 0) return '';
    const top = LOW - Math.max(1, (share / most) * (LOW - 4));
    return `M${(bin * width).toFixed(1)} ${LOW}V${top.toFixed(1)}H${((bin + 1) * width - 1).toFixed(1)}V${LOW}`;
  };
  return (
    <div class="figure">
      <h3>Distribution</h3>
      <p class="lead">
        The share of each phase’s responses by latency. The tallest bar is {trimmed(most * 100, 1)} % of its
        phase.
      </p>
      <div
        class="plot time-plot"
        role="img"
        aria-label="Distribution of latencies, one row per phase; the table has the figures."
      >
        {distributions.map(({ name, shares }) => (
          <>
            <span class="lane-name">{name}</span>
            <Area class="plot-area" height={LOW}>
              <Stretched height={LOW}>
                <path class="distribution" d={shares.map(bar).join('')} />
              </Stretched>
            </Area>
          </>
        ))}
        <span />
        <Labels ticks={logTicks(range, 5).map((value) => ({ share: x(value), text: latencyText(value) }))} />
      </div>
    </div>
  );
}
