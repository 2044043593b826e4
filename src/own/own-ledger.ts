import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkShape } from '../contract/check-shape.js';
import { ConfigError } from '../contract/config-error.js';
import { loadSchema, once, sha256 } from '../contract/config-file.js';
import { loadLedger } from '../contract/ledger.js';
import type { Requirement } from '../contract/types.js';
import { parseYaml, readText } from '../contract/yaml-source.js';

/** Rows of somebody's own, and the hash of the files that hold them. */
export interface OwnLedger {
  readonly rows: readonly Requirement[];
  readonly hash: string;
}

type Row = Pick<Requirement, 'id' | 'level' | 'part' | 'statement'> & Partial<Pick<Requirement, 'place' | 'how'>>;

const schema = once(() => loadSchema('own-requirements'));

const HINT = 'docs/own-suites.md and config/schemas/own-requirements.schema.json describe the ledger of own suites.';

/** What the ledger of own suites is called where it lies beside them. */
export const USUAL_NAME = 'requirements.yaml';

/**
 * Reads the ledger of own suites: the file that was named, or those beside the suites.
 * @param files the suites' files
 * @throws ConfigError for a file that is missing or wrong, and for an id that stands twice or is one of the kit's
 */
export function readOwnLedger(named: string | undefined, files: readonly string[]): OwnLedger {
  const beside = [...new Set(files.map((file) => join(dirname(file), USUAL_NAME)))].filter((file) => existsSync(file));
  const ledgers = named === undefined ? beside : [named];
  if (ledgers.length === 0)
    throw new ConfigError({
      code: 'no-own-ledger',
      message: `No ledger says what these suites judge: beside them lies no ${USUAL_NAME}.`,
      expected: `${USUAL_NAME} beside the suites, or --ledger FILE`,
      hint: HINT,
    });
  const texts = ledgers.map((file) => [file, readText(file, HINT)] as const);
  const rows = new Map<string, Requirement>();
  for (const [file, text] of texts) for (const row of parsed(text, file, rows)) rows.set(row.id, row);
  return { rows: [...rows.values()], hash: sha256(texts.map(([, text]) => text).join('\n')) };
}

function parsed(text: string, file: string, before: ReadonlyMap<string, Requirement>): readonly Requirement[] {
  const source = parseYaml(text, file);
  const { requirements } = checkShape(source, source.toValue(), schema(), HINT) as {
    readonly requirements: readonly Row[];
  };
  const ours = new Set(loadLedger().requirements.map(({ id }) => id));
  const seen = new Set(before.keys());
  for (const [index, { id }] of requirements.entries()) {
    const message = ours.has(id)
      ? `The id "${id}" is one of the kit's own.`
      : seen.has(id)
        ? `The id "${id}" stands twice.`
        : null;
    if (message !== null)
      throw new ConfigError({
        code: 'duplicate-id',
        message,
        file,
        line: source.lineOf(['requirements', index, 'id']),
        hint: 'Give it another: none of the kit ever begins with own-.',
      });
    seen.add(id);
  }
  return requirements.map(({ place = 'your own ledger', how = 'A test of your own.', ...row }) => ({
    ...row,
    place,
    how,
    operations: [],
    judgedBy: { kind: 'suite', suite: 'own' },
  }));
}
