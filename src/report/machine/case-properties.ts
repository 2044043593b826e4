import { ConfigError } from '../../base/kernel/errors.js';
import { nearestName } from '../../base/kernel/nearest-name.js';
import { isRecord } from '../../base/kernel/shape.js';
import { parseYaml } from '../../base/kernel/yaml-source.js';
import type { RowView } from '../rows/row-view.js';

export type CaseProperty = readonly [name: string, value: string];

/**
 * A user's own properties by requirement id, such as `test_key` for Xray or `test_id` for TestRail. `none`
 * leaves out all properties of test cases.
 */
export type OwnProperties = ReadonlyMap<string, readonly CaseProperty[]> | 'none';

const RESERVED: ReadonlySet<string> = new Set(['level', 'part', 'place', 'statement', 'reason']);

/** Longest value, in characters: a key or a list of keys. */
const LONGEST = 1_000;

const HINT =
  'Write the file as REQUIREMENT: { NAME: VALUE }, e.g. list-ok: { test_key: PET-12 }. Nothing was sent or written.';

/**
 * Parses a map file, YAML or JSON: requirement id to property name and value.
 *
 * @param ids those of the ledger and of own suites
 * @throws ConfigError with the line: an unknown id, a reserved name, or a value that is no text
 */
export function parseProperties(text: string, file: string, ids: readonly string[]): OwnProperties {
  const source = parseYaml(text, file);
  const fail = (
    path: readonly string[],
    code: 'wrong-type' | 'unknown-requirement' | 'bad-value',
    message: string,
  ) => {
    const nearest = code === 'unknown-requirement' ? nearestName(path[0] ?? '', ids) : undefined;
    const line = source.lineOf(path);
    return new ConfigError({
      code,
      message,
      file,
      line,
      hint: HINT,
      ...(nearest !== undefined && { nearest }),
    });
  };
  const value: unknown = source.toValue() ?? {};
  if (!isRecord(value)) throw fail([], 'wrong-type', 'The file is not a map.');
  return new Map(
    Object.entries(value).map(([id, members]) => {
      if (!ids.includes(id)) throw fail([id], 'unknown-requirement', `There is no requirement "${id}".`);
      if (!isRecord(members)) throw fail([id], 'wrong-type', `The properties of ${id} are not a map.`);
      const properties = Object.entries(members).map(([name, member]): CaseProperty => {
        if (RESERVED.has(name)) throw fail([id, name], 'bad-value', `The kit fills in "${name}" itself.`);
        const isValue =
          typeof member === 'string' || typeof member === 'number' || typeof member === 'boolean';
        if (!isValue || String(member).length > LONGEST || !/^[\w.:-]{1,100}$/.test(name))
          throw fail([id, name], 'bad-value', `A property of ${id} is not a name with a text.`);
        return [name, String(member)];
      });
      return [id, properties] as const;
    }),
  );
}

export function propertiesOf(
  { id, level, part, statement, requirement, reason }: RowView,
  own: OwnProperties,
): readonly CaseProperty[] {
  if (own === 'none') return [];
  return [
    ['level', level],
    ['part', String(part)],
    ...(requirement === null ? [] : ([['place', requirement.place]] as const)),
    ['statement', statement],
    ...(reason === undefined ? [] : ([['reason', reason.code]] as const)),
    ...(own.get(id) ?? []),
  ];
}
