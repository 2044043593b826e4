import { exitCodeOf } from '../../judge/verdict.js';
import type { RunLog } from '../../log/run-log.js';
import type { Results } from '../../outcome/results/results.js';
import { createTerminalReporter } from '../../report/terminal/reporter.js';
import { reportPlaces } from '../../run/finish.js';
import { publish } from '../../run/write-reports.js';
import { terminalOptions } from './acceptance.js';
import type { Arguments } from './command-options.js';
import { print, type Io } from './io.js';

/**
 * Publishes the log of judged traffic, prints its result, and returns the exit code of its verdict.
 *
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
  const how = { stream: io.out, reporter, verbose, env: io.env };
  using terminal = createTerminalReporter(terminalOptions(how, log.header.scope.sides));
  terminal.finish(document, log, reportPlaces(document, log.header, directory));
  print(io.err, [...remarksOf(results), ...warnings]);
  return exitCodeOf(results);
}
