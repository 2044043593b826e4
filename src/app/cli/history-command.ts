import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { historyLines, unreadLines } from '../../report/history.js';
import { loadRunLines } from '../../report/load-history.js';
import { historyByTarget } from '../../outcome/acceptance/history.js';
import { historyPage, isHistoryPage } from '../../report/pages/history/page.js';
import { readHistory } from '../../outcome/acceptance/read-history.js';
import { retentionOf } from '../../outcome/acceptance/retention.js';
import { count, counted } from '../../base/kernel/format.js';
import { shownPath, removeRun, storedRuns } from '../../run/report-dir.js';
import { FILES } from '../../log/files.js';
import { reportUrlFrom } from './acceptance.js';
import type { Arguments } from './command-options.js';
import { line, print, printLabelled, type Io } from './io.js';
import { checkFolder, FOLDER_HINT, refuseForeign, writeAsked } from './named-files.js';
import { badOption, badPlace } from '../../base/kernel/errors.js';

/** `history DIR`: shows all runs of a folder on one page, after removing the oldest if requested. */
export async function command(
  { dir, keep, dryRun, reportUrl }: Arguments<'history'>,
  io: Io,
): Promise<number> {
  const base = reportUrlFrom(reportUrl);
  checkFolder(dir, 'Name the folder with the run folders, e.g. reports.');
  if (existsSync(join(dir, FILES.log)))
    throw badPlace(
      `${dir} is the folder of one run.`,
      `Name the folder around it: history ${shownPath(dirname(resolve(dir)))}. Nothing was written.`,
    );
  if (keep === undefined && dryRun)
    throw badOption('--dry-run needs --keep.', 'Add the number of runs to keep, e.g. --keep 90.');
  if (keep !== undefined) retain(dir, keep, dryRun, io);
  if (dryRun) return 0;
  const history = await readHistory(dir, base);
  const file = join(dir, 'history.html');
  refuseForeign('history', file, isHistoryPage);
  writeAsked(file, historyPage(history), FOLDER_HINT);
  printLabelled(io.out, historyLines(historyByTarget(history)), 0);
  print(io.out, loadRunLines(history.loadRuns));
  print(io.out, unreadLines(history.damaged));
  line(io.out, `${counted(history.runs.length + history.loadRuns.length, 'run')}, ${shownPath(file)}`);
  return 0;
}

function retain(dir: string, keep: number, dryRun: boolean, io: Io): void {
  const { removed, spared } = retentionOf(storedRuns(dir, Date.now()), keep);
  for (const run of removed) {
    if (!dryRun) removeRun(run);
    line(io.out, `${dryRun ? 'would remove' : 'removed'.padEnd(12)}    ${shownPath(run.folder)}`);
  }
  for (const { folder, spared: why } of spared) line(io.out, `kept            ${shownPath(folder)}: ${why}`);
  const newest = keep === 1 ? 'the newest run' : `the newest ${count(keep)} runs`;
  const were = removed.length === 1 ? 'was' : 'were';
  line(
    io.out,
    removed.length === 0
      ? `No run is older than ${newest} of each target.`
      : `${counted(removed.length, 'run')} ${dryRun ? 'would be' : were} removed: older than ${newest} of each target.`,
  );
}
