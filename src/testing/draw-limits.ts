import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { scaleLinear, scaleSqrt } from 'd3-scale';
import { area, curveStepAfter } from 'd3-shape';
import { packageRoot } from '../base/kernel/package.js';
import { duration } from '../base/kernel/format.js';
import { gather } from '../log/gathered.test.support.js';
import { headerOf } from '../log/header.js';
import { startAltered } from '../proof/index.js';
import { chartsOf, COLUMNS, type Lane, type Point, type WindowChart } from '../report/pages/model/window.js';
import { ran, targetAt } from './load-at.js';

/* Draws the pictures of docs/limits.md: runs with a Free key against the reference server, in real minutes. */

/** Pictures, by the variants and flaws of the server. */
const PICTURES: Readonly<
  Record<string, { readonly variants?: readonly string[]; readonly flaws?: readonly string[] }>
> = {
  'window-from-the-first-request': {},
  'window-of-the-clock': { variants: ['calendar-window'] },
  'sliding-log': { variants: ['sliding-log'] },
  'sliding-counter': { variants: ['sliding-counter'] },
  'token-bucket': { variants: ['token-bucket'] },
  'bucket-by-quarters': { variants: ['bucket-by-quarters'] },
  'leaky-bucket': { variants: ['leaky-bucket'] },
  'written-late': { flaws: ['checks-before-it-counts'] },
};

const MINUTE_S = 60;
/** Time between two starts, ms: bursts at the same moment would slow each other. */
const APART_MS = 5000;

/** Share of the width behind which the text of a tick would leave the picture. */
const LAST_TICK = 0.97;
const LEFT = 84;
const RIGHT = 14;
const CURVE = { top: 28, height: 150 };
/** Where names of questions stand, and the least space between two of them, px. */
const NAMES_OF_QUESTIONS = { y: 16, apart: 72 };
const LANE = { height: 16, gap: 8 };
const LANES: readonly Lane[] = ['served', 'refused'];
const NAMES: Readonly<Record<string, string>> = { served: 'served', refused: '429' };
const WIDTH = LEFT + COLUMNS + RIGHT;
const FLOOR = CURVE.top + CURVE.height;
const HEIGHT = FLOOR + LANES.length * (LANE.height + LANE.gap) + 26;

const STYLE = `text{font:12px system-ui,sans-serif;fill:#5d5c58}.line{fill:none;stroke:#1b1b1a;stroke-width:1.5}
.area{fill:#5d5c58;opacity:.13}.rule{stroke:#c9c7c0}.limit{stroke:#8d8b85;stroke-dasharray:2 3}.served{stroke:#8d8b85}
.refused{stroke:#b3261e}.fold{fill:#fcfcfa;stroke:#c9c7c0;stroke-dasharray:1 3}.paper{fill:#fcfcfa}
@media(prefers-color-scheme:dark){text{fill:#a8a59f}.line{stroke:#e9e7e3}.area{fill:#a8a59f}.rule{stroke:#2d2f32}
.refused{stroke:#ff9183}.fold{fill:#141517;stroke:#76746f}.paper{fill:#141517}}`;

/** Draws a chart of Remaining over time, with the responses below, as one SVG file. */
function drawingOf(chart: WindowChart, title: string): string {
  const y = scaleLinear([0, chart.top], [FLOOR, CURVE.top]).clamp(true);
  const x = (share: number): number => Math.round((LEFT + share * COLUMNS) * 10) / 10;
  const steps = area<Point>()
    .x(([column]) => LEFT + column)
    .y0(FLOOR)
    .y1(([, value]) => y(value))
    .curve(curveStepAfter)
    .digits(1);
  const most = Math.max(1, ...LANES.flatMap((lane) => chart.lanes[lane].map(([, amount]) => amount)));
  const tall = scaleSqrt([0, most], [0, LANE.height]);
  const lanes = LANES.map((lane, place) => {
    const floor = FLOOR + (place + 1) * (LANE.height + LANE.gap);
    const bars = chart.lanes[lane].map(([column, amount]) => {
      const height = Math.max(3, Math.round(tall(amount)));
      return `M${LEFT + column} ${floor}v${-height}`;
    });
    return [
      `<line class="rule" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${floor}" y2="${floor}"/>`,
      `<text x="${LEFT - 8}" y="${floor}" text-anchor="end">${NAMES[lane]}</text>`,
      `<path class="${lane}" stroke-width="1.5" d="${bars.join('')}"/>`,
    ].join('');
  });
  const folds = chart.time.stretches.filter(({ idle }) => idle);
  const drawnFolds = folds.map(({ from, to, start, end }) => {
    const width = x(end) - x(start);
    const text = duration(Math.round((to - from) / 1000) * 1000);
    return [
      `<rect class="fold" x="${x(start)}" y="${CURVE.top}" width="${width}" height="${HEIGHT - CURVE.top - 22}"/>`,
      `<text x="${x((start + end) / 2)}" y="${HEIGHT - 6}" text-anchor="middle" font-style="italic">${text}</text>`,
    ].join('');
  });
  let last = -Infinity;
  const names = chart.names.flatMap(({ profile, share }) => {
    if (x(share) - last < NAMES_OF_QUESTIONS.apart) return [];
    last = x(share);
    return [`<text x="${last}" y="${NAMES_OF_QUESTIONS.y}" text-anchor="middle">${profile}</text>`];
  });
  const apart: number[] = [];
  const ticks = chart.time.stretches
    .filter(({ idle }) => !idle)
    .flatMap(({ from, to, start, end }) =>
      scaleLinear([from / 1000, to / 1000], [start, end]).ticks(Math.max(1, Math.round(6 * (end - start)))),
    )
    .filter((second) => {
      // A burst of a tenth of a second needs no times of its own.
      if (!Number.isInteger(second * 10)) return false;
      const share = chart.time.at(second * 1000);
      const isClear =
        share < LAST_TICK && folds.every(({ start, end }) => share < start - 0.03 || share > end + 0.03);
      const isFree = isClear && apart.every((other) => Math.abs(other - share) > 0.05);
      if (isFree) apart.push(share);
      return isFree;
    })
    .map(
      (second) =>
        `<text x="${x(chart.time.at(second * 1000))}" y="${HEIGHT - 6}" text-anchor="middle">${second} s</text>`,
    );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"><title>${title}</title><style>${STYLE}</style>
<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>
<text x="${LEFT - 8}" y="${CURVE.top + 10}" text-anchor="end">${chart.top}</text><text x="${LEFT - 8}" y="${FLOOR}" text-anchor="end">0</text>
<text x="4" y="${CURVE.top + CURVE.height / 2}" font-size="11">Remaining</text>
<path class="area" d="${steps(chart.remaining) ?? ''}"/><path class="line" d="${steps.lineY1().digits(1)(chart.remaining) ?? ''}"/>
<line class="limit" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(chart.limit ?? 0)}" y2="${y(chart.limit ?? 0)}"/>
${names.join('')}\n${lanes.join('\n')}\n${drawnFolds.join('\n')}\n${ticks.join('')}</svg>\n`;
}

const folder = join(packageRoot(), 'docs', 'limits');
mkdirSync(folder, { recursive: true });
await Promise.all(
  Object.entries(PICTURES).map(async ([name, options], place) => {
    await pause(place * APART_MS);
    await using server = await startAltered({ minuteSeconds: MINUTE_S, ...options });
    const windows = { minute: MINUTE_S, day: 86_400 };
    const target = targetAt(server.baseUrl, { free: server.keys.free }, { windows });
    const { records, summaries } = await ran(target);
    const shared = { selection: null, selected: null, writes: true, includes: [], command: '' };
    const header = headerOf({ run: 'cafe0123', target, asOf: '2026-11-20', ...shared });
    const footer = {
      type: 'footer',
      complete: true,
      reason: null,
      finishedAt: new Date().toISOString(),
    } as const;
    const [chart] = chartsOf(gather([header, ...records, footer]), 'window');
    const title = `Remaining and responses of a Free key: ${name.replaceAll('-', ' ')}`;
    if (chart !== undefined) writeFileSync(join(folder, `${name}.svg`), drawingOf(chart, title));
    for (const { profile, sentence } of summaries) process.stdout.write(`${name}: ${profile}: ${sentence}\n`);
  }),
);
