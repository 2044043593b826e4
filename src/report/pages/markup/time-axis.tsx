import { scaleLinear } from 'd3-scale';
import { duration, trimmed } from '../../../base/kernel/format.js';
import type { TimeScale } from '../model/time-scale.js';
import { Labels, type Tick } from './plot.js';

/** Round numbers of the unit label the axis. */
const timeUnit = (span: number): { readonly unit: string; readonly ms: number } =>
  span < 1_000
    ? { unit: 'ms', ms: 1 }
    : span < 600_000
      ? { unit: 's', ms: 1_000 }
      : span < 7_200_000
        ? { unit: 'min', ms: 60_000 }
        : { unit: 'h', ms: 3_600_000 };

/** Ticks of a chart: about one per eighth of its width. */
const TICKS = 8;
/** Ticks closer than this share of the width would overlap on a phone. */
const TICKS_TOO_NEAR = 0.11;
/** Distance of ticks from folds, whose text is wider than the fold on a phone. */
const CLEAR_OF_FOLDS = 0.08;

/** Finest ticks, as a share of the whole: “268.349” labels a moment, and is no round time of five minutes. */
const FINEST = 0.001;

/** Returns round times of every active period, in the unit of the whole. */
export function ticksOf(time: TimeScale): readonly Tick[] {
  const { ms } = timeUnit(time.span);
  const digits = Math.max(0, -Math.floor(Math.log10((time.span / ms) * FINEST)));
  const ticks = time.stretches
    .filter(({ idle }) => !idle)
    .flatMap(({ from, to, start, end }) =>
      scaleLinear([from / ms, to / ms], [start, end]).ticks(Math.max(1, Math.round(TICKS * (end - start)))),
    )
    .filter((value) => trimmed(value, digits) === trimmed(value, 3))
    .map((value) => ({ share: time.at(value * ms), text: trimmed(value, digits) }));
  return apart(ticks);
}

function apart(ticks: readonly Tick[]): readonly Tick[] {
  const kept: Tick[] = [];
  for (const tick of ticks) if (tick.share - (kept.at(-1)?.share ?? -1) > TICKS_TOO_NEAR) kept.push(tick);
  return kept;
}

/** Round times since the first request, and the length of each folded wait. */
export function TimeAxis({ time }: { readonly time: TimeScale }) {
  const folds = time.stretches.filter(({ idle }) => idle);
  const free = ({ share }: Tick): boolean =>
    folds.every(({ start, end }) => share < start - CLEAR_OF_FOLDS || share > end + CLEAR_OF_FOLDS);
  return (
    <Labels
      class="time-axis"
      ticks={[
        ...ticksOf(time)
          .filter(free)
          .map(({ share, text }, index) => ({
            share,
            text: index === 0 ? `${text as string} ${timeUnit(time.span).unit}` : text,
          })),
        ...folds.map(({ from, to, start, end }) => ({
          share: (start + end) / 2,
          text: duration(Math.round((to - from) / 100) * 100),
          class: 'fold-text',
        })),
      ]}
    />
  );
}
