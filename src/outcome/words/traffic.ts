import { counted, count } from '../../base/kernel/format.js';
import { cut } from '../../base/kernel/visible.js';
import type { TrafficResults } from '../results/part-shapes.js';
import type { Results } from '../results/results-shape.js';

/** Returns whether a service was judged: by the requests of a run, or by those that its clients sent. */
export const isOfService = ({ sides }: Pick<Results, 'sides'>): boolean =>
  sides?.some(({ side }) => side === 'service') ?? true;

/**
 * Returns whether a run judged a service by what its clients sent. A pass there fixes nothing that failed in
 * a run: the requests may be others.
 */
export const isTraffic = (results: Pick<Results, 'sides'>): boolean =>
  results.sides !== undefined && isOfService(results);

/** What a reader should know of recorded traffic, as sentences without a full stop. */
export const remarksOnTraffic = (traffic: TrafficResults): readonly string[] =>
  [scopeOfTraffic(traffic), brokenInTraffic(traffic), maskedInTraffic(traffic)].filter(
    (remark) => remark !== null,
  );

function scopeOfTraffic({ entries, inScope, leftOut }: TrafficResults): string | null {
  const reasons = Object.entries(leftOut)
    .toSorted(([, one], [, other]) => other - one)
    .map(([reason, number]) => `${count(number)} ${reason}`);
  if (reasons.length === 0) return null;
  return `${count(inScope)} of ${counted(entries, 'entry', 'entries')} judged; left out: ${reasons.join(', ')}`;
}

export function brokenInTraffic({ inScope, unanswered = 0, cutShort = 0 }: TrafficResults): string | null {
  const parts = [
    ...(unanswered > 0
      ? [`${count(unanswered)} of ${counted(inScope, 'request')} got no response from the service`]
      : []),
    ...(cutShort > 0
      ? [
          `${counted(cutShort, 'response')} ended early, or ${cutShort === 1 ? 'was' : 'were'} too large to judge`,
        ]
      : []),
  ];
  return parts.length === 0 ? null : `${parts.join('; ')}: no requirement judges that`;
}

/** Most names of masked secrets that a sentence shows: a login page has some ten. */
const MOST_NAMES = 20;

function maskedInTraffic({ masked = [] }: TrafficResults): string | null {
  if (masked.length === 0) return null;
  const more = masked.length - MOST_NAMES;
  const names = masked.slice(0, MOST_NAMES).map((name) => shownName(name));
  return `Values masked as secrets: ${names.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
}

/** Clients and servers choose names. */
const shownName = (name: string): string => cut(name, 60).text;

/** Returns when the requests of a run began, and how long they took, ms: of traffic, by its own record. */
export function timesOfRun({
  traffic,
  startedAt,
  durationMs,
}: Pick<Results, 'traffic' | 'startedAt' | 'durationMs'>): Pick<Results, 'startedAt' | 'durationMs'> {
  const { from, to } = traffic ?? {};
  if (from === undefined || to === undefined) return { startedAt, durationMs };
  return { startedAt: from, durationMs: Date.parse(to) - Date.parse(from) };
}
