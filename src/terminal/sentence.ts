import type { LogHeader } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import type { Places } from '../run/run-reporter.js';
import type { Results } from '../verdict/results.js';
import { certificationOf } from '../acceptance/certificate.js';
import { planWords } from '../words/coverage.js';
import { boundsOf, verdictText } from '../words/bounds.js';
import { counted, duration } from '../format/format.js';
import { verdictClause } from '../words/verdict-sentence.js';

/**
 * The one sentence that may be read alone: verdict, what bounds it, requests and time, and where the report is. It ends
 * with a path and without a full stop, so that the path can be opened or copied.
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
    ...(results.complete ? [] : [`reason: ${footer?.reason ?? 'the log just stops'}`]),
    ...bounds,
    ...certificateClause(results, header),
    `${counted(results.requests.total, 'request')} in ${duration(results.durationMs)}`,
    ...(places.changes === undefined ? [] : [`changes: ${places.changes}`]),
    `report: ${places.report}`,
  ];
  return clauses.join('; ');
}

/** What became of the certificate that was asked for. */
function certificateClause(results: Results, header: LogHeader): readonly string[] {
  const certification = certificationOf(results, header);
  if (certification === null) return [];
  if (certification.kind === 'certified') return [`certified for ${planWords(certification.plans)} and for no more`];
  const [first = '', ...more] = certification.reasons;
  const others = more.length === 0 ? '' : ` (and ${counted(more.length, 'reason')} more)`;
  return [`no certificate: ${first.replace(/\.$/, '')}${others}`];
}
