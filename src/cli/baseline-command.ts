import { nearestName } from '../contract/nearest-name.js';
import { counted } from '../format/format.js';
import type { Results } from '../verdict/results.js';
import type { BaselineArguments } from './command-table.js';
import { line, type Io } from './io.js';
import { writeAsked, resultsAt } from './named-files.js';
import { badOption, UsageError } from '../contract/errors.js';
import { isCalendarDate, acceptable, draftBaseline } from '../acceptance/baseline.js';

/** A month: long enough for a fix, short enough to require another look. */
const DEFAULT_DAYS = 30;

const DAY_MS = 86_400_000;

/** `baseline create RUN`: writes a run's deviations as a baseline to fill in. */
export function baselineCommand({ create, run, out, expires }: BaselineArguments, io: Io): number {
  if (create !== 'create')
    throw new UsageError(
      'unknown-command',
      `There is no command “baseline ${create}”.`,
      `${nearestName(create, ['create']) ? 'Did you mean baseline create? ' : ''}It is: baseline create RUN. See petstore-conformance baseline --help.`,
    );
  const results = resultsAt(run);
  checkRun(results);
  const today = new Date().toISOString().slice(0, 10);
  const last = expires ?? new Date(Date.now() + DEFAULT_DAYS * DAY_MS).toISOString().slice(0, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(last) || !isCalendarDate(last) || last < today)
    throw badOption(
      `--expires takes a day from today on, and “${last}” is none.`,
      'Write it as YYYY-MM-DD, e.g. --expires 2031-01-31. Nothing was written.',
    );
  const rows = acceptable(results);
  if (rows.length === 0) {
    line(
      io.out,
      `${results.target.name} has nothing to accept: no required behaviour fails or stands open. Nothing was written.`,
    );
    return 0;
  }
  writeAsked(
    out,
    draftBaseline(results, last),
    'Name a file with --out whose folder is there and may be written to.',
    (cause) => isThere(out, cause),
  );
  line(io.out, `${counted(rows.length, 'deviation')}, to be accepted until ${last}: ${out}`);
  line(io.out, `Fill in why, and where it was agreed; then: petstore-conformance run --baseline ${out} …`);
  return 0;
}

/** Rejects a run as the source of a baseline, with a hint. */
function refuse(message: string, hint: string): never {
  throw new UsageError('report-dir', message, `${hint} Nothing was written.`);
}

/** Rejects runs that do not show a target's deviations. */
function checkRun({ obstacle, complete, capacity, counts }: Results): void {
  if (obstacle) refuse('That run never started, so there is nothing to accept.', obstacle.hint);
  if (capacity)
    refuse('That is a load run: a baseline is of requirements, and not of thresholds.', 'Name a run of “run”.');
  if (!complete) refuse('That run was cut short: what it did not come to is nothing to accept.', 'Run it to its end.');
  if (counts.error > 0)
    refuse(
      'In that run the kit itself failed, which nobody can accept for a target.',
      'Run again with --verbose and report it.',
    );
}

/** Error for an existing file, whose entries must not be lost. */
const isThere = (file: string, cause: unknown): UsageError =>
  new UsageError(
    'report-dir',
    `${file} is there already, and a baseline is never written over.`,
    'Name another file with --out, or remove it.',
    { cause },
  );
