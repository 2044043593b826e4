import { count, counted, duration } from '../../base/kernel/format.js';
import { mostRefilled, type Figures } from './bounds.js';
import { lastAnswerOf, mayHaveSlid, servedIn, type Sample } from './sample.js';
import type { KeySeries } from './series.js';
import { usedBefore } from './used-before.js';
import { windowsSeen } from './windows-seen.js';

/* How a sentence counts the allowed requests of a burst. It describes them and judges nothing. */

/** Returns " across 2 windows of 60" if a window ended within some requests; empty if none is visible. */
export function acrossWindows(samples: readonly Sample[], figures: Figures): string {
  const windows = windowsSeen(samples, figures).pieces.length;
  return windows > 1 ? ` across ${counted(windows, 'window')} of ${count(figures.perMinute)}` : '';
}

/** Returns "29 of them came back within 1.8 s" if that explains all requests beyond the plan; else null. */
function cameBackText(beyond: number, samples: readonly Sample[], most: number): string | null {
  return beyond > 0 && beyond <= most
    ? `${count(beyond)} of them came back within ${duration(elapsedOf(samples))}`
    : null;
}

const elapsedOf = (samples: readonly Sample[]): number =>
  lastAnswerOf(samples) - Math.min(...samples.map(({ sentAt }) => sentAt));

/**
 * Returns " (29 of them came back within 1.8 s)" if more requests were allowed than the plan has, and a
 * refill explains it; otherwise empty: what no refill explains is its row's finding.
 */
export function refilledMeanwhile(samples: readonly Sample[], figures: Figures): string {
  const text = cameBackText(
    servedIn(samples) - figures.perMinute,
    samples,
    mostRefilled(figures, elapsedOf(samples)),
  );
  return text === null ? '' : ` (${text})`;
}

/**
 * Counts a burst and what the run used of its allowance before: `amount` "60 of 60 requests" and `besides` "
 * (3 earlier)". `earlier` is true if there are any: then a request's number is not its place.
 */
export function allowedIn(burst: readonly Sample[], key: Pick<KeySeries, 'earlier' | 'figures'>) {
  const { figures } = key;
  const served = servedIn(burst);
  const across = acrossWindows(burst, figures);
  if (across !== '') return { amount: `${count(served)} requests`, besides: across, earlier: false };
  // Without Remaining, a burst that got the whole allowance had a fresh window, whatever came shortly before.
  const isWhole = served >= figures.perMinute;
  const before = isWhole ? { used: 0, mayCount: 0 } : usedBefore(burst, key);
  const all = served + before.used;
  const slid = mayHaveSlid(key.earlier, figures, burst[0]?.sentAt ?? 0, lastAnswerOf(burst)).length;
  const most = mostRefilled(figures, elapsedOf(burst)) + (before.used > 0 ? slid : 0);
  const notes = [
    before.used > 0 ? `${count(before.used)} earlier` : null,
    before.mayCount > 0 && all < figures.perMinute ? `${count(before.mayCount)} more may have counted` : null,
    cameBackText(all - figures.perMinute, burst, most),
  ].filter((note) => note !== null);
  return {
    amount: `${count(all)} of ${count(figures.perMinute)} requests`,
    besides: notes.length === 0 ? '' : ` (${notes.join(', ')})`,
    earlier: before.used > 0,
  };
}
