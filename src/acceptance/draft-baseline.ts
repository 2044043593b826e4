import type { RequirementResult, Results } from '../verdict/results.js';
import { distinctFindings } from '../words/findings.js';
import { moment } from '../format/format.js';
import { outcomeWords } from '../words/outcomes.js';
import { reasonText } from '../words/reasons.js';
import { clip, oneLine } from '../format/visible.js';

/** A comment has to say what it is about; the whole stands in the report. */
const LONGEST = 160;

/** What stands between a run and the verdict conformant and can be accepted: not what went wrong in the kit itself. */
export const acceptable = ({ requirements }: Results): readonly RequirementResult[] =>
  requirements.filter(({ level, outcome }) => outcome === 'failed' || (outcome === 'inconclusive' && level === 'must'));

/**
 * A baseline of a run as the text of a file to be filled in: every deviation with what was found as a comment, and with
 * reason and link left empty, as which no run takes it. Pure.
 * @param expires ISO date, the last day of every entry
 */
export function draftBaseline(results: Results, expires: string): string {
  return [
    `# Deviations of ${comment(results.target.name)} in the run of ${moment(results.startedAt)}.`,
    '# Remove what is not to be accepted; say of the rest why it is, and where that was agreed.',
    '# As long as a reason or a link is empty no run takes this file.',
    'schemaVersion: 1',
    'accepted:',
    ...acceptable(results).flatMap((row) => [
      `  # ${comment(row.statement)}`,
      `  # ${comment(outcomeWords(row.outcome))}: ${comment(whatOf(row))}`,
      `  - requirement: ${/^[a-z0-9-]+$/.test(row.id) ? row.id : JSON.stringify(row.id)}`,
      `    outcome: ${row.outcome}`,
      "    reason: '' # why this is accepted",
      "    link: '' # where it was agreed, e.g. https://tracker.example.com/123",
      `    expires: '${expires}' # the last day`,
    ]),
    '',
  ].join('\n');
}

/** What was found, or why it was not judged. */
function whatOf(row: RequirementResult): string {
  const [first] = distinctFindings(row.findings);
  if (!first) return reasonText(row);
  return first.actual === undefined ? first.message : `${first.message}; received ${first.actual}`;
}

/** What a target wrote must not end the comment that it stands in. */
const comment = (text: string): string => oneLine(clip(text, LONGEST)).replaceAll('\r', '\\r');
