import { scaleLinear } from 'd3-scale';
import { duration, trimmed } from '../../../format/format.js';
import type { Stretch, TimeScale } from '../model/time-scale.js';
import type { PlacedMark } from '../model/window.js';
import { Labels, percent, Rules, timeUnit, type Tick } from '../markup/plot.js';

/** Marks closer than this share of the width share a label: two would overlap on a phone. */
const TOO_NEAR = 0.07;

/** Numbers of the marks, above the chart; neighbours share a label such as "2–4". */
export function MarkNumbers({ marks }: { readonly marks: readonly PlacedMark[] }) {
  const labels: { from: number; to: number; at: number }[] = [];
  for (const [index, { share: at }] of marks.entries()) {
    const last = labels.at(-1);
    if (last && at - last.at < TOO_NEAR) last.to = index + 1;
    else labels.push({ from: index + 1, to: index + 1, at });
  }
  return (
    <Labels
      class="mark-numbers"
      ticks={labels.map(({ from, to, at }) => ({ share: at, text: from === to ? from : `${from}–${to}` }))}
    />
  );
}

/** Ticks of a chart: about one per eighth of its width. */
const TICKS = 8;
/** Ticks closer than this share of the width would overlap on a phone. */
const TICKS_TOO_NEAR = 0.11;
/** Distance of ticks from folds, whose text is wider than the fold on a phone. */
const CLEAR_OF_FOLDS = 0.08;

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

function apart(ticks: readonly Tick[]): readonly Tick[] {
  const kept: Tick[] = [];
  for (const tick of ticks) if (tick.share - (kept.at(-1)?.share ?? -1) > TICKS_TOO_NEAR) kept.push(tick);
  return kept;
}

/** Time axis: round times since the first request, and the length of each folded wait. */
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

/** Background of all charts of a plan: hairlines at round times. */
export const Ground = ({ time, height }: { readonly time: TimeScale; readonly height: number }) => (
  <Rules shares={ticksOf(time).map(({ share }) => share)} height={height} />
);

/** A folded wait, drawn over the curve so that it does not look short. */
export const Folds = ({ time, height }: { readonly time: TimeScale; readonly height: number }) => (
  <>
    {time.stretches
      .filter(({ idle }) => idle)
      .map(({ start, end }: Stretch) => (
        <>
          <rect class="fold-ground" x={percent(start)} width={percent(end - start)} y="0" height={height} />
          <Rules class="fold-edge" shares={[start, end]} height={height} />
        </>
      ))}
  </>
);

/** Marks as vertical lines. */
export const Marks = ({ marks, height }: { readonly marks: readonly PlacedMark[]; readonly height: number }) => (
  <>
    {marks.map(({ kind, share }) => (
      <line class={`mark mark-${kind}`} x1={percent(share)} x2={percent(share)} y1="0" y2={height} />
    ))}
  </>
);

/** Describes a chart for screen readers. */
export const described = (what: string, { span }: TimeScale): string =>
  `${what} over ${duration(span)}; the table next to it has the figures.`;
