import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { trimmed } from '../wording/format.js';

/** One line of a trend: a value a run, null where the run has none. */
export interface TrendSeries {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

const WIDTH = 640;
const HEIGHT = 150;
/** Room for the figures of the axis on the left and half a line of text above and below. */
const LEFT = 52;
const RIGHT = 8;
const TOP = 10;
const BOTTOM = 14;
const TICKS = 3;

/** Lines are told apart by their dashes, so that colour says nothing alone. */
const DASHES = [undefined, '4 3', '1 3'] as const;

/** A small chart of figures over runs, from zero up, drawn without scripts. Its table stands beside it on the page. */
export function TrendChart(props: {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly TrendSeries[];
}) {
  const { title, unit, series } = props;
  const values = series.flatMap((one) => one.values.filter((value) => value !== null));
  if (values.length === 0) return null;
  const runs = Math.max(...series.map((one) => one.values.length));
  const x = scaleLinear([0, Math.max(1, runs - 1)], [LEFT, WIDTH - RIGHT]);
  const y = scaleLinear([0, values.reduce((a, b) => Math.max(a, b), 1)], [HEIGHT - BOTTOM, TOP]).nice(TICKS);
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, index) => x(index))
    .y((value) => y(value ?? 0));
  return (
    <figure>
      <figcaption>
        {title}, {unit}
        {series.length > 1 && (
          <span class="quiet">
            {' '}
            ({series.map(({ label }, index) => `${label}: ${STROKES[index] ?? ''}`).join(', ')})
          </span>
        )}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={spoken(title, unit, series)}>
        {y.ticks(TICKS).map((tick) => (
          <g key={tick}>
            <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)} />
            <text x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
              {tick.toLocaleString('en-GB')}
            </text>
          </g>
        ))}
        {series.map(({ label, values: own }, index) => (
          <g key={label}>
            <path class="trend" d={path(own) ?? ''} stroke-dasharray={DASHES[index]} />
            {loners(own).map((at) => (
              <circle key={at} class="dot" cx={x(at)} cy={y(own[at] ?? 0)} r={2} />
            ))}
          </g>
        ))}
      </svg>
    </figure>
  );
}

const STROKES = ['solid', 'dashed', 'dotted'] as const;

/** Values without a neighbour: a line cannot show them. */
const loners = (values: readonly (number | null)[]): readonly number[] =>
  values.flatMap((value, index) =>
    value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null ? [index] : [],
  );

function spoken(title: string, unit: string, series: readonly TrendSeries[]): string {
  const parts = series.map(({ label, values }) => {
    const known = values.filter((value) => value !== null);
    const [low, high] = [Math.min(...known), Math.max(...known)];
    return known.length === 0
      ? `${label}: none`
      : `${label}: ${trimmed(low, 1)} to ${trimmed(high, 1)}, last ${trimmed(known.at(-1) ?? 0, 1)}`;
  });
  return `${title}, ${unit}. ${parts.join('. ')}.`;
}
