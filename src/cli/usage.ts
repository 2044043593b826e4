import { nearestName } from '../contract/nearest-name.js';
import { badOption, UsageError } from '../contract/usage-error.js';
import { COMMANDS } from './help.js';

const SEE_HELP = 'See petstore-conformance --help.';

/** Options that may be given more than once; any other is taken for a slip of the hand when it stands twice. */
const REPEATABLE = ['key', 'requirement', 'profile', 'plan', 'include', 'suite', 'flaw', 'variant', 'server'];

const SINGLE = [
  'target',
  'base-url',
  'only',
  'explore',
  'seed',
  'replay',
  'explore-animals',
  'ledger',
  'own-decide',
  'shard',
  'read-only',
  'last-failed',
  'dry-run',
  'report-dir',
  'baseline',
  'expires',
  'label',
  'as-of',
  'certify',
  'allow-load-on-production',
  'allow-loopback',
  'reporter',
  'verbose',
  'port',
  'minute',
  'day',
  'out',
  'otlp',
  'half',
  'markdown',
  'proof',
  'log',
  'list',
  'keys-from-env',
  'scenario',
  'slice',
  'start-at',
  'agents',
  'wait',
  'redis',
  'redis-prefix',
  'name',
  'enterprise',
  'production',
  'force',
  'watch-dir',
  'keep',
  'notify',
  'report-url',
];

/**
 * What yargs could not make sense of, as an error with the nearest known name and in the words of the other errors.
 * @param words the command line
 */
export function usageError(message: string, words: readonly string[]): UsageError {
  const [, what, unknown] = /^Unknown (command|argument)s?: (.+)$/.exec(message) ?? [];
  if (what === 'command' && words.some((word) => COMMANDS.includes(word)))
    return badOption(`“${unknown}” is a word too many.`, SEE_HELP);
  if (what === 'command') return unknownName('unknown-command', `There is no command “${unknown}”`, unknown, COMMANDS);
  if (unknown !== undefined) {
    // yargs names an option in its camel-cased form as well.
    const [name = unknown] = unknown.split(', ');
    const command = words.find((word) => COMMANDS.includes(word));
    if ([...REPEATABLE, ...SINGLE].includes(name))
      return command === undefined
        ? new UsageError('unknown-option', `--${name} stands without a command.`, SEE_HELP)
        : new UsageError(
            'unknown-option',
            `${command} takes no --${name}.`,
            `petstore-conformance ${command} --help has the options that it takes.`,
          );
    return unknownName(
      'unknown-option',
      `There is no option ${name.length === 1 ? '-' : '--'}${name}`,
      name,
      [...REPEATABLE, ...SINGLE],
      '--',
    );
  }
  const [, option, given, choices] = /Argument: (.+), Given: (.+), Choices: (.+)/.exec(message) ?? [];
  if (option !== undefined && given !== undefined)
    return unknownName(
      'bad-option',
      `--${option} takes one of ${choices}, and ${given} is none of them`,
      given.replaceAll('"', ''),
      (choices ?? '').replaceAll('"', '').split(', '),
    );
  const [, empty] = /^Not enough arguments following: (.+)$/.exec(message) ?? [];
  if (empty !== undefined) return badOption(`--${empty} takes a value.`, SEE_HELP);
  if (message.startsWith('Not enough non-option arguments')) return badOption('A path is missing.', SEE_HELP);
  return badOption(message, SEE_HELP);
}

function unknownName(
  code: 'unknown-command' | 'unknown-option' | 'bad-option',
  sentence: string,
  name: string | undefined,
  known: readonly string[],
  prefix = '',
): UsageError {
  const nearest = name === undefined ? undefined : nearestName(name, known);
  return new UsageError(
    code,
    `${sentence}.`,
    nearest === undefined ? SEE_HELP : `Did you mean ${prefix}${nearest}? ${SEE_HELP}`,
  );
}

/** Refuses an option that was given twice where only one value makes sense. */
export function noneTwice(args: Readonly<Record<string, unknown>>): true {
  const twice = SINGLE.find((name) => Array.isArray(args[name]));
  if (twice !== undefined) throw badOption(`--${twice} is given twice.`, 'Give it once.');
  return true;
}
