import type { VNode } from 'preact';
import { scaleLinear, scaleLog } from 'd3-scale';
import { area, curveLinear, line } from 'd3-shape';
import { duration, trimmed } from '../../../format/format.js';
import { percent } from '../parts/axis.js';
import type { Dot, Timeline } from './model.js';

/** A line of a chart. */
export interface Series {
  /** Its class, and its name in the legend. */
  readonly name: string;
  readonly label: string;
  readonly dots: readonly Dot[];
  readonly filled?: boolean;
}

/** Bound of a threshold, over the part of the run that it covers. */
export interface Bound {
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

/** Stacked values, one list per moment; each has the class of its name. */
export interface Stack {
  readonly names: readonly string[];
  readonly values: (at: number) => readonly number[];
}

interface TimePlotProps {
  readonly timeline: Timeline;
  readonly series: readonly Series[];
  /** Description for screen readers. */
  readonly label: string;
  readonly scale: 'linear' | 'log';
  /** Formats a value of the axis. */
  readonly text: (value: number) => string;
  readonly bounds?: readonly Bound[];
  readonly stack?: Stack;
  readonly height?: number;
}

/** Heights in CSS pixels; the widths follow the page. */
const TALL = 190;
/** Width of a chart, in units that are stretched to the page. */
const UNITS = 1000;

/** Series over the time of a run, with its phases in the background. */
export function TimePlot({
  timeline,
  series,
  label,
  scale,
  text,
  bounds = [],
  stack,
  height: HEIGHT = TALL,
}: TimePlotProps): VNode {
  const layers = stack ? layersOf(timeline, stack) : [];
  const values = [
    ...series.flatMap(({ dots }) => dots.map(([, value]) => value)),
    ...bounds.map(({ value }) => value),
    ...(layers.at(-1)?.tops ?? []),
  ].filter((value) => value > 0);
  const top = Math.max(1e-3, ...values);
  const y =
    scale === 'log'
      ? scaleLog([Math.max(0.001, Math.min(top / 10, ...values) * 0.9), top * 1.1], [HEIGHT, 4]).clamp(true)
      : scaleLinear([0, top], [HEIGHT, 4]).clamp(true).nice(4);
  const ticks = (scale === 'log' ? logTicks(y.domain()) : y.ticks(HEIGHT < TALL ? 2 : 4)).map((value) => ({
    value,
    at: y(value),
  }));
  const x = ([share]: Dot): number => share * UNITS;
  const height = ([, value]: Dot): number => Math.round(y(value) * 10) / 10;
  return (
    <div
      class="time-plot scrubbed"
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
          {layers.map(({ name, bottoms, tops }) => (
            <path class={`stack stack-${name}`} d={steps(timeline, tops, bottoms, y)} />
          ))}
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
        {bounds.map(({ value, from, to }) => (
          <line
            class="series-bound"
            data-value={value}
            x1={percent(from)}
            x2={percent(to)}
            y1={y(value)}
            y2={y(value)}
          />
        ))}
        <line class="cursor" x1="0" x2="0" y1="0" y2={HEIGHT} />
      </svg>
      <span />
      <TimeAxis timeline={timeline} />
    </div>
  );
}

interface Layer {
  readonly name: string;
  readonly bottoms: readonly number[];
  readonly tops: readonly number[];
}

/** Returns the nonempty layers of a stack, bottom to top. */
function layersOf({ moments }: Timeline, { names, values }: Stack): readonly Layer[] {
  const columns = moments.map((_, at) => values(at));
  const topsAt = (layer: number): readonly number[] =>
    columns.map((column) => column.slice(0, layer + 1).reduce((sum, value) => sum + value, 0));
  return names.flatMap((name, layer) =>
    columns.some((column) => (column[layer] ?? 0) > 0)
      ? [{ name, tops: topsAt(layer), bottoms: layer === 0 ? columns.map(() => 0) : topsAt(layer - 1) }]
      : [],
  );
}

/** Returns an area with a constant height in each moment. */
function steps(
  { moments }: Timeline,
  tops: readonly number[],
  bottoms: readonly number[],
  y: (value: number) => number,
): string {
  return moments
    .flatMap(({ from, to }, at): readonly string[] => {
      const [top = 0, bottom = 0] = [tops[at], bottoms[at]];
      if (top <= bottom) return [];
      const [left, right] = [round(from * UNITS), round(to * UNITS)];
      return [`M${left} ${round(y(bottom))}V${round(y(top))}H${right}V${round(y(bottom))}`];
    })
    .join('');
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Returns powers of ten, and twos and fives between them where there are few. */
function logTicks([low = 0, high = 1]: readonly number[]): readonly number[] {
  const powers = Array.from({ length: 14 }, (_, at) => Number(`1e${at - 4}`));
  const within = (values: readonly number[]): readonly number[] =>
    values.filter((value) => value >= low && value <= high);
  const tens = within(powers);
  return tens.length >= 3 ? tens : within(powers.flatMap((power) => [power, power * 2, power * 5]));
}

/** Phases as stripes behind a chart. */
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

/** Width that a name needs; on a phone some appear only in the tables. */
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

/** Number of round times that fits. */
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

/** Occasional events as bars under a chart; nothing without any. */
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

/** Legend of a chart's lines. */
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
