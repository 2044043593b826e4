import type { RequirementResult, Results } from '../results/results.js';
import { kindsOf } from '../results/finding-kind.js';
import { isCalendarDate } from '../../base/kernel/day.js';
import { moment } from '../../base/kernel/format.js';
import { outcomeWords } from '../words/outcomes.js';
import { reasonText } from '../words/reasons.js';
import { clip, oneLine } from '../../base/kernel/visible.js';
import { parseYaml, type YamlPath } from '../../base/kernel/yaml-source.js';
import { loadLedger } from '../../base/interface/ledger.js';
import type { RequirementId } from '../../base/interface/types.js';
import { nearestName } from '../../base/kernel/nearest-name.js';
import { ACCEPTED_DEVIATION, type AcceptedDeviation } from '../../log/header-record.js';
import { ConfigError, together, type ConfigProblem } from '../../base/kernel/errors.js';
import { checkShape } from '../../base/kernel/check-shape.js';
import { array, closed, type Of, oneOf, published } from '../../base/kernel/shape.js';

/** Longest comment: enough to recognize the finding; the report has the full text. */
const LONGEST = 160;

/** Returns the rows that prevent the verdict conformant and can be accepted. Faults of the kit cannot. */
export const acceptable = ({ requirements }: Results): readonly RequirementResult[] =>
  requirements.filter(
    ({ level, outcome }) => outcome === 'failed' || (outcome === 'inconclusive' && level === 'must'),
  );

/**
 * Drafts a baseline file from a run: each deviation with its finding as a comment. Reason and link are empty,
 * and no run accepts it until they are filled in. Pure.
 *
 * @param expires ISO date, the last day of every entry
 */
export function draftBaseline(results: Results, expires: string): string {
  return [
    `# Deviations of ${comment(results.target.name)} in the run of ${moment(results.startedAt)}.`,
    '# Remove entries that are not accepted. Fill in reason and link of the others.',
    '# A run rejects this file while a reason or a link is empty.',
    'schemaVersion: 1',
    'accepted:',
    ...acceptable(results).flatMap((row) => [
      `  # ${comment(row.statement)}`,
      `  # ${comment(outcomeWords(row.outcome))}: ${comment(whatOf(row))}`,
      `  - requirement: ${/^[a-z0-9-]+$/.test(row.id) ? row.id : JSON.stringify(row.id)}`,
      `    outcome: ${row.outcome}`,
      ...foundLines(row),
      ...(row.outcome === 'inconclusive' && row.heldUpBy
        ? [`    heldUpBy: [${row.heldUpBy.join(', ')}] # while one of these fails, it may also pass`]
        : []),
      "    reason: '' # why this is accepted",
      "    link: '' # where it was agreed, e.g. https://tracker.example.com/123",
      `    expires: '${expires}' # the last day`,
    ]),
    '',
  ].join('\n');
}

function foundLines(row: RequirementResult): readonly string[] {
  const kinds = row.outcome === 'failed' ? kindsOf(row) : null;
  if (kinds === null || kinds.length === 0) return [];
  return [
    '    found: # any other finding is a new failure',
    ...kinds.map((kind) => `      - ${yamlText(kind)}`),
  ];
}

/** Quotes a text for YAML, in the way that the format check keeps. */
const yamlText = (text: string): string =>
  /^[ -&(-~]*$/.test(text) ? `'${text}'` : JSON.stringify(text).replace(/[\u007f-\uffff]/g, escaped);

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function whatOf(row: RequirementResult): string {
  const [first] = row.findings;
  if (!first) return reasonText(row);
  return first.actual === undefined ? first.message : `${first.message}; received ${first.actual}`;
}

/** Escapes a target's text, which must not end its comment. */
const comment = (text: string): string => oneLine(clip(text, LONGEST)).replaceAll('\r', '\\r');

export const BASELINE = published(
  'Baseline of petstore-conformance',
  'Deviations that are accepted until a day. They change the exit code of a run, never its verdict.',
  closed({ schemaVersion: oneOf([1]), accepted: array(ACCEPTED_DEVIATION) }),
);
export type Baseline = Of<typeof BASELINE>;

const HINT =
  'A baseline is { schemaVersion: 1, accepted: [{ requirement, outcome, found, heldUpBy, reason, link, expires }] }.';

/**
 * Parses a baseline file, YAML or JSON, strictly.
 *
 * @param file its name, for messages
 * @throws ConfigError with file and line: bad syntax, unknown or missing member, impossible date, duplicate
 *   or unknown requirement
 */
export function parseBaseline(text: string, file: string): Baseline {
  const source = parseYaml(text, file);
  const value = source.toValue();
  checkFilledIn(value, (path) => ({ file, line: source.lineOf(path) }));
  const baseline = checkShape(source, value, BASELINE, HINT);
  checkIds(baseline, (path) => ({ file, line: source.lineOf(path) }));
  const seen = new Set<RequirementId>();
  for (const [index, { requirement, expires }] of baseline.accepted.entries()) {
    const at = (member: string) => ({ file, line: source.lineOf(['accepted', index, member]), hint: HINT });
    if (seen.has(requirement))
      throw new ConfigError({
        code: 'duplicate-id',
        message: `The baseline has two entries for "${requirement}".`,
        ...at('requirement'),
      });
    seen.add(requirement);
    if (!isCalendarDate(expires))
      throw new ConfigError({
        code: 'bad-value',
        message: '"expires" is not a calendar date.',
        expected: 'a date such as 2027-01-31',
        ...at('expires'),
      });
  }
  return baseline;
}

/** Rejects ids that no requirement has: a run would find only at its end that such an entry matches nothing. */
function checkIds(
  { accepted }: Baseline,
  at: (path: YamlPath) => Pick<ConfigProblem, 'file' | 'line'>,
): void {
  const known = loadLedger().requirements.map(({ id }) => id);
  const named = accepted.flatMap(({ requirement, heldUpBy = [] }, index) => [
    { id: requirement, path: ['accepted', index, 'requirement'] },
    ...heldUpBy.map((id, nth) => ({ id, path: ['accepted', index, 'heldUpBy', nth] })),
  ]);
  const [first, ...further] = named.flatMap(({ id, path }) =>
    known.includes(id)
      ? []
      : [
          new ConfigError({
            code: 'unknown-requirement',
            message: `No requirement has the id "${id}".`,
            ...at(path),
            nearest: nearestName(id, known),
            hint: 'Correct or remove the entry. Nothing was sent.',
          }),
        ],
  );
  if (first) throw together([first, ...further], first.hint);
}

/** Rejects a draft with an empty reason or link: no one has agreed to it yet. */
function checkFilledIn(value: unknown, at: (path: YamlPath) => Pick<ConfigProblem, 'file' | 'line'>): void {
  const accepted = (value as Partial<Baseline> | null)?.accepted;
  if (!Array.isArray(accepted)) return;
  for (const [index, entry] of (accepted as readonly (Partial<AcceptedDeviation> | null)[]).entries())
    for (const [member, what] of TO_FILL_IN) {
      const text = entry?.[member];
      // The schema reports missing members and other types.
      if (text !== null && (typeof text !== 'string' || text.trim() !== '')) continue;
      throw new ConfigError({
        code: 'bad-value',
        message: `An entry has no ${what}.`,
        ...at(['accepted', index, member]),
        hint: 'Fill in reason and link of every entry, or remove the entry. Nothing was sent.',
      });
    }
}

const TO_FILL_IN = [
  ['reason', 'reason (why this deviation is accepted)'],
  ['link', 'link (where that was agreed)'],
] as const;
