import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { Fact } from '../markup/lists.js';

const WIDTH = 100;
const HEIGHT = 20;

/**
 * A figure of the newest run with its range and a small curve; null without one.
 *
 * @param values one per run, oldest first; null without a value
 */
export function sparkLine(
  label: string,
  values: readonly (number | null)[],
  text: (value: number) => string,
): Fact | null {
  const known = values.filter((value) => value !== null);
  const last = known.at(-1);
  if (last === undefined) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [0, WIDTH]);
  const y = scaleLinear([Math.min(low, 0), Math.max(high, 1e-9)], [HEIGHT, 0]);
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, at) => Math.round(x(at) * 10) / 10)
    .y((value) => Math.round(y(value ?? 0) * 10) / 10);
  return [
    label,
    <>
      <b>{text(last)}</b>
      {known.length > 2 && (
        <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path d={path(values) ?? ''} />
        </svg>
      )}
      {low !== high && (
        <span class="note">
          {text(low)} to {text(high)}
        </span>
      )}
    </>,
  ];
}
