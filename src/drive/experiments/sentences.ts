import type { Figures } from '../../judge/limits/bounds.js';
import { windowsSeen } from '../../judge/limits/windows-seen.js';
import { count, counted } from '../../base/kernel/format.js';
import type { Sample } from '../../judge/limits/sample.js';

/* Helpers for the sentences of experiments. A sentence describes the requests and judges nothing. */

/** Returns " across 2 windows of 60" if a window ended within some requests; empty if none is visible. */
export function acrossWindows(samples: readonly Sample[], figures: Figures): string {
  const windows = windowsSeen(samples, figures).pieces.length;
  return windows > 1 ? ` across ${counted(windows, 'window')} of ${count(figures.perMinute)}` : '';
}

/** Returns "got 503" or "got no response". */
export const answered = ({ status }: Sample): string => (status === 0 ? 'got no response' : `got ${status}`);
