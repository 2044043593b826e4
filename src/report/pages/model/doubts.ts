import { capital } from '../../../format/format.js';
import type { LogHeader, PreflightFacts } from '../../../log/record.js';

/** Returns reservations about the run to read before its results, one sentence each. */
export function doubtsOf(header: LogHeader, preflight: PreflightFacts | null): readonly string[] {
  return [
    ...(header.target.exclusive
      ? []
      : ['The keys are declared as shared: requests of other users cannot be told apart from requests of this run.']),
    ...(header.target.production ? ['This is a production system.'] : []),
    ...(header.scope.writes ? [] : ['Writes were off: the run sent no request to create an animal.']),
    ...(header.scope.asOf === header.startedAt.slice(0, 10)
      ? []
      : [`The run was judged as of ${header.scope.asOf}, not as of its own date.`]),
    ...(preflight?.remarks.map(capital) ?? []),
  ];
}
