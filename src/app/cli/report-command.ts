import { dirname } from 'node:path';
import { readLog } from '../../log/read.js';
import { traceabilityCsv } from '../../report/machine/requirement-tables.js';
import { renderFinal } from '../../report/terminal/reporter.js';
import { logIn } from '../../run/report-dir.js';
import { judgedAgain } from '../../run/judge-again.js';
import { reportPlaces } from '../../run/finish.js';
import { documentOf, writeReports } from '../../run/write-reports.js';
import { exitCodeOf } from '../../judge/verdict.js';
import { readProperties, terminalOptions } from './acceptance.js';
import { handedIn } from './named-files.js';
import type { Arguments } from './command-options.js';
import type { Io } from './io.js';

/**
 * `report LOG|DIR`: renders all reports from a log again, or prints its table; sends nothing, and needs no
 * target.
 */
export async function command(
  { path, format, properties: map, verbose }: Arguments<'report'>,
  io: Io,
): Promise<number> {
  const file = logIn(path);
  const written = await readLog(file);
  return handedIn('log-damaged', `${file}: a record has a wrong shape`, () => {
    const log = judgedAgain(written);
    if (format === 'csv') {
      const document = documentOf(log);
      io.out.write(traceabilityCsv(document, log));
      return exitCodeOf(document.results);
    }
    const directory = dirname(file);
    const own = log.header.own?.rows ?? [];
    const document = writeReports(directory, log, readProperties(map, own));
    const { results } = document;
    const places = reportPlaces(document, log.header, directory);
    const options = terminalOptions(
      { stream: io.out, reporter: 'list', verbose, env: io.env },
      log.header.scope.sides,
    );
    io.out.write(renderFinal(document, log, places, options));
    return exitCodeOf(results);
  });
}
