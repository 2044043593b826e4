import type { VNode } from 'preact';
import { scaleLinear, scaleLog } from 'd3-scale';
import { area, curveLinear, line } from 'd3-shape';
import { duration, trimmed } from '../../../format/format.js';
import { percent } from '../parts/axis.js';
import type { Dot, Timeline } from './model.js';

/** A line of a drawing. */
export interface Series {
  /** Its class, and what it is called in the legend. */
  readonly name: string;
  readonly label: string;
  readonly dots: readonly Dot[];
  readonly filled?: boolean;
}

interface TimePlotProps {
  readonly timeline: Timeline;
  readonly series: readonly Series[];
  /** What it shows, for those who do not see it. */
  readonly label: string;
  readonly scale: 'linear' | 'log';
  /** Writes a value of the axis. */
  readonly text: (value: number) => string;
  /** A bound that a threshold sets, as a line across. */
  readonly bound?: number | null;
}

/** Heights in CSS pixels; the widths follow the page. */
const HEIGHT = 190;
/** A drawing's own width, in units that are stretched to the page's. */
const UNITS = 1000;

/** Series over the time of a run, with its phases behind them. */
export function TimePlot({ timeline, series, label, scale, text, bound }: TimePlotProps): VNode {
  const values = series.flatMap(({ dots }) => dots.map(([, value]) => value)).filter((value) => value > 0);
  const top = Math.max(1e-3, bound ?? 0, ...values);
  const y =
    scale === 'log'
      ? scaleLog([Math.max(0.01, Math.min(top / 10, ...values)), top], [HEIGHT, 4]).clamp(true)
      : scaleLinear([0, top], [HEIGHT, 4]).clamp(true).nice(4);
  const ticks = (scale === 'log' ? logTicks(y.domain()) : y.ticks(4)).map((value) => ({ value, at: y(value) }));
  const x = ([share]: Dot): number => share * UNITS;
  const height = ([, value]: Dot): number => Math.round(y(value) * 10) / 10;
  return (
    <div
      class="time-plot"
      role="img"
      aria-label={`${label} over ${duration(timeline.lengthMs)}; the tables have the figures.`}
    >
      <span />
      <PhaseNames timeline={timeline} />
      <svg aria-hidden="true" width="100%" height={HEIGHT}>
        {ticks.map(({ value, at }) => (
          <text x="100%" y={at + 4} text-anchor="end">
            {text(value)}
          </text>
        ))}
      </svg>
      <svg class="plot-area" aria-hidden="true" width="100%" height={HEIGHT}>
        <Bands timeline={timeline} height={HEIGHT} />
        {ticks.map(({ at }) => (
          <line class="hair" x1="0" x2="100%" y1={at} y2={at} />
        ))}
        <svg viewBox={`0 0 ${UNITS} ${HEIGHT}`} preserveAspectRatio="none" width="100%" height={HEIGHT}>
          {series.map(({ name, dots, filled }) => (
            <>
              {filled && (
                <path
                  class={`area-${name}`}
                  d={area<Dot>().x(x).y0(HEIGHT).y1(height).curve(curveLinear).digits(1)(dots) ?? ''}
                />
              )}
              <path
                class={`series series-${name}`}
                d={line<Dot>().x(x).y(height).curve(curveLinear).digits(1)(dots) ?? ''}
              />
            </>
          ))}
        </svg>
        {bound !== null && bound !== undefined && (
          <line class="series-bound" x1="0" x2="100%" y1={y(bound)} y2={y(bound)} />
        )}
      </svg>
      <span />
      <TimeAxis timeline={timeline} />
    </div>
  );
}

/** Powers of ten, and where there are few the twos and fives between them. */
function logTicks([low = 0, high = 1]: readonly number[]): readonly number[] {
  const powers = Array.from({ length: 14 }, (_, at) => 10 ** (at - 4));
  const within = (values: readonly number[]): readonly number[] =>
    values.filter((value) => value >= low && value <= high);
  const tens = within(powers);
  return tens.length >= 3 ? tens : within(powers.flatMap((power) => [power, power * 2, power * 5]));
}

/** The phases as stripes behind a drawing. */
export const Bands = ({ timeline, height }: { readonly timeline: Timeline; readonly height: number }): VNode => (
  <>
    {timeline.bands.map(({ from, to }, at) => (
      <>
        {at % 2 === 1 && <rect class="band" x={percent(from)} width={percent(to - from)} y="0" height={height} />}
        {at > 0 && <line class="phase-edge" x1={percent(from)} x2={percent(from)} y1="0" y2={height} />}
      </>
    ))}
  </>
);

/** A name needs about this much of the width; on a phone some stand in the tables alone. */
const NAME_NEEDS = 0.09;

const PhaseNames = ({ timeline }: { readonly timeline: Timeline }): VNode => (
  <svg aria-hidden="true" width="100%" height="18">
    {timeline.bands
      .filter(({ from, to }) => to - from > NAME_NEEDS)
      .map(({ name, from }) => (
        <text class="phase-name" x={percent(from)} dx="4" y="12">
          {name}
        </text>
      ))}
  </svg>
);

/** About as many round times as fit. */
const TICKS = 8;

const TimeAxis = ({ timeline: { lengthMs } }: { readonly timeline: Timeline }): VNode => {
  const [unit, ms] =
    lengthMs < 600_000
      ? (['s', 1000] as const)
      : lengthMs < 7_200_000
        ? (['min', 60_000] as const)
        : (['h', 3_600_000] as const);
  return (
    <svg aria-hidden="true" width="100%" height="18">
      {scaleLinear([0, lengthMs / ms], [0, 1])
        .ticks(TICKS)
        .map((value, at) => (
          <text
            x={percent((value * ms) / lengthMs)}
            y="13"
            text-anchor={at === 0 ? 'start' : (value * ms) / lengthMs > 0.97 ? 'end' : 'middle'}
          >
            {at === 0 ? `${trimmed(value, 1)} ${unit}` : trimmed(value, 1)}
          </text>
        ))}
    </svg>
  );
};

const LANE = 16;

/** What happened now and then, as bars under a drawing; nothing where it never did. */
export function Lane({
  timeline,
  name,
  label,
  dots,
}: {
  readonly timeline: Timeline;
  readonly name: string;
  readonly label: string;
  readonly dots: readonly Dot[];
}): VNode | null {
  const seen = dots.filter(([, value]) => value > 0);
  if (seen.length === 0) return null;
  const tall = scaleLinear([0, Math.max(...seen.map(([, value]) => value))], [3, LANE - 2]);
  return (
    <div class="time-plot lane-plot">
      <span class="lane-name">{label}</span>
      <svg class="lane" aria-hidden="true" width="100%" height={LANE}>
        <Bands timeline={timeline} height={LANE} />
        <svg viewBox={`0 0 ${UNITS} ${LANE}`} preserveAspectRatio="none" width="100%" height={LANE}>
          <path
            class={`bars bars-${name}`}
            d={seen
              .map(([share, value]) => `M${Math.round(share * UNITS)} ${LANE}v${-Math.round(tall(value))}`)
              .join('')}
          />
        </svg>
      </svg>
    </div>
  );
}

/** What each line of a drawing is. */
export const Legend = ({
  entries,
}: {
  readonly entries: readonly (readonly [className: string, label: string])[];
}): VNode => (
  <p class="legend">
    {entries.map(([className, label]) => (
      <span>
        <svg aria-hidden="true" width="24" height="6">
          <line class={className} x1="0" x2="24" y1="3" y2="3" />
        </svg>
        {label}
      </span>
    ))}
  </p>
);
