import { asStarted } from '../../outcome/words/as-started.js';
import { dirname, join } from 'node:path';
import { rowsOfSides } from '../../base/interface/ledger.js';
import { readLog } from '../../log/read.js';
import { traceabilityCsv } from '../../report/machine/requirement-tables.js';
import { renderFinal } from '../../report/terminal/reporter.js';
import { FILES } from '../../log/files.js';
import { logIn, shownPath } from '../../run/report-dir.js';
import { nextCommand } from '../../run/finish.js';
import { writeReports } from '../../run/write-reports.js';
import { resultsOf } from '../../outcome/results/results.js';
import { exitCodeOf } from '../../judge/verdict.js';
import { terminalOptions } from './acceptance.js';
import { handedIn } from './named-files.js';
import type { Arguments } from './command-table.js';
import type { Io } from './io.js';

/** `report LOG|DIR`: renders all reports from a log again, or prints its table; sends nothing, and needs no target. */
export async function reportCommand({ path, format, verbose }: Arguments<'report'>, io: Io): Promise<number> {
  const file = logIn(path);
  const log = await readLog(file);
  return handedIn('log-damaged', `${file}: a record has a wrong shape`, () => {
    if (format === 'csv') {
      const requirements = rowsOfSides(log.header.scope.sides);
      const judged = resultsOf(log, requirements);
      io.out.write(traceabilityCsv(judged, log, requirements));
      return exitCodeOf(judged);
    }
    const directory = dirname(file);
    const results = writeReports(directory, log, null);
    const next = asStarted(nextCommand(results, log.header, shownPath(directory)), process.argv[1] ?? '');
    const places = { report: shownPath(join(directory, FILES.page)), ...(next !== null && { next }) };
    const options = terminalOptions({ stream: io.out, reporter: 'list', verbose, env: io.env }, log.header.scope.sides);
    io.out.write(renderFinal(results, log, places, options));
    return exitCodeOf(results);
  });
}
