import { dirname, join, resolve } from 'node:path';
import { isFile, isFolder } from '../../base/kernel/places.js';
import { comparisonMarkdown } from '../../report/markdown.js';
import { comparisonPage, linkFrom } from '../../report/pages/compare-page.js';
import { comparisonLines } from '../../report/terminal/compare-lines.js';
import { compareResults, hasNewFailure, whyNotCompared } from '../../outcome/acceptance/compare.js';
import { judgeEnvironments } from '../../outcome/acceptance/environments.js';
import { FILES } from '../../log/files.js';
import { EXIT_CODES } from '../../judge/verdict.js';
import type { Results } from '../../outcome/results/results.js';
import { badOption, UsageError } from '../../base/kernel/errors.js';
import { judgeSlower, parseSlower, type SlowerRule } from '../../outcome/acceptance/speed.js';
import { earlierRuns } from '../../run/report-dir.js';
import { FOLDER_HINT, handedIn, resultsAt, writeAsked } from './named-files.js';
import type { Arguments } from './command-options.js';
import { line, painted, print, type Io } from './io.js';
import { wrapped } from '../../outcome/words/safe-text.js';

/** `compare A B`: returns 1 for a new failure or differing environments, 3 if that is unknown. */
export const command = (args: Arguments<'compare'>, io: Io): Promise<number> =>
  handedIn('results-damaged', `${args.before} or ${args.after}: a member has a wrong type`, () =>
    compared(args, io),
  );

function compared({ before, after, baseline, out, failIf }: Arguments<'compare'>, io: Io): number {
  const rules = failIf.map(ruleOf);
  const [one, other] = [resultsAt(before), resultsAt(after)];
  const more = baseline.map(resultsAt);
  for (const earlier of [one, ...more]) refuseLoadBeside(earlier, other);
  const comparison = compareResults(one, other, {
    baseline: more,
    earlier: () => runsBefore(before, [one, other]),
    rules,
  });
  const pages = { before: pageOf(before), after: pageOf(after), baseline: baseline.map(pageOf) };
  const color = io.out.isTTY && io.env['NO_COLOR'] === undefined;
  const columns = io.out.isTTY ? io.out.columns : undefined;
  for (const text of comparisonLines(comparison, { color, places: pages, columns })) painted(io.out, text);
  if (out !== undefined) {
    const [html, markdown] = [`${out}.html`, `${out}.md`];
    const linked = (page: string | null) => (page === null ? null : linkFrom(html, page));
    const links = {
      before: linked(pages.before),
      after: linked(pages.after),
      baseline: pages.baseline.map(linked),
    };
    writeAsked(html, comparisonPage(comparison, links), FOLDER_HINT);
    writeAsked(markdown, comparisonMarkdown(comparison), FOLDER_HINT);
    line(io.out, `written         ${html}, ${markdown}`);
  }
  if (rules.length + more.length > 0 && !other.capacity)
    throw badOption(
      '--fail-if and --baseline compare the speed of load runs.',
      'Name load runs, or leave them out.',
    );
  const { capacity } = comparison;
  const judged = rules.flatMap((rule) =>
    other.capacity && capacity ? [{ rule, ...judgeSlower(rule, capacity.speeds, other.capacity) }] : [],
  );
  for (const { rule, outcome, words } of judged)
    print(io.out, wrapped('fail-if         ', `${rule.text}: ${RULE_WORDS[outcome]} (${words})`));
  const isSlower = judged.some(({ outcome }) => outcome === 'failed');
  const isUnknown = judged.some(({ outcome }) => outcome === 'unknown');
  // A run that never started says nothing about the target, nor do two that judged nothing in common.
  const isCompared = whyNotCompared(comparison) === null;
  // Under load the responses need not agree, so two addresses are not judged.
  if (one.target.baseUrl !== other.target.baseUrl && !capacity) {
    const [verdict, text] = judgeEnvironments(one, other);
    line(io.out, `environments-agree   ${text}`);
    return hasNewFailure(comparison) ? 1 : EXIT_CODES[verdict];
  }
  if (!isCompared) return EXIT_CODES.inconclusive;
  if (hasNewFailure(comparison) || isSlower) return 1;
  return isUnknown || capacity?.found?.answer === 'lost' ? EXIT_CODES.inconclusive : 0;
}

/** Returns the runs of a target in the folder of the first run that began before both, oldest first. */
function runsBefore(path: string, [one, other]: readonly [Results, Results]): readonly Results[] {
  const folder = dirname(resolve(folderOf(path)));
  return earlierRuns(folder, one.target.name)
    .map(({ results }) => results)
    .filter(({ startedAt }) => startedAt < one.startedAt && startedAt < other.startedAt)
    .toReversed();
}

const RULE_WORDS = { failed: 'failed', unknown: 'could not be determined', kept: 'not failed' } as const;

function ruleOf(text: string): SlowerRule {
  const rule = parseSlower(text);
  if (rule) return rule;
  throw badOption(
    `--fail-if takes a figure and a bound, not "${text}".`,
    'Write it as "p99 slower than 5%", for a part as "getPet p99 slower than 5%", "journey adopt p99 slower than 5%" or ' +
      '"step 2 of adopt p99 slower than 5%"; figures are p50, p95, p99 and throughput.',
  );
}

function refuseLoadBeside(one: Results, other: Results): void {
  if ((one.capacity === undefined) === (other.capacity === undefined)) return;
  const [load, which] = one.capacity ? [one.capacity, 'first'] : [other.capacity, 'second'];
  throw new UsageError(
    'not-one-run',
    `The ${which} run is a load run (scenario ${load?.scenario ?? ''}), and the other is a conformance run: ` +
      'one has thresholds, the other requirements.',
    'Compare two load runs, or two conformance runs.',
  );
}

const folderOf = (path: string): string => (isFolder(path) ? path : dirname(path));

function pageOf(path: string): string | null {
  const page = join(folderOf(path), FILES.page);
  return isFile(page) ? page : null;
}
