import { mostRefilled, type Figures } from '../../judge/limits/bounds.js';
import { windowsSeen } from '../../judge/limits/windows-seen.js';
import { count, counted, duration } from '../../base/kernel/format.js';
import { wasServed, type Sample } from '../../judge/limits/sample.js';

/* Helpers for the sentences of experiments. A sentence describes the requests and judges nothing. */

/** Returns " across 2 windows of 60" if a window ended within some requests; empty if none is visible. */
export function acrossWindows(samples: readonly Sample[], figures: Figures): string {
  const windows = windowsSeen(samples, figures).pieces.length;
  return windows > 1 ? ` across ${counted(windows, 'window')} of ${count(figures.perMinute)}` : '';
}

/**
 * Returns " (29 of them came back within 1.8 s)" if more requests were allowed than the plan has, and a
 * refill explains it; otherwise empty: what no refill explains is its row's finding.
 */
export function refilledMeanwhile(samples: readonly Sample[], figures: Figures): string {
  const beyond = samples.filter(wasServed).length - figures.perMinute;
  const elapsedMs =
    Math.max(...samples.map(({ answeredAt }) => answeredAt)) -
    Math.min(...samples.map(({ sentAt }) => sentAt));
  return beyond > 0 && beyond <= mostRefilled(figures, elapsedMs)
    ? ` (${count(beyond)} of them came back within ${duration(elapsedMs)})`
    : '';
}

/** Returns "got 503" or "got no response". */
export const answered = ({ status }: Sample): string => (status === 0 ? 'got no response' : `got ${status}`);
