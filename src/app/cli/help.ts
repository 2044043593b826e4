import yargs from 'yargs';
import { asStarted } from '../../outcome/words/as-started.js';
import { wrapped } from '../../outcome/words/safe-text.js';
import { kitVersion } from '../../base/kernel/package.js';
import { VERBOSE } from './command-options.js';
import { COMMAND_GROUPS, COMMANDS, type Command, type Example } from './command-table.js';
import type { Option, Options } from './options.js';

const EXAMPLES: readonly Example[] = [
  ['run', 'the embedded server, as a first look'],
  [
    "run --base-url https://staging.example.com/v1 --key free='${PETSTORE_FREE_KEY}'",
    'a server, with one key',
  ],
  ['run --target staging.yaml --only suites', 'a target file, without load'],
  ['run --target staging.yaml --last-failed', 'requirements that earlier runs left open'],
  ['requirements list-limit-default', 'one requirement, explained'],
];

const LEAD = '  ';

/** Text of `--help` without a command. */
export function overview(): readonly string[] {
  const width = Math.max(...[...COMMANDS.values()].map((one) => usageOf(one).length)) + 2;
  return [
    'petstore-conformance COMMAND [OPTIONS]',
    '',
    'Tests whether a server conforms to the Pet Store Service Interface.',
    ...COMMAND_GROUPS.flatMap(([title, commands]) => [
      '',
      title,
      ...commands.flatMap((one) => wrapped(`${LEAD}${usageOf(one).padEnd(width)}`, one.purpose)),
    ]),
    '',
    ...exampleLines(EXAMPLES),
    '',
    `${asStarted('petstore-conformance COMMAND --help')} lists the options of a command.`,
  ];
}

const usageOf = ({ name, rest = '' }: Command): string => `${name} ${rest}`.trim();

const exampleLines = (all: readonly Example[]): readonly string[] => [
  'Examples',
  ...all.flatMap(([command, says]) => [
    `${LEAD}${asStarted(`petstore-conformance ${command}`)}`,
    `${LEAD}${LEAD}${says}`,
  ]),
];

export async function helpOf(name: string, columns: number): Promise<string> {
  const command = COMMANDS.get(name);
  if (!command) return '';
  const { purpose, title = purpose, options, notes = [], examples = [] } = command;
  const help = yargs([name])
    .scriptName('petstore-conformance')
    // The kit's own words are English, so yargs' are too.
    .detectLocale(false)
    .locale('en')
    .option(
      'verbose',
      shown(showsRequests(command) ? VERBOSE : { ...VERBOSE, says: 'Show the stack of an error' }),
    )
    .command([name, ...placesIn(options)].join(' '), title, (its) => {
      const groups = new Map<string, string[]>();
      for (const [option, how] of Object.entries(options)) {
        if (how.isPlace && how.choices) continue;
        if (how.isPlace) its.positional(option, { ...shown(how), demandOption: how.isRequired === true });
        else its.option(option, shown(how));
        if (how.group !== undefined) groups.set(how.group, [...(groups.get(how.group) ?? []), option]);
      }
      // With one title, the options are below “Options”.
      for (const [group, members] of groups.size > 2 ? groups : [])
        its.group(group === VERBOSE.group ? [...members, 'verbose', 'help', 'version'] : members, group);
      its.epilogue(notes.join('\n'));
    })
    .version(kitVersion())
    .wrap(columns);
  const text = await help.getHelp();
  // Below yargs' text, because yargs breaks a long command into lines that cannot be pasted.
  return examples.length > 0 ? [text, '', ...exampleLines(examples)].join('\n') : text;
}

/** Returns whether a command prints requirements and requests: it judges, or renders what was judged. */
const showsRequests = ({ name, options }: Command): boolean => 'reporter' in options || name === 'report';

/**
 * Names of a command's arguments, as yargs marks them: `<before>`, `[file]`, `<dirs..>`, and a fixed word
 * bare.
 */
const placesIn = (options: Options): readonly string[] =>
  Object.entries(options).flatMap(([name, { isPlace, isRequired, takes, choices }]) => {
    const said = takes === 'texts' ? `${name}..` : name;
    return isPlace ? [choices ? name : isRequired ? `<${said}>` : `[${said}]`] : [];
  });

const shown = ({ takes, says, usual, choices }: Option<unknown>) =>
  ({
    ...(choices && takes === 'text' ? {} : { type: TYPES[takes] }),
    array: takes === 'texts',
    describe: says ?? '',
    // Off, and an empty list, are what everybody expects.
    ...(usual !== false && !(Array.isArray(usual) && usual.length === 0) && { default: usual }),
    ...(choices && { choices }),
  }) as const;

const TYPES = { flag: 'boolean', number: 'number', text: 'string', texts: 'string' } as const;
