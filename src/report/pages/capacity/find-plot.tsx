import { scaleLog } from 'd3-scale';
import { runsOf } from '../../../judge/limits/sample.js';
import { latencyText, shareText } from '../../../base/kernel/format.js';
import type { CapacityResults } from '../../../loadkit/capacity-shape.js';
import type { FindStep } from '../../../log/load-shapes.js';
import { stepRate } from '../../../outcome/words/find.js';
import {
  Area,
  curveOf,
  Heights,
  Labels,
  Legend,
  logAxis,
  logTicks,
  percent,
  Rules,
  Stretched,
} from '../markup/plot.js';

/** Heights of latency and of errors in CSS pixels. */
const TALL = 200;
const LOW = 44;

export function FindPlot({ find }: { readonly find: CapacityResults['find'] }) {
  const steps = (find?.steps ?? []).filter(({ role }) => role !== 'warm');
  if (!find || steps.length === 0) return null;
  const rates = steps.map(({ perSecond }) => perSecond);
  const x = scaleLog([Math.min(...rates) * 0.9, Math.max(...rates) * 1.1], [0, 1]);
  const times = steps.flatMap(({ p50, p99 }) => [p50, p99]).filter((ms) => ms > 0);
  const latency = logAxis(times, TALL, latencyText);
  const knee = find.answer.kind === 'found' || find.answer.kind === 'bound' ? find.answer.perSecond : null;
  const worst = Math.max(0.01, ...steps.map(({ errors }) => errors));
  // A step at the generator's own limit says nothing about the server.
  const byRate = steps
    .filter(({ outcome }) => outcome !== 'generator')
    .toSorted((one, other) => one.perSecond - other.perSecond);
  const kneeTick = knee === null ? [] : [{ share: x(knee), text: stepRate(knee), class: 'strong' }];
  const ticks = logTicks([Math.min(...rates), Math.max(...rates)], 6)
    // The mark of the answer has its own label.
    .filter((rate) => knee === null || Math.abs(x(rate) - x(knee)) > 0.08)
    .map((rate) => ({ share: x(rate), text: stepRate(rate) }));
  // A step without a latency, 0, is a gap in the line.
  const curve = (of: (step: FindStep) => number): string =>
    runsOf(byRate, (one, next) => of(one) > 0 === of(next) > 0)
      .filter(([step]) => step !== undefined && of(step) > 0)
      .map((run) => curveOf(run.map((step) => [x(step.perSecond), latency.y(of(step))] as const)))
      .join('');
  return (
    <div class="figure">
      <h3>Latency and errors by rate</h3>
      <div
        class="plot time-plot"
        role="img"
        aria-label="Latency and errors of each step by its rate; the table has the figures."
      >
        <Heights ticks={latency.ticks} height={TALL} />
        <Area class="plot-area" height={TALL}>
          {knee !== null && <Rules shares={[x(knee)]} height={TALL} class="series-bound" />}
          <Stretched height={TALL}>
            <path class="series series-p50" d={curve(({ p50 }) => p50)} />
            <path class="series series-p99" d={curve(({ p99 }) => p99)} />
          </Stretched>
          {byRate.flatMap(({ perSecond, p50, p99 }) =>
            [p50, p99]
              .filter((ms) => ms > 0)
              .map((ms) => <circle cx={percent(x(perSecond))} cy={latency.y(ms).toFixed(1)} r="3" />),
          )}
        </Area>
        <span class="lane-name">errors</span>
        <Area class="plot-area" height={LOW}>
          {steps.map(({ perSecond, errors }) => (
            <line
              class="series series-max"
              x1={percent(x(perSecond))}
              x2={percent(x(perSecond))}
              y1={LOW}
              y2={(LOW - (errors / worst) * (LOW - 4)).toFixed(1)}
            />
          ))}
        </Area>
        <span />
        <Labels ticks={[...ticks, ...kneeTick]} />
      </div>
      <Legend
        entries={[
          ['series-p50', 'p50'],
          ['series-p99', 'p99'],
          ['series-max', `errors, at most ${shareText(Math.max(...steps.map(({ errors }) => errors)))}`],
          ...(knee === null ? [] : [['series-bound', 'the rate found'] as const]),
        ]}
      />
    </div>
  );
}
