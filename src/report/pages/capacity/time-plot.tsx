import { scaleLinear } from 'd3-scale';
import { area } from 'd3-shape';
import { duration, sum } from '../../../base/kernel/format.js';
import { Area, Heights, logAxis, percent, Rules, Stretched, UNITS } from '../markup/plot.js';
import { TimeAxis } from '../markup/time-axis.js';
import { plainScale } from '../model/time-scale.js';
import type { Dot, responseBands, Timeline } from './model.js';

interface Series {
  readonly name: string;
  readonly dots: readonly Dot[];
  readonly filled?: boolean;
}

/** Bound of a threshold, over the part of the run that it covers. */
export interface Bound {
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

/** Values of each moment, stacked above those of the layers before it; a layer has the class of its name. */
type Layer = ReturnType<typeof responseBands>[number];

interface TimePlotProps {
  readonly timeline: Timeline;
  readonly series: readonly Series[];
  readonly label: string;
  /** Only whole numbers label an axis of counts. */
  readonly scale: 'count' | 'linear' | 'log';
  readonly text: (value: number) => string;
  readonly bounds?: readonly Bound[];
  readonly stack?: readonly Layer[];
  readonly height?: number;
}

/** Heights in CSS pixels; the widths follow the page. */
const TALL = 190;

export function TimePlot(props: TimePlotProps) {
  const { timeline, series, label, scale, text, bounds = [], stack = [], height = TALL } = props;
  const sums = timeline.moments.map((_, at) => sum(stack, ({ values }) => values[at] ?? 0));
  const values = [
    ...series.flatMap(({ dots }) => dots.map(([, value]) => value)),
    ...bounds.map(({ value }) => value),
    ...sums,
  ].filter((value) => value > 0);
  const { y, ticks } =
    scale === 'log' ? logAxis(values, height, text) : linearAxis(values, height, text, scale === 'count');
  const shape = area<Dot>()
    // A line across seconds without a response would show latencies that nobody measured.
    .defined(([, value]) => scale !== 'log' || value > 0)
    .x(([share]) => share * UNITS)
    .y0(height)
    .y1(([, value]) => round(y(value)))
    .digits(1);
  return (
    <div
      class="plot time-plot scrubbed"
      role="img"
      aria-label={`${label} over ${duration(timeline.lengthMs)}; the tables have the figures.`}
    >
      <span />
      <PhaseNames timeline={timeline} />
      <Heights ticks={ticks} height={height} />
      <Area class="plot-area" height={height}>
        <Bands timeline={timeline} height={height} />
        {ticks.map(([at]) => (
          <line class="hair" x1="0" x2="100%" y1={at} y2={at} />
        ))}
        <Stretched height={height}>
          {stack.map(({ name }, layer) => (
            <path class={`stack stack-${name}`} d={layerPath(timeline, stack.slice(0, layer + 1), y)} />
          ))}
          {series.map(({ name, dots, filled }) => (
            <>
              {filled && <path class={`area-${name}`} d={shape(dots) ?? ''} />}
              <path class={`series series-${name}`} d={shape.lineY1().digits(1)(dots) ?? ''} />
            </>
          ))}
        </Stretched>
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
        <line class="cursor" x1="0" x2="0" y1="0" y2={height} />
      </Area>
      <span />
      <TimeAxis time={plainScale(timeline.lengthMs)} />
    </div>
  );
}

function linearAxis(
  values: readonly number[],
  height: number,
  text: (value: number) => string,
  isCount: boolean,
) {
  const y = scaleLinear([0, Math.max(isCount ? 1 : 1e-3, ...values)], [height, 4])
    .clamp(true)
    .nice(4);
  const ticks = y.ticks(height < TALL ? 2 : 4).filter((value) => !isCount || Number.isInteger(value));
  return { y, ticks: ticks.map((value) => [y(value), text(value)] as const) };
}

/** Returns the uppermost of some layers: an area with a constant height in each moment. */
function layerPath({ moments }: Timeline, layers: readonly Layer[], y: (value: number) => number): string {
  const heightAt = (at: number, of: readonly Layer[]): number => sum(of, ({ values }) => values[at] ?? 0);
  return moments
    .flatMap(({ from, to }, at): readonly string[] => {
      const [top, bottom] = [heightAt(at, layers), heightAt(at, layers.slice(0, -1))];
      if (top <= bottom) return [];
      return [
        `M${round(from * UNITS)} ${round(y(bottom))}V${round(y(top))}H${round(to * UNITS)}V${round(y(bottom))}`,
      ];
    })
    .join('');
}

const round = (value: number): number => Math.round(value * 10) / 10;

const Bands = ({ timeline: { bands }, height }: { readonly timeline: Timeline; readonly height: number }) => (
  <>
    {bands.map(
      ({ from, to }, at) =>
        at % 2 === 1 && (
          <rect class="band" x={percent(from)} width={percent(to - from)} y="0" height={height} />
        ),
    )}
    <Rules shares={bands.slice(1).map(({ from }) => from)} height={height} />
  </>
);

/** Width that a name needs; on a phone some appear only in the tables. */
const NAME_NEEDS = 0.09;

const PhaseNames = ({ timeline }: { readonly timeline: Timeline }) => (
  <Area height={18}>
    {timeline.bands
      .filter(({ from, to }) => to - from > NAME_NEEDS)
      .map(({ name, from }) => (
        <text class="phase-name" x={percent(from)} dx="4" y="12">
          {name}
        </text>
      ))}
  </Area>
);

const LANE = 16;

/** Occasional events as bars under a chart; nothing without any. */
export function Lane({ timeline, name, dots }: Series & Pick<TimePlotProps, 'timeline'>) {
  const seen = dots.filter(([, value]) => value > 0);
  if (seen.length === 0) return null;
  const tall = scaleLinear([0, Math.max(...seen.map(([, value]) => value))], [3, LANE - 2]);
  return (
    <div class="plot time-plot lane-plot">
      <span class="lane-name">{name}</span>
      <Area class="lane" height={LANE}>
        <Bands timeline={timeline} height={LANE} />
        <Stretched height={LANE}>
          <path
            class={`bars bars-${name}`}
            d={seen
              .map(([share, value]) => `M${Math.round(share * UNITS)} ${LANE}v${-Math.round(tall(value))}`)
              .join('')}
          />
        </Stretched>
      </Area>
    </div>
  );
}
