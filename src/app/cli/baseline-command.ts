import { suggestion } from '../../base/kernel/nearest-name.js';
import { counted, ended } from '../../base/kernel/format.js';
import type { Results } from '../../outcome/results/results.js';
import type { Arguments } from './command-options.js';
import { line, type Io } from './io.js';
import { writeAsked, resultsAt } from './named-files.js';
import { badOption, UsageError, badPlace } from '../../base/kernel/errors.js';
import { dayAfter, dayOf, isCalendarDate } from '../../base/kernel/day.js';
import { asStarted } from '../../outcome/words/as-started.js';
import { acceptable, draftBaseline } from '../../outcome/acceptance/baseline.js';

/** A month: long enough for a fix, short enough to require another look. */
const DEFAULT_DAYS = 30;

export function command({ create, run, out, expires }: Arguments<'baseline'>, io: Io): number {
  if (create !== 'create')
    throw new UsageError(
      'unknown-command',
      `There is no command "baseline ${create}".`,
      `${suggestion(create, ['create'], 'baseline ')}Write baseline create RUN. See petstore-conformance baseline --help.`,
    );
  const results = resultsAt(run);
  checkRun(results);
  const today = dayOf();
  const last = expires ?? dayAfter(today, DEFAULT_DAYS);
  if (!isCalendarDate(last) || last < today)
    throw badOption(
      `--expires takes a day from today on, not "${last}".`,
      'Write it as YYYY-MM-DD, e.g. --expires 2031-01-31. Nothing was written.',
    );
  const rows = acceptable(results);
  if (rows.length === 0) {
    line(
      io.out,
      `${results.target.name} has nothing to accept: every required behaviour passed. Nothing was written.`,
    );
    return 0;
  }
  const isThere = (cause: unknown): UsageError =>
    badPlace(
      `${out} already exists, and a baseline is never overwritten.`,
      'Name another file with --out, or remove it.',
      cause,
    );
  const hint = 'Name a file with --out in a folder that you can write to.';
  writeAsked(out, draftBaseline(results, last), hint, isThere);
  line(io.out, `${counted(rows.length, 'deviation')} to accept until ${last}: ${out}`);
  line(
    io.out,
    `Add each reason and where it was agreed, then run: ${asStarted(`petstore-conformance run --baseline ${out} …`)}`,
  );
  return 0;
}

function refuse(message: string, hint: string): never {
  throw badPlace(message, `${hint} Nothing was written.`);
}

function checkRun({ obstacle, complete, capacity, counts, cause }: Results): void {
  if (obstacle) refuse('That run did not start, so there is nothing to accept.', obstacle.hint);
  if (capacity)
    refuse(
      'That is a load run, and a baseline is for requirements, not thresholds.',
      'Name a run of the command run.',
    );
  if (!complete)
    refuse('That run was cut short, so it does not show all deviations.', 'Repeat it to its end.');
  if (counts.error > 0)
    refuse(
      'In that run the kit itself failed, which is no deviation of the target.',
      'Run again with --verbose and report the error.',
    );
  if (cause && counts.failed === 0)
    refuse(`That run shows no deviation of the target: ${ended(cause.text)}`, cause.hint);
}
