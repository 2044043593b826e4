import { checkShape } from '../contract/check-shape.js';
import { ConfigError, type ConfigProblem } from '../contract/config-error.js';
import { loadSchema, once } from '../contract/config-file.js';
import { parseYaml } from '../contract/yaml-source.js';
import type { RequirementId } from '../contract/types.js';
import type { AcceptedDeviation } from '../log/record.js';

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
