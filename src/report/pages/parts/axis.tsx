import type { VNode } from 'preact';
import { scaleLinear } from 'd3-scale';
import { duration, trimmed } from '../../../format/format.js';
import type { Stretch, TimeScale } from '../model/time-scale.js';
import type { PlacedMark } from '../model/window.js';

/**
 * Formats a position as a share of the width, so that a chart fits any screen and its letters keep their size.
 * @param share 0 to 1
 */
export const percent = (share: number): string => `${Number((Math.min(1, Math.max(0, share)) * 100).toFixed(2))}%`;

/** Marks closer than this share of the width share a label: two would overlap on a phone. */
const TOO_NEAR = 0.07;

/** Numbers of the marks, above the chart; neighbours share a label such as "2–4". */
export function MarkNumbers({ marks }: { readonly marks: readonly PlacedMark[] }): VNode {
  const labels: { from: number; to: number; at: number }[] = [];
  for (const [index, { share: at }] of marks.entries()) {
    const last = labels.at(-1);
    if (last && at - last.at < TOO_NEAR) last.to = index + 1;
    else labels.push({ from: index + 1, to: index + 1, at });
  }
  return (
    <svg class="mark-numbers" aria-hidden="true" width="100%" height="16">
      {labels.map(({ from, to, at }) => (
        <text x={percent(at)} y="11" text-anchor={anchor(at)}>
          {from === to ? from : `${from}–${to}`}
        </text>
      ))}
    </svg>
  );
}

/** Ticks of a chart: about one per eighth of its width. */
const TICKS = 8;

/** Ticks closer than this share of the width would overlap on a phone. */
const TICKS_TOO_NEAR = 0.11;

/** Distance of ticks from folds, whose text is wider than the fold on a phone. */
const CLEAR_OF_FOLDS = 0.08;

interface Tick {
  readonly share: number;
  readonly text: string;
}

/** Returns round times of every active period, in the unit of the whole. */
function ticksOf(time: TimeScale): readonly Tick[] {
  const { ms } = timeUnit(time.span);
  const ticks = time.stretches
    .filter(({ idle }) => !idle)
    .flatMap(({ from, to, start, end }) =>
      scaleLinear([from / ms, to / ms], [start, end]).ticks(Math.max(1, Math.round(TICKS * (end - start)))),
    )
    .map((value) => ({ share: time.at(value * ms), text: trimmed(value, 3) }));
  return apart(ticks);
}

/** Keeps the ticks that are far enough from the last one kept. */
function apart(ticks: readonly Tick[]): readonly Tick[] {
  const kept: Tick[] = [];
  for (const tick of ticks) if (tick.share - (kept.at(-1)?.share ?? -1) > TICKS_TOO_NEAR) kept.push(tick);
  return kept;
}

/** Time axis: round times since the first request, and the length of each folded wait. */
export function TimeAxis({ time }: { readonly time: TimeScale }): VNode {
  const folds = time.stretches.filter(({ idle }) => idle);
  const free = ({ share }: Tick): boolean =>
    folds.every(({ start, end }) => share < start - CLEAR_OF_FOLDS || share > end + CLEAR_OF_FOLDS);
  return (
    <svg class="time-axis" aria-hidden="true" width="100%" height="18">
      {ticksOf(time)
        .filter(free)
        .map(({ share, text }, index) => (
          <text x={percent(share)} y="13" text-anchor={anchor(share)}>
            {index === 0 ? `${text} ${timeUnit(time.span).unit}` : text}
          </text>
        ))}
      {folds.map(({ from, to, start, end }) => (
        <text class="fold-text" x={percent((start + end) / 2)} y="13" text-anchor="middle">
          {duration(Math.round((to - from) / 100) * 100)}
        </text>
      ))}
    </svg>
  );
}

/** Background of all charts of a plan: hairlines at round times, folds as blank stripes. */
export function Ground({ time, height }: { readonly time: TimeScale; readonly height: number }): VNode {
  return (
    <>
      {ticksOf(time).map(({ share }) => (
        <line class="hair" x1={percent(share)} x2={percent(share)} y1="0" y2={height} />
      ))}
    </>
  );
}

/** A folded wait, drawn over the curve so that it does not look short. */
export function Folds({ time, height }: { readonly time: TimeScale; readonly height: number }): VNode {
  return (
    <>
      {time.stretches
        .filter(({ idle }) => idle)
        .map(({ start, end }: Stretch) => (
          <>
            <rect class="fold-ground" x={percent(start)} width={percent(end - start)} y="0" height={height} />
            <line class="fold-edge" x1={percent(start)} x2={percent(start)} y1="0" y2={height} />
            <line class="fold-edge" x1={percent(end)} x2={percent(end)} y1="0" y2={height} />
          </>
        ))}
    </>
  );
}

/** Marks as vertical lines. */
export function Marks({ marks, height }: { readonly marks: readonly PlacedMark[]; readonly height: number }): VNode {
  return (
    <>
      {marks.map(({ kind, share }) => (
        <line class={`mark mark-${kind}`} x1={percent(share)} x2={percent(share)} y1="0" y2={height} />
      ))}
    </>
  );
}

/** Describes a chart for screen readers. */
export const described = (what: string, { span }: TimeScale): string =>
  `${what} over ${duration(span)}; the table next to it has the figures.`;

const timeUnit = (span: number): { unit: string; ms: number } =>
  span < 1_000
    ? { unit: 'ms', ms: 1 }
    : span < 600_000
      ? { unit: 's', ms: 1_000 }
      : span < 7_200_000
        ? { unit: 'min', ms: 60_000 }
        : { unit: 'h', ms: 3_600_000 };

const anchor = (share: number): 'start' | 'middle' | 'end' =>
  share < 0.03 ? 'start' : share > 0.97 ? 'end' : 'middle';
