import type { VNode } from 'preact';
import { count, latencyText } from '../../../format/format.js';
import type { Threshold } from '../../../scenario/threshold.js';
import { secondTable } from '../../../words/capacity-tables.js';
import type { CapacityPageInput } from './input.js';
import {
  ANSWER_BANDS,
  answersWith,
  distributionsOf,
  percentileCurves,
  rateOf,
  timelineOf,
  type Timeline,
} from './model.js';
import { DistributionPlot } from './distribution-plot.js';
import { PercentilePlot } from './percentile-plot.js';
import { DataTable } from './tables.js';
import { Lane, Legend, TimePlot, type Bound } from './time-plot.js';

const LATENCY_LINES = ['max', 'p99', 'p90', 'p50'] as const;

/** Thresholds with a line in the charts, over the phases they cover. A single operation has no line. */
const drawn = ({ metric, operation }: Threshold): boolean =>
  operation === null && LATENCY_LINES.some((name) => name === metric);

const boundsIn = ({ bands }: Timeline, thresholds: readonly Threshold[]): readonly Bound[] =>
  thresholds.filter(drawn).flatMap(({ bound, phase }): readonly Bound[] => {
    if (phase === null) return [{ value: bound, from: 0, to: 1 }];
    return bands.flatMap(({ name, from, to }) => (name === phase ? [{ value: bound, from, to }] : []));
  });

export function OverTime({ input: { log } }: { readonly input: CapacityPageInput }): VNode {
  const { scenario, phases } = log.capacity;
  const timeline = timelineOf(log.capacity);
  const { thresholds } = scenario.scenario;
  const bands = ANSWER_BANDS.filter(([, , status]) =>
    timeline.moments.some(({ second }) => answersWith(status)(second) > 0),
  );
  return (
    <section id="time">
      <h2>Over time</h2>
      <p class="lead on-screen scrub-help" hidden>
        To read the figures of a second, point at it. Or select a chart with Tab and a second with the arrow keys.
      </p>
      <div class="figure">
        <h3>Requests per second</h3>
        <TimePlot
          timeline={timeline}
          label="Requests sent per second, and responses by status"
          scale="linear"
          text={(value) => count(Math.round(value))}
          series={[{ name: 'sent', label: 'sent', dots: timeline.steps(rateOf(({ sent }) => sent)) }]}
          stack={{
            names: bands.map(([name]) => name),
            values: (at) =>
              bands.map(([, , status]) => {
                const second = timeline.moments[at]?.second;
                return second ? rateOf(answersWith(status))(second) : 0;
              }),
          }}
        />
        <Lane
          timeline={timeline}
          name="violations"
          label="violations"
          dots={timeline.line(({ violations }) => violations)}
        />
        <Lane timeline={timeline} name="errors" label="errors" dots={timeline.line(({ errors }) => errors)} />
        <Lane timeline={timeline} name="dropped" label="dropped" dots={timeline.line(({ dropped }) => dropped)} />
        <Legend
          entries={[['series-sent', 'sent'], ...bands.map(([name, label]) => [`stack stack-${name}`, label] as const)]}
        />
      </div>
      <div class="figure">
        <h3>Requests in flight</h3>
        <TimePlot
          timeline={timeline}
          label="Requests without a response at the end of each second"
          scale="linear"
          height={90}
          text={(value) => count(Math.round(value))}
          series={[
            { name: 'served', label: 'in flight', dots: timeline.steps(({ underWay }) => underWay), filled: true },
          ]}
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
            label: name,
            dots: timeline.line((second) => second[name]).filter(([, value]) => value > 0),
          }))}
        />
        <Legend
          entries={[
            ['series-max', 'maximum of each second'],
            ['series-p99', 'p99'],
            ['series-p90', 'p90'],
            ['series-p50', 'p50'],
            ...thresholds.filter(drawn).map(({ text }) => ['series-bound', `threshold: ${text}`] as const),
          ]}
        />
      </div>
      <details class="fold" id="seconds">
        <summary>Figures of each second</summary>
        <DataTable
          table={secondTable(
            timeline.moments.map(({ second }) => second),
            timeline.startAt,
          )}
          class="dense"
          places={timeline.moments}
        />
      </details>
      <PercentilePlot curves={percentileCurves(phases)} />
      <DistributionPlot {...distributionsOf(phases)} />
      {phases.length === 0 && <p class="lead">No phase was completed.</p>}
    </section>
  );
}
