import type { RunLog } from '../../log/run-log.js';
import type { Results } from '../../verdict/results.js';
import { boundsOf } from '../wording/bounds.js';
import { counted, duration } from '../wording/format.js';
import { verdictClause } from '../wording/verdict-sentence.js';

/** Where the reader finds more: paths as they are to be shown. */
export interface Places {
  readonly report: string;
  /** What changed since the run compared with. */
  readonly changes?: string;
}

/**
 * The one sentence that may be read alone: verdict, what bounds it, requests and time, and where the report is. It ends
 * with a path and without a full stop, so that the path can be opened or copied.
 */
export function closingSentence(results: Results, { footer }: RunLog, places: Places): string {
  const clauses = [
    verdictClause(results),
    ...(results.complete ? [] : [`reason: ${footer?.reason ?? 'the log just stops'}`]),
    ...boundsOf(results),
    `${counted(results.requests.total, 'request')} in ${duration(results.durationMs)}`,
    ...(places.changes === undefined ? [] : [`changes: ${places.changes}`]),
    `report: ${places.report}`,
  ];
  return clauses.join('; ');
}
