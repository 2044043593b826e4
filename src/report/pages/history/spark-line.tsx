import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { VNode } from 'preact';

const WIDTH = 100;
const HEIGHT = 20;

interface SparkLineProps {
  readonly label: string;
  /** One a run, oldest first; null where a run has none. */
  readonly values: readonly (number | null)[];
  readonly text: (value: number) => string;
}

/** A figure of the newest run, where it has been, and its course in the size of a word; null where there is none. */
export function SparkLine({ label, values, text }: SparkLineProps): VNode | null {
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
  return (
    <div>
      <dt>{label}</dt>
      <dd>
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
      </dd>
    </div>
  );
}
