import { counted, count } from '../../base/kernel/format.js';
import type { TrafficResults } from '../results/results-shape.js';

/**
 * Returns which entries of recorded traffic were judged, as a sentence; null where nothing was left out. No
 * full stop.
 */
export function scopeOfTraffic({ entries, inScope, leftOut }: TrafficResults): string | null {
  const reasons = Object.entries(leftOut)
    .toSorted(([, one], [, other]) => other - one)
    .map(([reason, number]) => `${count(number)} ${reason}`);
  if (reasons.length === 0) return null;
  return `${count(inScope)} of ${counted(entries, 'entry', 'entries')} judged; left out: ${reasons.join(', ')}`;
}
