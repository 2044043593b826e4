import { planOf, type Target } from '../targets/target.js';

/** Of a target on this machine or beside it, with what is judged meanwhile, ms a request. */
const REQUEST_MS = 10;
/** What is missed is asked for once more when it had its time to show up, s. */
const LATE_SECONDS = 2;

/**
 * What exploring is going to take, seconds: of each window it uses all but one request, and after load it lets one pass.
 * What the suites left of the first is not known before.
 */
export function secondsOfExploring(requests: number, target: Target, isAfterLoad: boolean): number {
  const { perMinute } = planOf(target, target.suiteKey);
  const windows = Math.ceil(requests / Math.max(1, perMinute - 1)) - 1;
  return Math.ceil(
    (isAfterLoad ? target.windows.minute + 1 : 0) +
      windows * target.windows.minute +
      (requests * REQUEST_MS) / 1000 +
      LATE_SECONDS,
  );
}
