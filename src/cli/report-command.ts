import { dirname, join } from 'node:path';
import { readLog } from '../log/read.js';
import type { RunLog } from '../log/run-log.js';
import { renderFinal } from '../terminal/reporter.js';
import { FILES } from '../log/files.js';
import { logIn, shownPath } from '../run/report-dir.js';
import { nextCommand } from '../run/finish.js';
import { writeReports } from '../run/write-reports.js';
import { exitCodeOf } from '../verdict/verdict.js';
import { terminalOptions } from './acceptance.js';
import { handedIn } from './named-files.js';
import type { ReportArguments } from './command-table.js';
import type { Io } from './io.js';
import { RunFileError } from '../contract/errors.js';

/** `report LOG|DIR`: renders all reports from a log again; sends nothing, and needs no target. */
export async function reportCommand({ path, verbose }: ReportArguments, io: Io): Promise<number> {
  const file = logIn(path);
  const log = await readLog(file);
  return handedIn(
    () => reported(file, log, verbose, io),
    (cause) => new RunFileError('log-damaged', `${file}: a record has a wrong shape`, { cause }),
  );
}

function reported(file: string, log: RunLog, verbose: boolean, io: Io): number {
  const directory = dirname(file);
  const results = writeReports(directory, log, null);
  const next = nextCommand(results, log.header, shownPath(directory));
  io.out.write(
    renderFinal(
      results,
      log,
      { report: shownPath(join(directory, FILES.page)), ...(next !== null && { next }) },
      terminalOptions({ stream: io.out, reporter: 'list', verbose, env: io.env }),
    ),
  );
  return exitCodeOf(results);
}
