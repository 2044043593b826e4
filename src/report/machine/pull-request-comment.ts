import type { Comparison } from '../../outcome/acceptance/compare.js';
import { verdictText } from '../../outcome/words/bounds.js';
import { VERDICT_GLYPHS } from '../../outcome/words/outcomes.js';
import { markdownText } from '../../outcome/words/safe-text.js';
import { scopedVerdictOf, scopedVerdictWords } from '../../outcome/words/scoped-verdict.js';
import type { Results } from '../../outcome/results/results.js';
import { comparisonMarkdown, MARKS } from '../markdown.js';

export interface CommentInput {
  /** Null if the run ended before it wrote results. */
  readonly results: Results | null;
  /** With the base branch's last run; null without one. */
  readonly comparison: Comparison | null;
  /** Distinguishes this use of the kit from others on the same pull request. */
  readonly slot: string;
  readonly link?: string | undefined;
  readonly commit?: string | undefined;
  readonly exitCode?: number | undefined;
}

/** First line of a comment, by which the next run finds it. Nobody sees it. */
export const commentMark = (slot: string): string =>
  `<!-- petstore-conformance ${slot.replaceAll(/[^\w.]/g, '_')} -->`;

/** GitHub's limit of a comment is 65,536 characters; the end of the comment needs some. */
const LONGEST = 60_000;

/**
 * Returns a comment on a pull request: the verdict's sentence, what changed since the base branch's last run,
 * and the link to the reports. What the server sent is escaped, so it can mention nobody and link nowhere.
 * Pure.
 */
export function commentMarkdown({ results, comparison, slot, link, commit, exitCode }: CommentInput): string {
  const end = [
    ...(link === undefined ? [] : [`[The reports](${link.replaceAll(/[()\s<>]/g, encodeURIComponent)})`]),
    ...(commit === undefined ? [] : [`commit ${markdownText(commit.slice(0, 12))}`]),
  ];
  const body = [
    commentMark(slot),
    `### ${headingOf(results)}`,
    results === null
      ? `Nothing was judged${exitCode === undefined ? '' : ` (exit code ${exitCode})`}: see the job.`
      : markdownText(verdictText(results)),
    ...(results === null || results.obstacle ? [] : [changesOf(comparison)]),
  ].join('\n\n');
  return [shortened(body), ...(end.length > 0 ? ['', end.join(' · ')] : []), ''].join('\n');
}

function headingOf(results: Results | null): string {
  if (results === null) return `${MARKS.error}Pet Store conformance: no verdict`;
  const words = results.obstacle ? 'Not started' : scopedVerdictWords(scopedVerdictOf(results));
  const mark = MARKS[results.clean === true ? 'observed' : VERDICT_GLYPHS[results.verdict]] ?? '';
  return `${mark}Pet Store conformance of ${markdownText(results.target.name)}: ${words.toLowerCase()}`;
}

function changesOf(comparison: Comparison | null): string {
  if (comparison === null) return 'There is no earlier run of the base branch to compare with.';
  // Its headings stand below that of the comment.
  return `**Since the base branch's last run**\n\n${comparisonMarkdown(comparison).replaceAll(/^#+ /gm, '#### ').trimEnd()}`;
}

function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, text.lastIndexOf('\n', LONGEST))}\n\nThe rest is in the reports.`;
}
