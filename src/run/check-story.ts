import { badOption } from '../base/kernel/errors.js';
import { programmeOf } from '../drive/explore/programme.js';
import type { RunPlan } from './plan-run.js';

/** Throws UsageError for a path of `--replay` without a story, which would do nothing. */
export function checkStory({ request: { explore, writes }, removal }: RunPlan): void {
  if (explore?.replay === undefined) return;
  const programme = programmeOf(explore.seed, { writes, fetches: removal === 'before' });
  const path = explore.replay.find((each) => programme.at(each) === null);
  if (path === undefined) return;
  throw badOption(
    `There is no story ${explore.seed}:${path}.`,
    'Copy it completely from the report, e.g. --replay 7:12:0:3, and use the same writes and --as-of as that run.',
  );
}
