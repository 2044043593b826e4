import { isOfOthers, type RunLog } from '../../../log/run-log.js';

/** Traffic that others made shows no conformity. */
export const heldWords =
  (log: Pick<RunLog, 'traffic'>) =>
  (amount: number): string => {
    if (isOfOthers(log)) return 'with no violation seen';
    return amount === 1 ? 'holds' : 'hold';
  };
