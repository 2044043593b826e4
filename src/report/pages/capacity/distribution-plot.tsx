import type { VNode } from 'preact';
import { scaleLog } from 'd3-scale';
import { latencyText, trimmed } from '../../../format/format.js';
import { percent } from '../parts/axis.js';
import { BINS, type distributionsOf } from './model.js';

/** Height of one phase's bars in CSS pixels, and the total width in units that are stretched to the page. */
const HEIGHT = 44;
const UNITS = 1000;
/** Number of ticks that fits a phone. */
const TICKS = 5;

/** Latency distribution of each phase: a common scale, one row of bars per phase. */
export function DistributionPlot({ range, distributions }: ReturnType<typeof distributionsOf>): VNode | null {
  if (distributions.length === 0) return null;
  const most = Math.max(...distributions.flatMap(({ shares }) => shares));
  const x = scaleLog(range, [0, 1]);
  const marks = [1, 2, 5].flatMap((digit) =>
    Array.from({ length: 9 }, (_, power) => digit * 10 ** (power - 3)).filter(
      (value) => value >= range[0] && value <= range[1],
    ),
  );
  const tens = marks.filter((value) => Number.isInteger(Math.log10(value)));
  return (
    <div class="figure">
      <h3>Distribution</h3>
      <p class="lead">
        The share of each phase’s responses by latency. The tallest bar is {trimmed(most * 100, 1)} % of its phase.
      </p>
      <div
        class="time-plot"
        role="img"
        aria-label="Distribution of latencies, one row per phase; the table has the figures."
      >
        {distributions.map(({ name, shares }) => (
          <>
            <span class="lane-name">{name}</span>
            <svg class="plot-area" aria-hidden="true" width="100%" height={HEIGHT}>
              <svg viewBox={`0 0 ${UNITS} ${HEIGHT}`} preserveAspectRatio="none" width="100%" height={HEIGHT}>
                <path
                  class="distribution"
                  d={shares
                    .flatMap((share, bin) => {
                      const [left, right] = [(bin * UNITS) / BINS, ((bin + 1) * UNITS) / BINS];
                      const top = HEIGHT - Math.max(share > 0 ? 1 : 0, (share / most) * (HEIGHT - 4));
                      return share === 0
                        ? []
                        : [`M${left.toFixed(1)} ${HEIGHT}V${top.toFixed(1)}H${(right - 1).toFixed(1)}V${HEIGHT}`];
                    })
                    .join('')}
                />
              </svg>
            </svg>
          </>
        ))}
        <span />
        <svg aria-hidden="true" width="100%" height="18">
          {(marks.length > TICKS && tens.length > 1 ? tens : marks).map((value) => (
            <text
              x={percent(x(value))}
              y="13"
              text-anchor={x(value) > 0.95 ? 'end' : x(value) < 0.05 ? 'start' : 'middle'}
            >
              {latencyText(value)}
            </text>
          ))}
        </svg>
      </div>
    </div>
  );
}
