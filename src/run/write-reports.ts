import { appendFileSync, closeSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { whyUnreadable } from '../base/kernel/yaml-source.js';
import { rowsOfSides } from '../base/interface/ledger.js';
import type { Exchange } from '../wire/exchange/types.js';
import { isPlayed, type RunLog } from '../log/run-log.js';
import { renderCapacityPage } from '../report/pages/capacity/page.js';
import { isCapacityRun } from '../outcome/words/capacity.js';
import { FILES } from '../log/files.js';
import { curlOf, curlSource } from '../wire/exchange/curl.js';
import type { Comparison } from '../report/pages/input.js';
import { renderPage } from '../report/pages/render-page.js';
import { badgeJson } from '../report/machine/badge.js';
import { ctrfJson } from '../report/machine/ctrf.js';
import { harText } from '../report/machine/har.js';
import type { OwnProperties } from '../report/machine/case-properties.js';
import { junitXml } from '../report/machine/junit.js';
import { summaryMarkdown } from '../report/machine/summary.js';
import { todoMarkdown } from '../report/machine/todo.js';
import { resultsOf } from '../outcome/results/results.js';
import { EXIT_CODES } from '../judge/verdict.js';
import { ownFile, writeResults } from './own-file.js';
import { readProof } from '../report/proof.js';
import { runDocument, type RunDocument } from '../report/run-document.js';
import { LATEST, shownPath, writeLatest } from './report-dir.js';

/** A report of a run. */
interface Report {
  readonly file: string;
  readonly write: () => void;
}

/** Files given with a log that reports render too. */
export interface ReportExtras {
  readonly comparison?: Comparison | null;
  /** A user's own properties of test cases. */
  readonly properties?: OwnProperties | undefined;
}

/** Returns all reports of a run, in the order of writing. */
function reportsOf(
  directory: string,
  log: RunLog,
  document: RunDocument,
  { comparison = null, properties }: ReportExtras,
): readonly Report[] {
  const { results } = document;
  const source = curlSource(log.header, isPlayed(log));
  const repeat = (exchange: Exchange): string => curlOf(exchange, source);
  const { capacity } = log;
  const report = (file: string, text: () => string): Report => ({
    file,
    write: () => writeFileSync(ownFile(directory, file), text()),
  });
  return [
    { file: FILES.results, write: () => void writeResults(directory, log) },
    report(FILES.page, () =>
      isCapacityRun(results) && capacity
        ? renderCapacityPage({ results, log: { ...log, capacity }, curlOf: repeat })
        : renderPage({ document, log, proof: readProof(), comparison, curlOf: repeat }),
    ),
    report(FILES.junit, () => junitXml(document, repeat, properties)),
    report(FILES.ctrf, () => ctrfJson(document)),
    report(FILES.summary, () => summaryMarkdown(document)),
    // A load run has thresholds, and no mistakes to fix one by one.
    ...(isCapacityRun(results) ? [] : [report(FILES.todo, () => todoMarkdown(document, log.header, repeat))]),
    report(FILES.badge, () => badgeJson(results)),
    { file: FILES.har, write: () => writePieces(ownFile(directory, FILES.har), harText(log)) },
  ];
}

/** Builds the document of a log, which all its reports render. Pure. */
export function documentOf(log: RunLog, comparison: Comparison | null = null): RunDocument {
  const requirements = rowsOfSides(log.header.scope.sides);
  return runDocument(resultsOf(log, requirements), { log, requirements, proof: readProof(), comparison });
}

/** Writes all reports of a log. Throws if one cannot be written. */
export function writeReports(directory: string, log: RunLog, extras: ReportExtras = {}): RunDocument {
  const document = documentOf(log, extras.comparison);
  for (const { write } of reportsOf(directory, log, document, extras)) write();
  return document;
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
 * Writes the reports of a finished run, marks it as the newest, and adds its summary to a GitHub Actions job. The log has the
 * verdict, so a file that cannot be written, as on a full disk, is a warning: a sentence about it.
 */
export function publish(directory: string, log: RunLog, extras: ReportExtras, env: NodeJS.ProcessEnv) {
  const document = documentOf(log, extras.comparison);
  const summary = env['GITHUB_STEP_SUMMARY'];
  const warnings = [
    ...reportsOf(directory, log, document, extras).map(({ file, write }) =>
      warningOf(shownPath(join(directory, file)), write),
    ),
    warningOf(`${LATEST} in ${shownPath(dirname(directory))}`, () => writeLatest(directory, document.results)),
    warningOf('The job summary in GITHUB_STEP_SUMMARY', () => {
      if (summary) appendFileSync(summary, summaryMarkdown(document));
    }),
  ].flatMap((warning) => warning ?? []);
  return { document, warnings };
}

/** Writes a file that the verdict does not need; returns a sentence if that fails. A fault of the kit is no such failure. */
export function warningOf(what: string, write: () => void): string | null {
  try {
    write();
    return null;
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    return `${what} could not be written (${whyUnreadable(error)}).`;
  }
}

/** Publishes a load run, reports it with the warnings after its verdict, and returns its exit code. */
export function finishLoad(
  directory: string,
  log: RunLog,
  reporter: { readonly finish: (document: RunDocument, log: RunLog, page: string) => void },
  { env, err }: { readonly env: NodeJS.ProcessEnv; readonly err: NodeJS.WritableStream },
): number {
  const { document, warnings } = publish(directory, log, {}, env);
  reporter.finish(document, log, shownPath(join(directory, FILES.page)));
  for (const warning of warnings) err.write(`warning         ${warning}\n`);
  return EXIT_CODES[document.results.verdict];
}
