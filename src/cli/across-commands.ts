import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Finding } from '../checks/finding.js';
import { isFile, isFolder } from '../contract/places.js';
import { whyUnreadable } from '../contract/yaml-source.js';
import { comparisonMarkdown } from '../report/across/compare-markdown.js';
import { comparisonPage } from '../report/across/compare-page.js';
import { comparisonLines } from '../report/across/compare-terminal.js';
import { compareResults } from '../report/across/compare.js';
import { judgeEnvironments } from '../report/across/environments.js';
import { historyLines } from '../report/across/history-words.js';
import { historyByTarget } from '../report/across/history.js';
import { linkFrom } from '../report/across/places.js';
import { historyPage } from '../report/across/history-page.js';
import { ResultsError } from '../report/across/parse-results.js';
import { readHistory } from '../report/across/read-history.js';
import { retentionOf } from '../report/across/retention.js';
import { FILES } from '../report/files.js';
import { count, counted } from '../report/wording/format.js';
import { harmless } from '../report/wording/harmless.js';
import { shownPath } from '../run/report-dir.js';
import { removeRun, storedRuns } from '../run/stored-runs.js';
import { UsageError } from '../run/usage-error.js';
import { EXIT_CODES } from '../verdict/verdict.js';
import { handedIn } from './handed-in.js';
import { line } from './io.js';
import type { Io } from './io.js';
import { resultsAt } from './results-at.js';

/**
 * `compare A B`: what changed from one run to another; 1 when something fails that did not, or two environments disagree,
 * 3 when nothing tells whether they agree, or one of the runs never started.
 */
export const compareCommand = (args: CompareArguments, io: Io): Promise<number> =>
  handedIn(
    () => compared(args, io),
    (cause) =>
      new ResultsError('results-damaged', `${args.before} or ${args.after}: a member is not what it should be`, {
        cause,
      }),
  );

/** What `compare` was asked for. */
interface CompareArguments {
  readonly before: string;
  readonly after: string;
  readonly out?: string | undefined;
}

function compared({ before, after, out }: CompareArguments, io: Io): number {
  const [one, other] = [resultsAt(before), resultsAt(after)];
  const comparison = compareResults(one, other);
  const pages = { before: pageOf(before), after: pageOf(after) };
  const color = io.out.isTTY && io.env['NO_COLOR'] === undefined;
  for (const text of comparisonLines(comparison, { color, places: pages })) line(io.out, text);
  if (out !== undefined) {
    const [html, markdown] = [`${out}.html`, `${out}.md`];
    const linked = (page: string | null) => (page === null ? null : linkFrom(html, page));
    write(html, comparisonPage(comparison, { before: linked(pages.before), after: linked(pages.after) }));
    write(markdown, comparisonMarkdown(comparison));
    line(io.out, `written         ${html}, ${markdown}`);
  }
  const newlyFailing =
    comparison.changes.some(({ kind }) => kind === 'newly-failing') ||
    (comparison.capacity?.thresholds.some(({ isNewlyMissed }) => isNewlyMissed) ?? false);
  // Where every answer was its own, two addresses under load have nothing to agree on.
  if (one.target.baseUrl === other.target.baseUrl || comparison.capacity) {
    // A run that never started says nothing of the target, neither good nor bad.
    if (one.obstacle || other.obstacle) return EXIT_CODES.inconclusive;
    return newlyFailing ? 1 : 0;
  }
  const { text, code } = agreement(judgeEnvironments(one, other));
  line(io.out, `environments-agree   ${text}`);
  return newlyFailing ? 1 : code;
}

/** Whether two environments agree, in words and as an exit code. */
function agreement(findings: readonly Finding[]): { readonly text: string; readonly code: number } {
  const disagreements = findings.filter(({ kind }) => kind === 'violated').length;
  if (disagreements > 0)
    return {
      text: `failed: ${counted(disagreements, 'requirement')} came out differently`,
      code: EXIT_CODES['non-conformant'],
    };
  const open = findings.find((finding) => finding.kind === 'inconclusive');
  if (open?.kind === 'inconclusive')
    return { text: `not established: ${open.reason.text}`, code: EXIT_CODES.inconclusive };
  return { text: 'passed: no requirement that was judged on both came out differently', code: EXIT_CODES.conformant };
}

/** What `history` was asked for. */
export interface HistoryArguments {
  readonly dir: string;
  readonly keep?: number | undefined;
  readonly dryRun: boolean;
}

/** `history DIR`: all runs of a folder on one page, once the oldest are removed where that was asked for. */
export async function historyCommand({ dir, keep, dryRun }: HistoryArguments, io: Io): Promise<number> {
  if (!isFolder(dir))
    throw new UsageError(
      'report-dir',
      `${dir} is no folder.`,
      'Name the folder that holds the folders of the runs, e.g. reports.',
    );
  if (keep === undefined && dryRun)
    throw new UsageError('bad-option', '--dry-run goes with --keep.', 'Say how many runs are to stay: --keep 90.');
  if (keep !== undefined) retain(dir, keep, dryRun, io);
  if (dryRun) return 0;
  const history = await readHistory(dir);
  const file = join(dir, 'history.html');
  write(file, historyPage(history));
  for (const text of historyLines(historyByTarget(history))) line(io.out, text);
  line(io.out, `${counted(history.runs.length, 'run')}, ${shownPath(file)}`);
  return 0;
}

/** Removes what is older than the newest runs of each target, and says so. */
function retain(dir: string, keep: number, dryRun: boolean, io: Io): void {
  const { removed, spared } = retentionOf(storedRuns(dir, Date.now()), keep);
  for (const run of removed) {
    if (!dryRun) removeRun(run);
    line(io.out, `${dryRun ? 'would remove' : 'removed'.padEnd(12)}    ${harmless(shownPath(run.folder), true)}`);
  }
  for (const { folder, spared: why } of spared)
    line(io.out, `kept            ${harmless(`${shownPath(folder)}: ${why}`, true)}`);
  const newest = keep === 1 ? 'the newest run' : `the newest ${count(keep)} runs`;
  line(
    io.out,
    removed.length === 0
      ? `Nothing is older than ${newest} of each target.`
      : `${counted(removed.length, 'run')} ${dryRun ? 'would be' : removed.length === 1 ? 'was' : 'were'} removed: older than ${newest} of each target.`,
  );
}

/** The page of a run that was named by its folder or its results.json; null where there is none. */
function pageOf(path: string): string | null {
  const folder = isFolder(path) ? path : dirname(path);
  const page = join(folder, FILES.page);
  return isFile(page) ? page : null;
}

/** Writes a file that was asked for. */
function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(
      'report-dir',
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'its folder is not there' : whyUnreadable(error)}).`,
      'Name a folder that is there and may be written to.',
      { cause: error },
    );
  }
}
