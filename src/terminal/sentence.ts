import type { LogHeader } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import type { Places } from '../run/judge-target.js';
import type { Results } from '../verdict/results.js';
import { certificationOf } from '../acceptance/certificate.js';
import { planWords } from '../words/coverage.js';
import { boundsOf, verdictText } from '../words/bounds.js';
import { counted, duration } from '../format/format.js';
import { verdictClause } from '../words/verdict-sentence.js';

/**
 * Returns one sentence that stands by itself: verdict with its bounds, requests and time, and the report's place. It ends with
 * a path and no full stop, so the path can be opened or copied.
 */
export function closingSentence(
  results: Results,
  { header, footer }: RunLog,
  places: Places,
  bounds: readonly string[] = boundsOf(results),
): string {
  if (results.obstacle) return `${verdictText(results)} Report: ${places.report}`;
  const clauses = [
    verdictClause(results),
    ...(results.complete ? [] : [`reason: ${footer?.reason ?? 'the log has no end'}`]),
    ...bounds,
    ...certificateClause(results, header),
    `${counted(results.requests.total, 'request')} in ${duration(results.durationMs)}`,
    ...(places.changes === undefined ? [] : [`changes: ${places.changes}`]),
    `report: ${places.report}`,
  ];
  return clauses.join('; ');
}

/** Describes the result of a requested certificate. */
function certificateClause(results: Results, header: LogHeader): readonly string[] {
  const certification = certificationOf(results, header);
  if (certification === null) return [];
  if (certification.kind === 'certified') return [`certified for ${planWords(certification.plans)} only`];
  const [first = '', ...more] = certification.reasons;
  const others = more.length === 0 ? '' : ` (and ${counted(more.length, 'reason')} more)`;
  return [`no certificate: ${first.replace(/\.$/, '')}${others}`];
}
