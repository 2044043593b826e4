import type { Figures } from '../limits/series.js';
import { windowsSeen } from '../limits/windows-seen.js';
import { count, counted } from '../format/format.js';
import { wasRefused, wasServed, type Sample } from '../limits/sample.js';

/*
 * What the sentences of experiments share. A sentence tells what came back and judges nothing.
 */

/** How many were served. */
export const servedIn = (samples: readonly Sample[]): number => samples.filter(wasServed).length;

/** How many were refused with 429. */
export const refusedIn = (samples: readonly Sample[]): number => samples.filter(wasRefused).length;

/** " across 2 windows of 60" where a window ended in the midst of some requests; empty where none was seen to. */
export function acrossWindows(samples: readonly Sample[], figures: Figures): string {
  const windows = windowsSeen(samples, figures).pieces.length;
  return windows > 1 ? ` across ${counted(windows, 'window')} of ${count(figures.perMinute)}` : '';
}

/** "answered 503", "left without an answer"; `before` stands in front. */
export const answered = ({ status }: Sample, before: string): string =>
  `${before} ${status === 0 ? 'left without an answer' : `answered ${status}`}`.trim();
