import Parser from 'yargs-parser';
import { quotable } from '../../base/kernel/check-shape.js';
import { keyNames } from '../../base/interface/names.js';
import { suggestion } from '../../base/kernel/nearest-name.js';
import { REMOVED_COMMANDS, REMOVED_OPTIONS } from './removed-commands.js';
import { VERBOSE } from './command-options.js';
import { COMMANDS, type Command } from './command-table.js';
import type { Options } from './options.js';
import { listed } from '../../base/kernel/format.js';
import { badOption, UsageError } from '../../base/kernel/errors.js';

export type Asked =
  | { readonly kind: 'overview' }
  | { readonly kind: 'version' }
  | { readonly kind: 'help'; readonly name: string }
  | { readonly kind: 'run'; readonly command: Command; readonly args: Readonly<Record<string, unknown>> };

const SEE_HELP = 'See petstore-conformance --help.';

const seeHelpOf = (command: string): string => `See petstore-conformance ${command} --help.`;

const EVERYWHERE: Options = { verbose: VERBOSE, help: { takes: 'flag' }, version: { takes: 'flag' } };

const namesOf = (options: Options): readonly string[] =>
  Object.entries(options).flatMap(([name, { isPlace }]) => (isPlace ? [] : [name]));

const ALL_NAMES = [
  ...new Set([...COMMANDS.values(), { options: EVERYWHERE }].flatMap(({ options }) => namesOf(options))),
];

/** Parses a command line by the table of commands. Throws UsageError, with the nearest known name for a typo. */
export function parseWords(words: readonly string[]): Asked {
  const name = words.find((word) => COMMANDS.has(word));
  const command = name === undefined ? undefined : COMMANDS.get(name);
  const options = { ...command?.options, ...EVERYWHERE };
  const { argv, error } = Parser.detailed([...words], parserOptions(options));
  const { _: given, ...args } = argv;
  const instead = REMOVED_COMMANDS.get(String(given[0]));
  if (instead !== undefined)
    throw new UsageError('unknown-command', `The command ${given[0]} no longer exists.`, instead);
  if (args['version'] === true) return { kind: 'version' };
  if (args['help'] === true || given.at(-1) === 'help')
    return name === undefined ? { kind: 'overview' } : { kind: 'help', name };
  if (given.length === 0) throw badOption('Name a command.', SEE_HELP);
  if (name === undefined || command === undefined || given[0] !== name)
    throw unknownName('unknown-command', `There is no command "${given[0]}"`, String(given[0]), [
      ...COMMANDS.keys(),
    ]);
  checkKeys(args['key']);
  const places = placesOf(name, options, given.slice(1).map(String));
  checkOptions(name, options, args, error === null ? null : words);
  return { kind: 'run', command, args: { ...args, ...places } };
}

/** Rejects a plan without its key: the next word may be the key, which no error may quote. */
function checkKeys(values: unknown): void {
  const bare = keyNames.find((plan) => [values].flat().includes(plan));
  if (bare === undefined) return;
  throw badOption(
    `--key ${bare} lacks its key.`,
    `Write --key ${bare}='\${PETSTORE_${bare.toUpperCase()}_KEY}', with "=" and no blank, in single quotes.`,
  );
}

function parserOptions(options: Options) {
  const named = Object.entries(options).filter(([, { isPlace }]) => !isPlace);
  const taking = (kind: string) => named.filter(([, { takes }]) => takes === kind).map(([name]) => name);
  return {
    boolean: taking('flag'),
    number: taking('number'),
    string: [...taking('text'), ...taking('texts')],
    array: taking('texts'),
    // NaN means a required value, and 1 at most one value each time.
    narg: Object.fromEntries(
      named.flatMap(([name, { takes, mayBeBare }]) =>
        takes === 'flag' || mayBeBare ? [] : [[name, takes === 'texts' ? 1 : Number.NaN]],
      ),
    ),
    default: Object.fromEntries(
      named.flatMap(([name, { usual }]) => (usual === undefined ? [] : [[name, usual]])),
    ),
    configuration: { 'parse-positional-numbers': false, 'dot-notation': false },
  };
}

/** Says with which option a file or an address is given; empty for other words. */
function asOption(word: string, options: Options): string {
  const takers = ['target', 'scenario'].filter((name) => name in options);
  if (takers.length > 0 && /\.(?:ya?ml|json)$/i.test(word))
    return `Write it as ${takers.map((name) => `--${name} ${word}`).join(' or ')}. `;
  const isAddress = 'base-url' in options && /^https?:\/\//i.test(word);
  return isAddress ? 'Write an address as --base-url ADDRESS. ' : '';
}

function placesOf(
  command: string,
  options: Options,
  words: readonly string[],
): Readonly<Record<string, unknown>> {
  const places = Object.entries(options).filter(([, { isPlace }]) => isPlace);
  const missing = places.filter(([, { isRequired }]) => isRequired).slice(words.length);
  if (missing.length > 0)
    throw badOption(
      `${command} lacks ${listed(missing.map(([name, { choices }]) => (choices ? name : `<${name}>`)))}.`,
      seeHelpOf(command),
    );
  const takesAll = places.some(([, { takes }]) => takes === 'texts');
  const left = takesAll ? [] : words.slice(places.length);
  if (left.length > 0)
    throw badOption(
      `Unexpected ${left.length === 1 ? 'argument' : 'arguments'} "${left.join(' ')}".`,
      `${asOption(left[0] ?? '', options)}${seeHelpOf(command)}`,
    );
  return Object.fromEntries(
    places.map(([name, { takes, usual }], index) => [
      name,
      takes === 'texts' ? words : (words[index] ?? usual),
    ]),
  );
}

/**
 * Rejects unknown options, and missing, wrong or repeated values.
 *
 * @param withoutValue the command line if the parser missed a value in it
 */
function checkOptions(
  command: string,
  options: Options,
  args: Readonly<Record<string, unknown>>,
  withoutValue: readonly string[] | null,
): void {
  const empty = withoutValue?.find((word, at) => {
    const option = options[Parser.decamelize(word.replace(/^--/, ''), '-')];
    return (
      word.startsWith('--') && option && option.takes !== 'flag' && /^-\D|^$/.test(withoutValue[at + 1] ?? '')
    );
  });
  if (empty !== undefined) throw badOption(`${empty} takes a value.`, seeHelpOf(command));
  const known = new Set(Object.keys(options).flatMap((name) => [name, Parser.camelCase(name)]));
  const unknown = Object.keys(args).find((name) => !known.has(name));
  if (unknown !== undefined) throw unknownOption(command, unknown, namesOf(options));
  for (const [name, { takes, choices, check, isPlace, mayBeBare }] of Object.entries(options)) {
    const value = args[name];
    if (isPlace || value === undefined) continue;
    if (takes !== 'texts' && Array.isArray(value))
      throw badOption(`--${name} is given twice.`, 'Give it once.');
    if (check && !check.isRight(value as number))
      throw badOption(`--${name} takes ${check.which}.`, seeHelpOf(command));
    const words = takes === 'texts' ? (value as readonly string[]) : [value as string];
    if (!mayBeBare && words.includes(''))
      throw badOption(`--${name} is empty.`, 'Give it a value. A variable of the shell may be unset.');
    const wrong = choices && words.find((one) => !choices.includes(one));
    if (wrong !== undefined)
      throw unknownName(
        'bad-option',
        `--${name} takes one of ${choices?.map((one) => `"${one}"`).join(', ')}, not "${quotable(wrong)}"`,
        wrong,
        choices ?? [],
        { see: seeHelpOf(command) },
      );
  }
}

/**
 * Returns the error of an option that a command does not take: one that is gone, another command's, or a
 * typo.
 */
export function unknownOption(command: string, name: string, own: readonly string[] = []): UsageError {
  const instead = REMOVED_OPTIONS.get(`${command} --${name}`);
  if (instead !== undefined)
    return new UsageError('unknown-option', `${command} no longer takes --${name}.`, instead);
  return ALL_NAMES.includes(name)
    ? new UsageError(
        'unknown-option',
        `${command} does not take --${name}.`,
        `petstore-conformance ${command} --help lists its options.`,
      )
    : unknownName(
        'unknown-option',
        `There is no option ${name.length === 1 ? '-' : '--'}${name}`,
        name,
        own,
        {
          prefix: '--',
          see: seeHelpOf(command),
        },
      );
}

function unknownName(
  code: 'unknown-command' | 'unknown-option' | 'bad-option',
  sentence: string,
  name: string,
  known: readonly string[],
  { prefix = '', see = SEE_HELP }: { readonly prefix?: string; readonly see?: string } = {},
): UsageError {
  return new UsageError(code, `${sentence}.`, `${suggestion(name, known, prefix)}${see}`);
}
