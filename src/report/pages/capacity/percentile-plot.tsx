import type { VNode } from 'preact';
import { scaleLinear, scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import { percent } from '../parts/axis.js';
import { Legend } from './time-plot.js';
import type { PercentileCurve } from './model.js';
import { latencyText } from '../../../format/format.js';

const HEIGHT = 200;
const UNITS = 1000;
/** Number of line classes: they differ in stroke and dash, not in colour. */
const STROKES = 6;

const NAMES = ['0 %', '90 %', '99 %', '99.9 %', '99.99 %', '99.999 %'];

/** Latency by share of responses, one line per phase. The tail takes as much room as the rest. */
export function PercentilePlot({ curves }: { readonly curves: readonly PercentileCurve[] }): VNode | null {
  const values = curves.flatMap(({ points }) => points.map(([, ms]) => ms)).filter((ms) => ms > 0);
  if (values.length === 0) return null;
  const most = Math.max(1, ...curves.flatMap(({ points }) => points.map(([nines]) => nines)));
  const x = scaleLinear([0, most], [0, UNITS]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const y = scaleLog([Math.max(0.01, low * 0.9), Math.max(high, low * 2) * 1.1], [HEIGHT, 4]).clamp(true);
  const ticks = [
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000,
  ].filter((value) => value >= low * 0.9 && value <= high * 1.1);
  const step = Math.max(1, Math.ceil(ticks.length / 6));
  return (
    <div class="figure">
      <h3>By percentile</h3>
      <p class="lead">
        The slowest responses: to the right of the marks are the slowest tenth, hundredth and thousandth. A line ends
        where its phase has too few responses.
      </p>
      <div
        class="time-plot percentile-plot"
        role="img"
        aria-label="Latency by percentile, one line per phase; the table has the figures."
      >
        <svg aria-hidden="true" width="100%" height={HEIGHT}>
          {ticks
            .filter((_, at) => at % step === 0)
            .map((value) => (
              <text x="100%" y={y(value) + 4} text-anchor="end">
                {latencyText(value)}
              </text>
            ))}
        </svg>
        <svg class="plot-area" aria-hidden="true" width="100%" height={HEIGHT}>
          {NAMES.slice(0, Math.floor(most) + 1).map((_, nines) => (
            <line class="hair" x1={percent(nines / most)} x2={percent(nines / most)} y1="0" y2={HEIGHT} />
          ))}
          <svg viewBox={`0 0 ${UNITS} ${HEIGHT}`} preserveAspectRatio="none" width="100%" height={HEIGHT}>
            {curves.map(({ points }, at) => (
              <path
                class={`series series-${at % STROKES}`}
                d={
                  line<readonly [number, number]>()
                    .x(([nines]) => x(nines))
                    .y(([, ms]) => y(Math.max(0.01, ms)))
                    .digits(1)(points as (readonly [number, number])[]) ?? ''
                }
              />
            ))}
          </svg>
        </svg>
        <span />
        <svg aria-hidden="true" width="100%" height="18">
          {NAMES.slice(0, Math.floor(most) + 1).map((name, nines) => (
            <text
              x={percent(nines / most)}
              y="13"
              text-anchor={nines === 0 ? 'start' : nines / most > 0.95 ? 'end' : 'middle'}
            >
              {name}
            </text>
          ))}
        </svg>
      </div>
      <Legend entries={curves.map(({ name }, at) => [`series-${at % STROKES}`, name] as const)} />
    </div>
  );
}
