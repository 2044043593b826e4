import { minuteMs } from './bounds.js';
import { readReset } from './headers/header-number.js';
import type { Sample } from './sample.js';
import type { Figures } from './series.js';

/** Both ends of a window are told in whole seconds, ms. */
export const ROUNDED_MS = 2000;

/** Where on the server's clock a date lies, answers tell from second to second, and `Date` was seen 2.3 s stale. */
export const STALE_MS = 2300;

/** What comes back by fewer beats than these in a window shows in what a burst gets. */
export const BEATS = 10;

/** Answers one after the other that told the same Reset, in the server's ms. */
export interface Edge {
  readonly unixMs: number;
  readonly samples: readonly Sample[];
}

/** What was told of Reset, one time after the other, by samples in the order of sending. */
export function edgesOf(samples: readonly Sample[]): readonly Edge[] {
  const edges: { readonly unixMs: number; readonly samples: Sample[] }[] = [];
  for (const sample of samples) {
    const read = readReset(sample.reset);
    if (read?.unit !== 'unix-seconds') continue;
    const last = edges.at(-1);
    if (last !== undefined && Math.abs(read.unixMs - last.unixMs) <= ROUNDED_MS) last.samples.push(sample);
    else edges.push({ unixMs: read.unixMs, samples: [sample] });
  }
  return edges;
}

/** Whether Reset moves on bit by bit, as the time does until a bucket is full. */
export const creeps = (told: readonly Edge[], figures: Figures): boolean =>
  told.some(({ unixMs }, index) => {
    const by = unixMs - (told[index - 1]?.unixMs ?? -Infinity);
    return by > 0 && by <= minuteMs(figures) / BEATS;
  });
