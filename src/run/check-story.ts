import { badOption } from '../base/kernel/errors.js';
import { programmeOf } from '../drive/explore/programme.js';
import type { RunPlan } from './plan-run.js';

/** Throws UsageError for a path of `--replay` without a story, which would do nothing. */
export function checkStory({ request: { explore, writes }, removal }: RunPlan): void {
  const [path] = explore?.replay ?? [];
  if (explore === undefined || path === undefined) return;
  if (programmeOf(explore.seed, { writes, fetches: removal === 'before' }).at(path)) return;
  throw badOption(
    `There is no story ${explore.seed}:${path}.`,
    'Copy it completely from the report, e.g. --replay 7:12:0:3, and use the same writes and --as-of as that run.',
  );
}
