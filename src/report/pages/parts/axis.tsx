import type { VNode } from 'preact';
import { scaleLinear } from 'd3-scale';
import { duration, trimmed } from '../../../format/format.js';
import type { Stretch, TimeScale } from '../model/time-scale.js';
import type { PlacedMark } from '../model/window.js';

/**
 * Positions are shares of the width, so that a drawing fits any screen and its letters keep their size.
 * @param share 0 to 1
 */
export const percent = (share: number): string => `${Number((Math.min(1, Math.max(0, share)) * 100).toFixed(2))}%`;

/** Marks nearer than this share of the width get one label: two would overprint each other on a phone. */
const TOO_NEAR = 0.07;

/** The numbers of the marks, above the drawing; neighbours share a label such as "2–4". */
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

/** Ticks on a whole drawing: about one for every eighth of its width. */
const TICKS = 8;

/** Ticks nearer than this share of the width would run into each other on a phone. */
const TICKS_TOO_NEAR = 0.11;

/** The words of a fold are wider than the fold itself on a phone. */
const CLEAR_OF_FOLDS = 0.08;

interface Tick {
  readonly share: number;
  readonly text: string;
}

/** Round times of every stretch in which something happened, in the unit of the whole. */
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

/** Of the ticks those that keep their distance from the last one kept. */
function apart(ticks: readonly Tick[]): readonly Tick[] {
  const kept: Tick[] = [];
  for (const tick of ticks) if (tick.share - (kept.at(-1)?.share ?? -1) > TICKS_TOO_NEAR) kept.push(tick);
  return kept;
}

/** The time axis: round times since the first request, and how long each folded wait was. */
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

/** Hairlines at the round times, and the folds as blank stripes: what all the drawings of one plan share. */
export function Ground({ time, height }: { readonly time: TimeScale; readonly height: number }): VNode {
  return (
    <>
      {ticksOf(time).map(({ share }) => (
        <line class="hair" x1={percent(share)} x2={percent(share)} y1="0" y2={height} />
      ))}
    </>
  );
}

/** A folded wait, drawn over the curve so that nobody takes it for a short one. */
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

/** The marks as lines from top to bottom. */
export function Marks({ marks, height }: { readonly marks: readonly PlacedMark[]; readonly height: number }): VNode {
  return (
    <>
      {marks.map(({ kind, share }) => (
        <line class={`mark mark-${kind}`} x1={percent(share)} x2={percent(share)} y1="0" y2={height} />
      ))}
    </>
  );
}

/** What the drawing covers, for those who do not see it. */
export const described = (what: string, { span }: TimeScale): string =>
  `${what} over ${duration(span)}; the table beside it has the figures.`;

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
