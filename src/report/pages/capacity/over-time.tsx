import type { CapacityPageInput } from './input.js';
import type { VNode } from 'preact';
import { count, latencyText } from '../../../format/format.js';
import { percentileCurves, rateOf, timelineOf } from './model.js';
import { PercentilePlot } from './percentile-plot.js';
import { Lane, Legend, TimePlot } from './time-plot.js';

export function OverTime({ input: { log, results } }: { readonly input: CapacityPageInput }): VNode {
  const timeline = timelineOf(log.capacity);
  const bound = log.capacity.scenario.scenario.thresholds.find(
    ({ metric, phase }) => metric === 'p99' && phase === null,
  );
  return (
    <section id="time">
      <h2>Over time</h2>
      <div class="figure">
        <h3>Requests a second</h3>
        <TimePlot
          timeline={timeline}
          label="Requests sent and served a second"
          scale="linear"
          text={(value) => count(Math.round(value))}
          series={[
            { name: 'served', label: 'served', dots: timeline.line(rateOf(({ served }) => served)), filled: true },
            { name: 'sent', label: 'sent', dots: timeline.line(rateOf(({ sent }) => sent)) },
          ]}
        />
        <Lane
          timeline={timeline}
          name="violations"
          label="violations"
          dots={timeline.line(({ violations }) => violations)}
        />
        <Lane timeline={timeline} name="errors" label="errors" dots={timeline.line(({ errors }) => errors)} />
        <Lane timeline={timeline} name="refused" label="429" dots={timeline.line(({ refused }) => refused)} />
        <Lane timeline={timeline} name="dropped" label="dropped" dots={timeline.line(({ dropped }) => dropped)} />
        <Legend
          entries={[
            ['series-sent', 'sent'],
            ['series-served', 'served'],
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
          bound={bound?.bound ?? null}
          series={(['max', 'p99', 'p90', 'p50'] as const).map((name) => ({
            name,
            label: name,
            dots: timeline.line((second) => second[name]).filter(([, value]) => value > 0),
          }))}
        />
        <Legend
          entries={[
            ['series-max', 'longest of each second'],
            ['series-p99', 'p99'],
            ['series-p90', 'p90'],
            ['series-p50', 'p50'],
            ...(bound ? ([['series-bound', `threshold: ${bound.text}`]] as const) : []),
          ]}
        />
      </div>
      <PercentilePlot curves={percentileCurves(log.capacity.phases)} />
      {results.capacity.phases.length === 0 && <p class="lead">No phase came to its end.</p>}
    </section>
  );
}
