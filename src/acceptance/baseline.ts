import type { RequirementResult, Results } from '../verdict/results.js';
import { distinctFindings } from '../words/findings.js';
import { moment } from '../format/format.js';
import { outcomeWords } from '../words/outcomes.js';
import { reasonText } from '../words/reasons.js';
import { clip, oneLine } from '../format/visible.js';
import { loadSchema, once } from '../contract/config-file.js';
import { parseYaml } from '../contract/yaml-source.js';
import type { RequirementId } from '../contract/types.js';
import type { AcceptedDeviation } from '../log/record.js';
import { ConfigError, type ConfigProblem } from '../contract/errors.js';
import { checkShape } from '../contract/shape.js';

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

/** A baseline file. */
export interface Baseline {
  readonly schemaVersion: 1;
  readonly accepted: readonly AcceptedDeviation[];
}

const HINT = 'A baseline is { schemaVersion: 1, accepted: [{ requirement, outcome, reason, link, expires }] }.';

const baselineSchema = once(() => loadSchema('baseline'));

/**
 * Reads the text of a baseline file, YAML or JSON, strictly.
 * @param file its name, for messages
 * @throws ConfigError with file and line: bad syntax, an unknown or missing member, a date that no calendar has, or a
 * requirement that stands twice
 */
export function parseBaseline(text: string, file: string): Baseline {
  const source = parseYaml(text, file);
  const value = source.toValue();
  checkFilledIn(value, (path) => ({ file, line: source.lineOf(path) }));
  const baseline = checkShape(source, value, baselineSchema(), HINT) as Baseline;
  const seen = new Set<RequirementId>();
  for (const [index, { requirement, expires }] of baseline.accepted.entries()) {
    const at = (member: string) => ({ file, line: source.lineOf(['accepted', index, member]), hint: HINT });
    if (seen.has(requirement))
      throw new ConfigError({
        code: 'duplicate-id',
        message: `The baseline speaks of "${requirement}" twice.`,
        ...at('requirement'),
      });
    seen.add(requirement);
    if (!isCalendarDate(expires))
      throw new ConfigError({
        code: 'bad-value',
        message: '"expires" is no date of the calendar.',
        expected: 'a date such as 2027-01-31',
        ...at('expires'),
      });
  }
  return baseline;
}

/** A draft in which somebody has still to say why: nobody has agreed to anything yet. */
function checkFilledIn(
  value: unknown,
  at: (path: readonly (string | number)[]) => Pick<ConfigProblem, 'file' | 'line'>,
): void {
  const accepted = (value as Partial<Baseline> | null)?.accepted;
  if (!Array.isArray(accepted)) return;
  for (const [index, entry] of (accepted as readonly (Partial<AcceptedDeviation> | null)[]).entries())
    for (const [member, what] of TO_FILL_IN) {
      const text = entry?.[member];
      // What is not there at all, or no text, is told by the schema.
      if (text !== null && (typeof text !== 'string' || text.trim() !== '')) continue;
      throw new ConfigError({
        code: 'bad-value',
        message: `It is still to be filled in ${what}.`,
        ...at(['accepted', index, member]),
        hint: 'Fill in reason and link of every entry, or remove the entry. Nothing was sent.',
      });
    }
}

const TO_FILL_IN = [
  ['reason', 'why this deviation is accepted (reason)'],
  ['link', 'where that was agreed (link)'],
] as const;

/** Whether an ISO date is one of the calendar. 2027-02-30 is parsed as 2 March by `Date`, so what comes back has to be what went in. */
export function isCalendarDate(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
