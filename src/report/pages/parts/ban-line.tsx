import type { VNode } from 'preact';
import { COLUMNS, type WindowChart } from '../model/window.js';
import { count, duration } from '../../../format/format.js';
import { described, Folds, Ground, MarkNumbers, Marks, percent, TimeAxis } from './axis.js';

const HEIGHT = 54;

/** The ban as a time line: what was served and refused before, during and after, the ban itself as a band. */
export function BanLine({ chart }: { readonly chart: WindowChart }): VNode {
  const begins = chart.marks.find(({ kind }) => kind === 'ban-begins');
  const ends = chart.marks.find(({ kind }) => kind === 'ban-ends');
  const from = begins ? begins.share : null;
  const to = ends ? ends.share : 1;
  const lasted = begins && ends ? duration(ends.offset - begins.offset) : null;
  return (
    <div class="plot" role="img" aria-label={described('Requests around the ban', chart.time)}>
      <span />
      <MarkNumbers marks={chart.marks} />
      <span />
      <span class="scale lanes-scale" aria-hidden="true">
        <span>served</span>
        <span>429</span>
        <span>other</span>
      </span>
      <svg class="ban" aria-hidden="true" width="100%" height={HEIGHT}>
        <Ground time={chart.time} height={HEIGHT} />
        <svg viewBox={`0 0 ${COLUMNS} ${HEIGHT}`} preserveAspectRatio="none" width="100%" height={HEIGHT}>
          <path class="lane-served" d={ticks(chart, 'served', 2)} />
          <path class="lane-refused" d={ticks(chart, 'refused', 20)} />
          <path class="lane-other" d={ticks(chart, 'other', 38)} />
        </svg>
        <Folds time={chart.time} height={HEIGHT} />
        {from !== null && (
          <rect class="band" x={percent(from)} width={percent(Math.max(0.002, to - from))} y="0" height={HEIGHT} />
        )}
        <Marks marks={chart.marks} height={HEIGHT} />
        {from !== null && to - from > 0.12 && (
          <text class="band-text" x={percent((from + to) / 2)} y={HEIGHT / 2 + 4} text-anchor="middle">
            {lasted === null ? 'banned, no end seen' : `banned for ${lasted}`}
          </text>
        )}
      </svg>
      <span class="scale lanes-scale total" aria-hidden="true">
        <span>{count(chart.totals.served)}</span>
        <span>{count(chart.totals.refused)}</span>
        <span>{count(chart.totals.other)}</span>
      </span>
      <span />
      <TimeAxis time={chart.time} />
      <span />
    </div>
  );
}

const ticks = (chart: WindowChart, lane: 'served' | 'refused' | 'other', top: number): string =>
  chart.lanes[lane].map(([column]) => `M${column} ${top}v14`).join('');
