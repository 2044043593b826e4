import { requirementIds } from './requirement-ids.js';
import { once, PACKAGE_HINT, sha256 } from '../kernel/config-file.js';
import { nearestName } from '../kernel/nearest-name.js';
import type { JudgedBy, Requirement, RequirementId } from './types.js';
import { keepBuilt, readInterface } from './interface-file.js';
import { parseYaml } from '../kernel/yaml-source.js';
import { clientScenarios, levels, operationNames, partNumber, profileNames } from './names.js';
import { ConfigError } from '../kernel/errors.js';
import { checkShape } from '../kernel/check-shape.js';
import {
  array,
  closed,
  described,
  type Of,
  oneOf,
  optional,
  published,
  refined,
  someText,
  string,
} from '../kernel/shape.js';

/** Version that had every row without `since`. */
const FIRST_VERSION = '1.0.0';

const by = refined(
  closed({
    suite: optional(oneOf(['resources', 'endpoints', 'authentication', 'errors', 'versioning'])),
    passive: optional(
      array(string({ pattern: '^(listPets|createPet|getPet) [1-5][0-9]{2}$' }), { uniqueItems: true }),
    ),
    load: optional(array(oneOf(profileNames), { minItems: 1, uniqueItems: true })),
    traffic: optional(oneOf([true])),
    compare: optional(oneOf([true])),
    client: optional(array(oneOf(clientScenarios), { minItems: 1, uniqueItems: true })),
    nobody: optional(someText),
  }),
  // One judge for each row; traffic may show a row of load too.
  {
    minProperties: 1,
    dependentRequired: { traffic: ['load'] },
    if: { required: ['traffic'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { maxProperties: 2 },
    else: { maxProperties: 1 },
  },
);

export const REQUIREMENTS = published(
  'The requirement ledger, config/interface/requirements.yaml',
  null,
  closed({
    requirements: array(
      closed({
        id: string<RequirementId>({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
        level: oneOf(levels),
        levelFromRemoval: optional(oneOf(['must'])),
        part: partNumber,
        place: someText,
        statement: someText,
        how: someText,
        since: optional(
          described(
            'The version of the kit that added the row, or judges it more strictly since then; 1.0.0 if absent.',
            string({ pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' }),
          ),
        ),
        operations: array(oneOf(operationNames), { uniqueItems: true }),
        by,
      }),
      { minItems: 1 },
    ),
  }),
);

/** All testable statements of the interface, in the order of the file. */
export type Ledger = ReturnType<typeof parseLedger>;

/** Its rows must equal those in the code. Throws ConfigError. */
export const loadLedger = once((): Ledger => {
  const { value, hash, file } = readInterface('requirements', (text, name) => parseLedger(text, name).rows);
  return withKnownIds(ledgerOf(value, hash, file), file);
});

export const buildLedger = (): void =>
  keepBuilt('requirements', () => ({ value: loadLedger().rows, hash: loadLedger().hash }));

const ledgerOf = (rows: readonly Requirement[], hash: string, file: string) => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    rows,
    /** Rows that bind the service; a run of the service lists only these. */
    requirements: rows.filter(({ judgedBy }) => judgedBy.kind !== 'client'),
    /** Rows that bind clients; a run of a client lists only these. */
    ofClients: rows.filter(({ judgedBy }) => judgedBy.kind === 'client'),
    /** Throws ConfigError `unknown-requirement` with the nearest id. */
    byId: (id: RequirementId): Requirement => byId.get(id) ?? unknownId(id, [...byId.keys()], file),
    /** SHA-256 of the file. */
    hash,
  };
};

/**
 * Parses a ledger strictly. An unknown or missing field, an unknown level, suite or profile, and a repeated
 * id throw a ConfigError with file, line and the nearest known name.
 */
export function parseLedger(text: string, file: string) {
  const source = parseYaml(text, file);
  const { requirements: rows } = checkShape(source, source.toValue(), REQUIREMENTS, PACKAGE_HINT);
  const byId = new Map<RequirementId, Requirement>();
  for (const [index, { by, ...row }] of rows.entries()) {
    if (byId.has(row.id)) {
      throw new ConfigError({
        code: 'duplicate-id',
        message: `The id "${row.id}" appears twice.`,
        file,
        line: source.lineOf(['requirements', index, 'id']),
        hint: PACKAGE_HINT,
      });
    }
    byId.set(row.id, { since: FIRST_VERSION, ...row, judgedBy: judgedBy(by) });
  }
  return ledgerOf([...byId.values()], sha256(text), file);
}

/** Checks that a ledger has exactly the rows of `requirementIds`; throws ConfigError for the first difference. */
export function withKnownIds(
  ledger: Ledger,
  file: string,
  known: readonly RequirementId[] = requirementIds,
): Ledger {
  const held = ledger.rows.map(({ id }) => id);
  for (const id of held) if (!known.includes(id)) return unknownId(id, known, file);
  for (const id of known) ledger.byId(id);
  return ledger;
}

function judgedBy({ suite, passive, load, traffic, client, nobody }: Of<typeof by>): JudgedBy {
  if (suite !== undefined) return { kind: 'suite', suite };
  if (passive) return { kind: 'passive', answers: passive };
  if (load) return { kind: 'load', profiles: load, ...(traffic && { traffic }) };
  if (client) return { kind: 'client', scenarios: client };
  return nobody === undefined ? { kind: 'compare' } : { kind: 'nobody', reason: nobody };
}

function unknownId(id: string, known: readonly string[], file: string): never {
  const nearest = nearestName(id, known);
  throw new ConfigError({
    code: 'unknown-requirement',
    message: `No requirement has the id "${id}".`,
    file,
    expected: 'an id of the ledger',
    nearest,
    hint: 'Run petstore-conformance requirements for all ids.',
  });
}

/** Returns the rows that a run lists: those of the service, of clients, or both, in this order. */
export const rowsOfSides = (sides: readonly ('service' | 'client')[] | undefined): readonly Requirement[] => {
  const { requirements, ofClients } = loadLedger();
  return (sides ?? ['service']).flatMap((side) => (side === 'client' ? ofClients : requirements));
};
