import { RATE_HEADERS } from '../../../base/interface/rate-headers.js';
import { scaleLinear, scaleSqrt } from 'd3-scale';
import { area, curveStepAfter } from 'd3-shape';
import { count, duration } from '../../../base/kernel/format.js';
import type { TimeScale } from '../model/time-scale.js';
import { COLUMNS, LANES, type Lane, type PlacedMark, type Point, type WindowChart } from '../model/window.js';
import { Area, Labels, percent, Rules, Stretched } from '../markup/plot.js';
import { TimeAxis, ticksOf } from '../markup/time-axis.js';

/** Heights in CSS pixels; the widths follow the page. */
const HEIGHT = 168;
const LANE_HEIGHT = 18;

const LANE_LABELS: Readonly<Record<Lane, string>> = { served: 'served', refused: '429', other: 'other' };

/**
 * Remaining as a sawtooth against Limit, responses by status code below, marks across both. A ban is a band
 * instead.
 */
export function WindowPlot({ chart }: { readonly chart: WindowChart }) {
  const isBan = chart.drawing === 'ban';
  const lanes = LANES.filter((lane) => lane !== 'other' || isBan || chart.totals.other > 0);
  const what = isBan ? 'Requests around the ban' : `Remaining and responses of the ${chart.plan} plan`;
  return (
    <div
      class="plot"
      role="img"
      aria-label={`${what} over ${duration(chart.time.span)}; the table next to it has the figures.`}
    >
      {!isBan && (
        <>
          <span />
          <ProfileNames names={chart.names} />
          <span />
        </>
      )}
      <span />
      <MarkNumbers marks={chart.marks} />
      <span />
      {!isBan && (
        <>
          <span class="scale" aria-hidden="true">
            <span>{count(Math.round(chart.top))}</span>
            <span>0</span>
          </span>
          <Curve chart={chart} />
          <span class="curve-name" aria-hidden="true">
            Remaining
          </span>
        </>
      )}
      {lanes.map((lane) => (
        <>
          <span class="lane-name" aria-hidden="true">
            {LANE_LABELS[lane]}
          </span>
          <LanePlot chart={chart} lane={lane} ban={isBan ? banOf(chart) : null} />
          <span class="lane-total" aria-hidden="true">
            {count(chart.totals[lane])}
          </span>
        </>
      ))}
      <span />
      <TimeAxis time={chart.time} />
      <span />
    </div>
  );
}

function Curve({ chart }: { readonly chart: WindowChart }) {
  const y = scaleLinear([0, chart.top], [HEIGHT, 0]).clamp(true);
  const steps = area<Point>()
    .x(([column]) => column)
    .y0(HEIGHT)
    .y1(([, value]) => Math.round(y(value) * 10) / 10)
    .curve(curveStepAfter)
    .digits(1);
  const limit = chart.limit === null ? null : y(chart.limit);
  return (
    <Area class="plot-area" height={HEIGHT}>
      <Rules shares={ticksOf(chart.time).map(({ share }) => share)} height={HEIGHT} />
      <Stretched units={COLUMNS} height={HEIGHT}>
        <path class="area" d={steps(chart.remaining) ?? ''} />
        <path class="series line" d={steps.lineY1().digits(1)(chart.remaining) ?? ''} />
      </Stretched>
      {limit !== null && <line class="limit" x1="0" x2="100%" y1={limit} y2={limit} />}
      <Folds time={chart.time} height={HEIGHT} />
      <Marks marks={chart.marks} height={HEIGHT} />
      {chart.remaining.length === 0 && (
        <text class="empty" x="50%" y={HEIGHT / 2} text-anchor="middle">
          no response had a readable {RATE_HEADERS.remaining}
        </text>
      )}
    </Area>
  );
}

/** Returns a ban as a share of the width, and in words. */
function banOf({ marks }: WindowChart) {
  const begins = marks.find(({ kind }) => kind === 'ban-begins');
  const ends = marks.find(({ kind }) => kind === 'ban-ends');
  if (!begins) return null;
  const text = ends ? `banned for ${duration(ends.offset - begins.offset)}` : 'banned, end not seen';
  return { from: begins.share, to: ends?.share ?? 1, text };
}

interface LanePlotProps {
  readonly chart: WindowChart;
  readonly lane: Lane;
  readonly ban: ReturnType<typeof banOf>;
}

/** Heights follow the square root, so that one refusal is visible next to a thousand. */
function LanePlot({ chart, lane, ban }: LanePlotProps) {
  const most = Math.max(1, ...LANES.flatMap((each) => chart.lanes[each].map(([, amount]) => amount)));
  const tall = scaleSqrt([0, most], [0, LANE_HEIGHT - 2]);
  return (
    <Area class={`lane lane-${lane}`} height={LANE_HEIGHT}>
      <Marks marks={chart.marks} height={LANE_HEIGHT} />
      <Stretched units={COLUMNS} height={LANE_HEIGHT}>
        <path
          d={chart.lanes[lane]
            .map(([column, amount]) => `M${column} ${LANE_HEIGHT}v${-Math.max(3, Math.round(tall(amount)))}`)
            .join('')}
        />
      </Stretched>
      <Folds time={chart.time} height={LANE_HEIGHT} />
      {ban && (
        <rect
          class="band"
          x={percent(ban.from)}
          width={percent(ban.to - ban.from)}
          y="0"
          height={LANE_HEIGHT}
        />
      )}
      {ban && lane === 'refused' && ban.to - ban.from > 0.12 && (
        <text
          class="band-text"
          x={percent((ban.from + ban.to) / 2)}
          y={LANE_HEIGHT / 2 + 4}
          text-anchor="middle"
        >
          {ban.text}
        </text>
      )}
    </Area>
  );
}

/** Names closer than this share of the width would overlap. */
const NAMES_TOO_NEAR = 0.1;

/** The table next to the chart has the profiles that do not fit. */
function ProfileNames({ names }: Pick<WindowChart, 'names'>) {
  const shown: WindowChart['names'][number][] = [];
  for (const one of names) if (one.share - (shown.at(-1)?.share ?? -1) > NAMES_TOO_NEAR) shown.push(one);
  return (
    <Labels class="profile-names" ticks={shown.map(({ profile, share }) => ({ share, text: profile }))} />
  );
}

/** Marks closer than this share of the width share a label: two would overlap on a phone. */
const TOO_NEAR = 0.07;

/** Neighbours share a label such as "2–4". */
function MarkNumbers({ marks }: { readonly marks: readonly PlacedMark[] }) {
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

/** A folded wait, drawn over the curve so that it does not look short. */
const Folds = ({ time, height }: { readonly time: TimeScale; readonly height: number }) => (
  <>
    {time.stretches
      .filter(({ idle }) => idle)
      .map(({ start, end }) => (
        <>
          <rect class="fold-ground" x={percent(start)} width={percent(end - start)} y="0" height={height} />
          <Rules class="fold-edge" shares={[start, end]} height={height} />
        </>
      ))}
  </>
);

const Marks = ({ marks, height }: { readonly marks: readonly PlacedMark[]; readonly height: number }) => (
  <>
    {marks.map(({ kind, share }) => (
      <Rules class={`mark mark-${kind}`} shares={[share]} height={height} />
    ))}
  </>
);
