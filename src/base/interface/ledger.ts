import { requirementIds } from './requirement-ids.js';
import { loadSchema, once, PACKAGE_HINT, sha256 } from '../kernel/config-file.js';
import { nearestName } from '../kernel/nearest-name.js';
import type { JudgedBy, Requirement, RequirementId } from './types.js';
import { keepBuilt, readInterface } from './interface-file.js';
import { parseYaml } from '../kernel/yaml-source.js';
import type { ClientScenario, ProfileName } from './names.js';
import { ConfigError } from '../kernel/errors.js';
import { checkShape } from '../kernel/shape.js';

/** Version that had every row without `since`. */
const FIRST_VERSION = '1.0.0';

type Row = Omit<Requirement, 'judgedBy'> & {
  readonly by: {
    readonly suite?: string;
    readonly passive?: readonly string[];
    readonly load?: readonly ProfileName[];
    readonly traffic?: true;
    readonly compare?: true;
    readonly client?: readonly ClientScenario[];
    readonly nobody?: string;
  };
};

const ledgerSchema = once(() => loadSchema('requirements'));

/** All testable statements of the interface, in the order of the file. */
export type Ledger = ReturnType<typeof parseLedger>;

/** Loads the package's ledger once per process. Its rows must equal those in the code. Throws ConfigError. */
export const loadLedger = once((): Ledger => {
  const { value, hash, file } = readInterface('requirements', (text, name) => parseLedger(text, name).rows);
  return withKnownIds(ledgerOf(value, hash, file), file);
});

/** Parses the package's ledger anew and keeps its rows for later processes. Part of the build. */
export const buildLedger = (): void =>
  keepBuilt('requirements', () => ({ value: loadLedger().rows, hash: loadLedger().hash }));

const ledgerOf = (rows: readonly Requirement[], hash: string, file: string) => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    /** All rows. */
    rows,
    /** Rows that bind the service; a run of the service lists only these. */
    requirements: rows.filter(({ judgedBy }) => judgedBy.kind !== 'client'),
    /** Rows that bind clients; a run of a client lists only these. */
    ofClients: rows.filter(({ judgedBy }) => judgedBy.kind === 'client'),
    /** Returns the row of an id. Throws ConfigError `unknown-requirement` with the nearest id. */
    byId: (id: RequirementId): Requirement => byId.get(id) ?? unknownId(id, [...byId.keys()], file),
    /** SHA-256 of the file. */
    hash,
  };
};

/**
 * Parses a ledger strictly. An unknown or missing field, an unknown level, suite or profile, and a repeated id throw a
 * ConfigError with file, line and the nearest known name.
 */
export function parseLedger(text: string, file: string) {
  const source = parseYaml(text, file);
  const { requirements: rows } = checkShape(source, source.toValue(), ledgerSchema(), PACKAGE_HINT) as {
    readonly requirements: readonly Row[];
  };
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
export function withKnownIds(ledger: Ledger, file: string, known: readonly RequirementId[] = requirementIds): Ledger {
  const held = ledger.rows.map(({ id }) => id);
  for (const id of held) if (!known.includes(id)) return unknownId(id, known, file);
  for (const id of known) ledger.byId(id);
  return ledger;
}

function judgedBy({ suite, passive, load, traffic, client, nobody }: Row['by']): JudgedBy {
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
    ...(nearest !== undefined && { nearest }),
    hint: 'Run petstore-conformance requirements for all ids.',
  });
}

/** Returns the rows that a run lists: those of the service, of clients, or both, in this order. */
export const rowsOfSides = (sides: readonly ('service' | 'client')[] | undefined): readonly Requirement[] => {
  const { requirements, ofClients } = loadLedger();
  return (sides ?? ['service']).flatMap((side) => (side === 'client' ? ofClients : requirements));
};
