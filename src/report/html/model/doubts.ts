import type { LogHeader, PreflightFacts } from '../../../log/record.js';
import { duration } from '../../wording/format.js';

/** A server clock further off than this (ms) is worth a word: Reset and Retry-After dates are read by it. */
const SKEW_WORTH_SAYING = 2_000;

/** What a reader should know about the run before its results: one sentence each. */
export function doubtsOf(header: LogHeader, preflight: PreflightFacts | null): readonly string[] {
  const skew = preflight?.clockSkewMs ?? 0;
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
    ...(Math.abs(skew) > SKEW_WORTH_SAYING
      ? [`The target's clock is ${duration(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} the kit's.`]
      : []),
    ...(preflight?.remarks ?? []),
  ];
}
