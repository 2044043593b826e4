import { dirname, join } from 'node:path';
import type { Finding } from '../../judge/findings/finding.js';
import { isFile, isFolder } from '../../base/kernel/places.js';
import { comparisonMarkdown } from '../../report/markdown.js';
import { comparisonPage, linkFrom } from '../../report/pages/compare-page.js';
import { comparisonLines } from '../../report/terminal/compare-lines.js';
import { compareResults, hasNewFailure } from '../../outcome/acceptance/compare.js';
import { judgeEnvironments } from '../../outcome/acceptance/environments.js';
import { FILES } from '../../log/files.js';
import { counted } from '../../base/kernel/format.js';
import { EXIT_CODES } from '../../judge/verdict.js';
import type { Results } from '../../outcome/results/results.js';
import { UsageError } from '../../base/kernel/errors.js';
import { handedIn, resultsAt, writeAsked } from './named-files.js';
import type { Arguments } from './command-table.js';
import { line, painted, type Io } from './io.js';

const HINT = 'Name a folder that you can write to.';

/** `compare A B`: returns 1 for a new failure or differing environments, 3 if that is unknown. */
export const compareCommand = (args: Arguments<'compare'>, io: Io): Promise<number> =>
  handedIn('results-damaged', `${args.before} or ${args.after}: a member has a wrong type`, () => compared(args, io));

function compared({ before, after, out }: Arguments<'compare'>, io: Io): number {
  const [one, other] = [resultsAt(before), resultsAt(after)];
  refuseLoadBeside(one, other);
  const comparison = compareResults(one, other);
  const pages = { before: pageOf(before), after: pageOf(after) };
  const color = io.out.isTTY && io.env['NO_COLOR'] === undefined;
  for (const text of comparisonLines(comparison, { color, places: pages })) painted(io.out, text);
  if (out !== undefined) {
    const [html, markdown] = [`${out}.html`, `${out}.md`];
    const linked = (page: string | null) => (page === null ? null : linkFrom(html, page));
    writeAsked(html, comparisonPage(comparison, { before: linked(pages.before), after: linked(pages.after) }), HINT);
    writeAsked(markdown, comparisonMarkdown(comparison), HINT);
    line(io.out, `written         ${html}, ${markdown}`);
  }
  const newlyFailing =
    hasNewFailure(comparison) || (comparison.capacity?.thresholds.some(({ outcome }) => outcome === 'missed') ?? false);
  // Under load the responses need not agree, so two addresses are not judged.
  if (one.target.baseUrl === other.target.baseUrl || comparison.capacity) {
    // A run that never started says nothing about the target.
    if (one.obstacle || other.obstacle) return EXIT_CODES.inconclusive;
    return newlyFailing ? 1 : 0;
  }
  const [verdict, text] = agreement(judgeEnvironments(one, other));
  line(io.out, `environments-agree   ${text}`);
  return newlyFailing ? 1 : EXIT_CODES[verdict];
}

/** Refuses a load run beside a conformance run: thresholds and requirements have nothing in common. */
function refuseLoadBeside(one: Results, other: Results): void {
  if ((one.capacity === undefined) === (other.capacity === undefined)) return;
  const [load, which] = one.capacity ? [one.capacity, 'first'] : [other.capacity, 'second'];
  throw new UsageError(
    'not-one-run',
    `The ${which} run is a load run (scenario ${load?.scenario ?? ''}), and the other is a conformance run: one has thresholds, the other requirements.`,
    'Compare two load runs, or two conformance runs.',
  );
}

function agreement(findings: readonly Finding[]): readonly [verdict: keyof typeof EXIT_CODES, text: string] {
  const disagreements = findings.filter(({ kind }) => kind === 'violated').length;
  if (disagreements > 0)
    return ['non-conformant', `failed: ${counted(disagreements, 'requirement')} had different outcomes`];
  const open = findings.find((finding) => finding.kind === 'inconclusive');
  if (open) return ['inconclusive', `could not be determined: ${open.reason.text}`];
  return ['conformant', 'passed: each requirement judged on both had the same outcome'];
}

function pageOf(path: string): string | null {
  const folder = isFolder(path) ? path : dirname(path);
  const page = join(folder, FILES.page);
  return isFile(page) ? page : null;
}
