import { readdirSync, statSync, existsSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { sha256 } from '../../base/kernel/config-file.js';
import { loadLedger } from '../../base/interface/ledger.js';
import type { Requirement, RequirementId } from '../../base/interface/types.js';
import { parseYaml, readText } from '../../base/kernel/yaml-source.js';
import type { OwnHeader } from '../../log/header-record.js';
import { UsageError, badOption, ConfigError } from '../../base/kernel/errors.js';
import { checkShape } from '../../base/kernel/check-shape.js';
import {
  array,
  closed,
  described,
  oneOf,
  optional,
  published,
  someText,
  string,
} from '../../base/kernel/shape.js';
import { levels, partNumber } from '../../base/interface/names.js';

const USUAL = '**/*.{spec,test}.{ts,mts,cts,js,mjs,cjs}';
/** Skipped folders, which may be large. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git']);

/**
 * Returns the files of patterns without repetition, absolute and in order: `*` and `?` for characters of a
 * name, `**` for folders, `{a,b}` for alternatives. A folder means the suites below it.
 *
 * @throws UsageError `unmatched-suite` for a pattern without a file
 */
export function ownFiles(patterns: readonly string[]): readonly string[] {
  return [...new Set(patterns.flatMap(filesOf))];
}

function filesOf(pattern: string): readonly string[] {
  const whole = resolve(pattern);
  const stat = statSync(whole, { throwIfNoEntry: false });
  if (stat?.isFile()) return [whole];
  const glob = stat?.isDirectory() ? join(whole, USUAL) : whole;
  const found = filesBelow(baseOf(glob), expressionOf(glob.split(sep).join('/')));
  if (found.length > 0) return found;
  throw new UsageError(
    'unmatched-suite',
    `No file matches --suite ${pattern}.`,
    'Name a file, a folder with *.spec.ts files, or a pattern in single quotes. Nothing was sent.',
  );
}

/** Returns the folder above the first name with a wildcard. */
function baseOf(glob: string): string {
  const at = glob.search(/[*?{]/);
  return at < 0 ? dirname(glob) : dirname(`${glob.slice(0, at)}x`);
}

function filesBelow(folder: string, expression: RegExp): readonly string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // A missing or unreadable folder has no suites.
    return [];
  }
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesBelow(path, expression);
      return expression.test(path.split(sep).join('/')) ? [path] : [];
    });
}

const PIECES: Readonly<Record<string, string>> = {
  '**/': '(?:[^/]+/)*',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
  '{': '(?:',
  '}': ')',
  ',': '|',
};

function expressionOf(glob: string): RegExp {
  let depth = 0;
  const text = glob.replace(/\*\*\/|\*\*|\*|\?|[{},]|[.+^$()|[\]\\]/g, (piece) => {
    if (piece === '{') depth += 1;
    if (piece === '}') depth -= 1;
    return piece === ',' && depth <= 0 ? ',' : (PIECES[piece] ?? `\\${piece}`);
  });
  if (depth !== 0)
    throw new UsageError(
      'unmatched-suite',
      `A brace in --suite ${glob} is not closed.`,
      'Write both braces, as in {a,b}.',
    );
  return new RegExp(`^${text}$`);
}

export const OWN_REQUIREMENTS = published(
  'Ledger of own suites for petstore-conformance',
  "What your own suites judge in addition to the kit's, one row for each id that a test states.",
  closed({
    requirements: array(
      closed({
        id: described(
          'Stands in results for as long as they are compared. No id of the kit ever begins with own-.',
          string<RequirementId>({ pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)+$', maxLength: 60 }),
        ),
        level: described(
          'must: broken it fails; should: broken it warns; may and open: what is seen is recorded.',
          oneOf(levels),
        ),
        part: described('The part of the interface document to which it belongs, 1 to 9.', partNumber),
        statement: described('A sentence with the service as its subject.', someText),
        place: optional(described('Where it is written down, e.g. a page of your own.', someText)),
        how: optional(described('How it is judged.', someText)),
      }),
      { minItems: 1 },
    ),
  }),
);

const HINT =
  'docs/own-suites.md and config/schemas/own-requirements.schema.json describe the ledger of own suites.';
/** File name of the ledger next to own suites. */
export const USUAL_NAME = 'requirements.yaml';

/** Reads own rows and the hash of their files: the named one, or those next to the suites. Throws ConfigError. */
export function readOwnLedger(named: string | undefined, files: readonly string[]) {
  const beside = [...new Set(files.map((file) => join(dirname(file), USUAL_NAME)))].filter((file) =>
    existsSync(file),
  );
  const ledgers = named === undefined ? beside : [named];
  if (ledgers.length === 0)
    throw new ConfigError({
      code: 'no-own-ledger',
      message: `The suites have no ledger: their folder has no ${USUAL_NAME}.`,
      expected: `${USUAL_NAME} in the folder of the suites, or --ledger FILE`,
      hint: HINT,
    });
  const texts = ledgers.map((file) => [file, readText(file, HINT)] as const);
  const rows = new Map<string, Requirement>();
  for (const [file, text] of texts) for (const row of parsed(text, file, rows)) rows.set(row.id, row);
  return { rows: [...rows.values()], hash: sha256(texts.map(([, text]) => text).join('\n')) };
}

function parsed(
  text: string,
  file: string,
  before: ReadonlyMap<string, Requirement>,
): readonly Requirement[] {
  const source = parseYaml(text, file);
  const { requirements } = checkShape(source, source.toValue(), OWN_REQUIREMENTS, HINT);
  const ours = new Set(loadLedger().requirements.map(({ id }) => id));
  const seen = new Set(before.keys());
  for (const [index, { id }] of requirements.entries()) {
    const message = ours.has(id)
      ? `The id "${id}" belongs to the kit.`
      : seen.has(id)
        ? `The id "${id}" appears twice.`
        : null;
    if (message !== null)
      throw new ConfigError({
        code: 'duplicate-id',
        message,
        file,
        line: source.lineOf(['requirements', index, 'id']),
        hint: 'Use another id, for example with the prefix own-, which the kit never uses.',
      });
    seen.add(id);
  }
  return requirements.map(({ place = 'your own ledger', how = 'By your own test.', ...row }) => ({
    ...row,
    place,
    how,
    operations: [],
    judgedBy: { kind: 'suite', suite: 'own' },
  }));
}

export interface OwnRequest extends OwnHeader {
  readonly files: readonly string[];
}

/** Undefined for none. Throws UsageError, ConfigError. */
export function ownRequest({
  suite = [],
  ledger,
  ownDecide = false,
}: {
  readonly suite?: readonly string[] | undefined;
  readonly ledger?: string | undefined;
  readonly ownDecide?: boolean | undefined;
}): OwnRequest | undefined {
  if (suite.length === 0) {
    if (ledger === undefined && !ownDecide) return undefined;
    throw badOption(
      `--${ownDecide ? 'own-decide' : 'ledger'} needs --suite.`,
      'Name your own suites with --suite.',
    );
  }
  const files = ownFiles(suite);
  return { files, ...readOwnLedger(ledger, files), decide: ownDecide };
}
