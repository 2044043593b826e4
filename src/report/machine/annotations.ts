import type { Results } from '../../verdict/results.js';
import { caseGroups, type ReportCase } from './cases.js';
import { clip, visible } from '../../format/visible.js';

/** GitHub shows at most ten annotations of a kind a step; the lines beyond stay in the log. */
const LONGEST_MESSAGE = 1_000;

/**
 * The workflow commands that make GitHub annotate a run, one line each: an error for what turns the verdict, a warning
 * for what does not. For when GITHUB_ACTIONS is set. Nothing that the target sent can begin a command of its own.
 */
export const annotationsOf = (results: Results): readonly string[] =>
  caseGroups(results)
    .flatMap((group) => group.cases)
    .flatMap((testCase) => {
      const kind = kindOf(testCase);
      return kind === undefined ? [] : [annotation(kind, testCase)];
    });

const kindOf = ({ status, outcome }: ReportCase): 'error' | 'warning' | undefined =>
  status === 'failed' || status === 'error' ? 'error' : outcome === 'warned' ? 'warning' : undefined;

const annotation = (kind: string, { id, headline }: ReportCase): string =>
  `::${kind} title=${property(id)}::${data(clip(headline, LONGEST_MESSAGE))}`;

/** The escapes that the runner undoes in a message. */
const data = (text: string): string =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** The escapes that the runner undoes in a property, where commas and colons separate. */
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
