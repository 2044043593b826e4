import type { ComponentChildren } from 'preact';
import { scaleLog } from 'd3-scale';
import { line } from 'd3-shape';

/**
 * Formats a position as a share of the width, so that a chart fits any screen and its letters keep their
 * size.
 *
 * @param share 0 to 1
 */
export const percent = (share: number): string =>
  `${Number((Math.min(1, Math.max(0, share)) * 100).toFixed(2))}%`;

interface AreaProps {
  readonly height: number;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

export const Area = (props: AreaProps) => <svg aria-hidden="true" width="100%" {...props} />;

/** Width of a drawing in units that are stretched to the page. */
export const UNITS = 1000;

/** A part of a drawing with its own units of width, stretched to it. */
export const Stretched = ({ units = UNITS, height, children }: AreaProps & { readonly units?: number }) => (
  <svg viewBox={`0 0 ${units} ${height}`} preserveAspectRatio="none" width="100%" height={height}>
    {children}
  </svg>
);

/** Heights are in pixels. */
export const curveOf = (points: readonly (readonly [share: number, y: number])[]): string =>
  line<readonly [number, number]>()
    .x(([share]) => share * UNITS)
    .digits(1)(points) ?? '';

/** Lowest value of a logarithmic axis. */
const LOWEST = 0.001;

/**
 * Returns a vertical axis over positive values: heights in pixels, and labels. It is logarithmic, and covers
 * a decade at least, so that noise looks small.
 */
export function logAxis(values: readonly number[], height: number, text: (value: number) => string) {
  const top = Math.max(LOWEST, ...values);
  const range = [Math.max(LOWEST, Math.min(top / 10, ...values) * 0.9), top * 1.1] as const;
  const scale = scaleLog(range, [height, 4]).clamp(true);
  const y = (value: number): number => scale(Math.max(range[0], value));
  return { y, ticks: logTicks(range).map((value) => [y(value), text(value)] as const) };
}

/** Below a chart, at a share of its width. */
export interface Tick {
  readonly share: number;
  readonly text: ComponentChildren;
  readonly class?: string;
}

/** Those at the edges stay inside. */
export const Labels = ({
  ticks,
  class: className,
}: {
  readonly ticks: readonly Tick[];
  readonly class?: string;
}) => (
  <Area height={18} {...(className !== undefined && { class: className })}>
    {ticks.map(({ share, text, class: own }) => (
      <text
        class={own}
        x={percent(share)}
        y="13"
        text-anchor={share < 0.03 ? 'start' : share > 0.96 ? 'end' : 'middle'}
      >
        {text}
      </text>
    ))}
  </Area>
);

/** Labels next to a chart, at heights in pixels. */
export const Heights = ({
  ticks,
  height,
}: AreaProps & { readonly ticks: readonly (readonly [number, string])[] }) => (
  <Area height={height}>
    {ticks.map(([at, text]) => (
      <text x="100%" y={at + 4} text-anchor="end">
        {text}
      </text>
    ))}
  </Area>
);

/** Vertical lines. */
export const Rules = ({
  shares,
  height,
  class: className = 'hair',
}: AreaProps & { readonly shares: readonly number[] }) => (
  <>
    {shares.map((share) => (
      <line class={className} x1={percent(share)} x2={percent(share)} y1="0" y2={height} />
    ))}
  </>
);

/** Returns ones, twos and fives within a range, or only powers of ten where these are more than `most`. */
export function logTicks([low, high]: readonly [number, number], most = 8): readonly number[] {
  const powers = Array.from({ length: 14 }, (_, at) => Number(`1e${at - 4}`));
  const within = (values: readonly number[]): readonly number[] =>
    values.filter((value) => value >= low && value <= high);
  const [all, tens] = [within(powers.flatMap((power) => [power, power * 2, power * 5])), within(powers)];
  return all.length > most && tens.length > 1 ? tens : all;
}

export const Legend = ({
  entries,
}: {
  readonly entries: readonly (readonly [className: string, label: string])[];
}) => (
  <p class="legend flow note">
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
