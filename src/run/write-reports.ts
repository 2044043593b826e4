import { appendFileSync, closeSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { whyUnreadable } from '../base/kernel/yaml-source.js';
import { rowsOfSides } from '../base/interface/ledger.js';
import type { Exchange } from '../wire/exchange/types.js';
import type { RunLog } from '../log/run-log.js';
import { renderCapacityPage } from '../report/pages/capacity/page.js';
import { isCapacityRun } from '../outcome/words/capacity.js';
import { FILES } from '../log/files.js';
import { curlOf, curlSource } from '../wire/exchange/curl.js';
import type { Comparison } from '../report/pages/input.js';
import { renderPage } from '../report/pages/render-page.js';
import { badgeJson } from '../report/machine/badge.js';
import { ctrfJson } from '../report/machine/ctrf.js';
import { harText } from '../report/machine/har.js';
import { junitXml } from '../report/machine/junit.js';
import { summaryMarkdown } from '../report/machine/summary.js';
import type { Results } from '../outcome/results/results.js';
import { EXIT_CODES } from '../judge/verdict.js';
import { ownFile, writeResults } from './own-file.js';
import { readProof } from '../report/proof.js';
import { LATEST, shownPath, writeLatest } from './report-dir.js';

/** Writes all reports of a log. */
export function writeReports(directory: string, log: RunLog, comparison: Comparison | null): Results {
  const rows = rowsOfSides(log.header.scope.sides);
  const results = writeResults(directory, log);
  const write = (file: string, text: string) => writeFileSync(ownFile(directory, file), text);
  const source = curlSource(log.header);
  const repeat = (exchange: Exchange): string => curlOf(exchange, source);
  const { capacity } = log;
  write(
    FILES.page,
    isCapacityRun(results) && capacity
      ? renderCapacityPage({ results, log: { ...log, capacity }, curlOf: repeat })
      : renderPage({ results, log, rows, proof: readProof(), comparison, curlOf: repeat }),
  );
  write(FILES.junit, junitXml(results, repeat));
  write(FILES.ctrf, ctrfJson(results));
  write(FILES.summary, summaryMarkdown(results));
  write(FILES.badge, badgeJson(results));
  writePieces(ownFile(directory, FILES.har), harText(log));
  return results;
}

function writePieces(file: string, pieces: Iterable<string>): void {
  const descriptor = openSync(file, 'w');
  try {
    for (const piece of pieces) appendFileSync(descriptor, piece);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Writes the reports of a finished run, marks it as the newest, and adds its summary to a GitHub Actions job. The verdict stands
 * by then, so what fails after the reports is a warning: a sentence about it.
 */
export function publish(directory: string, log: RunLog, comparison: Comparison | null, env: NodeJS.ProcessEnv) {
  const results = writeReports(directory, log, comparison);
  const summary = env['GITHUB_STEP_SUMMARY'];
  const warnings = [
    warningOf(`${LATEST} in ${shownPath(dirname(directory))}`, () => writeLatest(directory, results)),
    warningOf('The job summary in GITHUB_STEP_SUMMARY', () => {
      if (summary) appendFileSync(summary, summaryMarkdown(results));
    }),
  ].flatMap((warning) => warning ?? []);
  return { results, warnings };
}

/** Writes a file that the verdict does not need; returns a sentence if that fails. */
function warningOf(what: string, write: () => void): string | null {
  try {
    write();
    return null;
  } catch (error) {
    return `${what} could not be written (${whyUnreadable(error)}).`;
  }
}

/** Publishes a load run, reports it with the warnings after its verdict, and returns its exit code. */
export function finishLoad(
  directory: string,
  log: RunLog,
  told: { readonly finish: (results: Results, log: RunLog, page: string) => void },
  { env, err }: { readonly env: NodeJS.ProcessEnv; readonly err: NodeJS.WritableStream },
): number {
  const { results, warnings } = publish(directory, log, null, env);
  told.finish(results, log, shownPath(join(directory, FILES.page)));
  for (const warning of warnings) err.write(`warning         ${warning}\n`);
  return EXIT_CODES[results.verdict];
}
