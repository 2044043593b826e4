import { join } from 'node:path';
import { exitCodeOf } from '../../judge/verdict.js';
import { FILES } from '../../log/files.js';
import type { RunLog } from '../../log/run-log.js';
import type { Results } from '../../outcome/results/results.js';
import { createTerminalReporter } from '../../report/terminal/reporter.js';
import { nextCommand } from '../../run/finish.js';
import { shownPath } from '../../run/report-dir.js';
import { publish } from '../../run/write-reports.js';
import { terminalOptions } from './acceptance.js';
import type { Arguments } from './command-options.js';
import { line, type Io } from './io.js';

/**
 * Publishes the log of judged traffic, prints its result, and returns the exit code of its verdict.
 * @param remarksOf returns what is to be said of the results on standard error
 */
export function finishJudged(
  directory: string,
  log: RunLog,
  { reporter, verbose }: Pick<Arguments<'judge'>, 'reporter' | 'verbose'>,
  io: Io,
  remarksOf: (results: Results) => readonly string[] = () => [],
): number {
  const { document, warnings } = publish(directory, log, {}, io.env);
  const { results } = document;
  const next = nextCommand(results, log.header, shownPath(directory));
  const how = { stream: io.out, reporter, verbose, env: io.env };
  using terminal = createTerminalReporter(terminalOptions(how, log.header.scope.sides));
  terminal.finish(document, log, { report: shownPath(join(directory, FILES.page)), ...(next !== null && { next }) });
  for (const text of [...remarksOf(results), ...warnings]) line(io.err, text);
  return exitCodeOf(results);
}
