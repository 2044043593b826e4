import { appendFileSync, closeSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { shellWord } from '../base/kernel/visible.js';
import { badPlace } from '../base/kernel/errors.js';
import { grouped, listed } from '../base/kernel/format.js';
import { isFile } from '../base/kernel/places.js';
import { whyUnreadable } from '../base/kernel/yaml-source.js';
import { rowsOfSides } from '../base/interface/ledger.js';
import type { Exchange } from '../wire/exchange/types.js';
import { isPlayed, type RunLog } from '../log/run-log.js';
import { renderCapacityPage } from '../report/pages/capacity/page.js';
import { isCapacityRun } from '../outcome/words/capacity.js';
import { FILES } from '../log/files.js';
import { curlOf, curlSource } from '../wire/exchange/curl.js';
import type { Comparison } from '../report/pages/input.js';
import { linkFrom } from '../report/pages/compare-page.js';
import { renderPage } from '../report/pages/render-page.js';
import { badgeJson } from '../report/machine/badge.js';
import { ctrfJson } from '../report/machine/ctrf.js';
import { harText } from '../report/machine/har.js';
import type { OwnProperties } from '../report/machine/case-properties.js';
import { asShared, asStarted } from '../outcome/words/as-started.js';
import { junitXml } from '../report/machine/junit.js';
import { summaryMarkdown } from '../report/machine/summary.js';
import { todoMarkdown } from '../report/machine/todo.js';
import type { Results } from '../outcome/results/results.js';
import { compareResults } from '../outcome/acceptance/compare.js';
import { EXIT_CODES } from '../judge/verdict.js';
import { inPlace, resultsIn, writeInPlace, writeResults } from './own-file.js';
import { readProof } from '../report/proof.js';
import { runDocument, type RunDocument } from '../report/run-document.js';
import { comparedBefore, LATEST, shownPath, writeLatest, type ComparedRun } from './report-dir.js';

interface Report {
  readonly file: string;
  readonly write: () => void;
}

interface Given {
  readonly before?: ComparedRun | null;
  readonly properties?: OwnProperties | undefined;
}

/** In the order of writing. */
function reportsOf(
  directory: string,
  log: RunLog,
  document: RunDocument,
  properties?: OwnProperties,
  comparison: Comparison | null = null,
): readonly Report[] {
  const { results } = document;
  const source = curlSource(log.header, log.exchanges, isPlayed(log));
  const repeat = (exchange: Exchange): string => curlOf(exchange, source);
  const { capacity } = log;
  const shared = { ...log, header: { ...log.header, command: asShared(log.header.command) } };
  const report = (file: string, text: () => string): Report => ({
    file,
    write: () => writeInPlace(join(directory, file), text()),
  });
  return [
    { file: FILES.results, write: () => writeResults(directory, results) },
    report(FILES.page, () =>
      isCapacityRun(results) && capacity
        ? renderCapacityPage({ results, log: { ...shared, capacity }, curlOf: repeat })
        : renderPage({ document, log: shared, proof: readProof(), comparison, curlOf: repeat }),
    ),
    report(FILES.junit, () => junitXml(document, repeat, properties)),
    report(FILES.ctrf, () => ctrfJson(document, repeat)),
    report(FILES.summary, () => summaryMarkdown(document)),
    // A load run has thresholds, and no mistakes to fix one by one.
    ...(isCapacityRun(results)
      ? []
      : [report(FILES.todo, () => todoMarkdown(document, shared.header, repeat))]),
    report(FILES.badge, () => badgeJson(results)),
    {
      file: FILES.har,
      write: () => inPlace(join(directory, FILES.har), (path) => writePieces(path, harText(log))),
    },
  ];
}

/** Builds the document of a log, which all its reports render. Pure. */
export function documentOf(
  log: RunLog,
  results = resultsIn(log),
  comparison: Comparison | null = null,
): RunDocument {
  const requirements = rowsOfSides(log.header.scope.sides);
  return runDocument(results, { log, requirements, proof: readProof(), comparison });
}

/** Writes the reports of a run again, compared as it was. Throws UsageError if one cannot be written. */
export function writeReports(directory: string, log: RunLog, properties?: OwnProperties): RunDocument {
  const results = resultsIn(log);
  const comparison = comparedWith(comparedBefore(directory, log), directory, results);
  const document = documentOf(log, results, comparison);
  for (const { file, write } of reportsOf(directory, log, document, properties, comparison)) {
    const failed = warningOf(shownPath(join(directory, file)), write);
    if (failed !== null) throw badPlace(failed, REMEDY);
  }
  return document;
}

const REMEDY = 'Make the folder writable, or free some space, and run the command again. The log is whole.';

function writePieces(file: string, pieces: Iterable<string>): void {
  const descriptor = openSync(file, 'wx');
  try {
    for (const piece of pieces) appendFileSync(descriptor, piece);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Writes the reports of a finished run, compared with an earlier one, marks it as the newest, and adds its
 * summary to a GitHub Actions job. The log has the verdict, so a file that cannot be written, as on a full
 * disk, is a warning: a line about it.
 */
export function publish(
  directory: string,
  log: RunLog,
  { before = null, properties }: Given,
  env: NodeJS.ProcessEnv,
) {
  const results = resultsIn(log);
  const comparison = comparedWith(before, directory, results);
  const document = documentOf(log, results, comparison);
  const summary = env['GITHUB_STEP_SUMMARY'];
  const unwritten = reportsOf(directory, log, document, properties, comparison).flatMap(({ file, write }) => {
    const why = whyUnwritten(write);
    return why === null ? [] : [{ file, why }];
  });
  // One disk is full for all of them.
  const failed = [...grouped(unwritten, ({ why }) => why)].map(([why, some]) =>
    unwrittenText(
      some.map(({ file }) => shownPath(join(directory, file))),
      why,
    ),
  );
  const command = asStarted(`petstore-conformance report ${shellWord(shownPath(directory))}`);
  const again = `The log is whole. Free some space, and ${command} writes them again.`;
  const warnings = [
    ...failed,
    failed.length > 0 ? again : null,
    warningOf(`${LATEST} in ${shownPath(dirname(directory))}`, () => writeLatest(directory, results)),
    warningOf('The job summary in GITHUB_STEP_SUMMARY', () => {
      if (summary) appendFileSync(summary, summaryMarkdown(document));
    }),
  ].flatMap((text) => (text === null ? [] : [`warning         ${text}`]));
  return { document, comparison, warnings };
}

/** Compares a run with an earlier one; `place` is the address of that one's page from this one's. */
function comparedWith(before: ComparedRun | null, directory: string, results: Results) {
  if (before === null) return null;
  const page = join(before.directory, FILES.page);
  return {
    ...compareResults(before.results, results, { earlier: () => before.earlier, isByRow: true }),
    ...(isFile(page) && { place: linkFrom(join(directory, FILES.page), page) }),
  };
}

/** Writes a file that the verdict does not need; returns a sentence if that fails. */
export function warningOf(what: string, write: () => void): string | null {
  const why = whyUnwritten(write);
  return why === null ? null : unwrittenText([what], why);
}

const unwrittenText = (files: readonly string[], why: string): string =>
  `${listed(files)} could not be written (${why}).`;

/** Writes a file; returns why that failed, null if it did not. A fault of the kit is no such failure. */
function whyUnwritten(write: () => void): string | null {
  try {
    write();
    return null;
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    return whyUnreadable(error);
  }
}

/** The warnings follow the verdict. Returns the exit code. */
export function finishLoad(
  directory: string,
  log: RunLog,
  reporter: { readonly finish: (document: RunDocument, log: RunLog, page: string) => void },
  { env, err }: { readonly env: NodeJS.ProcessEnv; readonly err: NodeJS.WritableStream },
): number {
  const { document, warnings } = publish(directory, log, {}, env);
  reporter.finish(document, log, shownPath(join(directory, FILES.page)));
  for (const warning of warnings) err.write(`${warning}\n`);
  return EXIT_CODES[document.results.verdict];
}
