import { capital } from '../../../format/format.js';
import type { LogHeader, PreflightFacts } from '../../../log/record.js';

/** Returns reservations about the run to read before its results, one sentence each. */
export function doubtsOf(header: LogHeader, preflight: PreflightFacts | null): readonly string[] {
  return [
    ...(header.target.exclusive
      ? []
      : [
          'The keys were declared as shared with others: what was spent by them cannot be told from what this run spent.',
        ]),
    ...(header.target.production ? ['This is a production system.'] : []),
    ...(header.scope.writes ? [] : ['Writes were off: no request that would create an animal was sent.']),
    ...(header.scope.asOf === header.startedAt.slice(0, 10)
      ? []
      : [`The run was judged as of ${header.scope.asOf}, not as of the day on which it took place.`]),
    ...(preflight?.remarks.map(capital) ?? []),
  ];
}
