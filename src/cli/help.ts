import { wrapped } from '../report/words/wrapped.js';

/** A command as the overview names it. */
interface Entry {
  readonly name: string;
  readonly rest: string;
  readonly says: string;
}

const entry = (name: string, rest: string, says: string): Entry => ({ name, rest, says });

/** All commands by what somebody wants. */
const GROUPS: readonly (readonly [title: string, entries: readonly Entry[]])[] = [
  [
    'Judge a server',
    [
      entry('init', '[FILE]', 'Write a target file: which server, and where its keys are'),
      entry('doctor', '', 'Whether a run can start, what it sends, and what to do else'),
      entry('run', '', 'Whether it keeps the interface; without a target the embedded server'),
      entry('watch', '', 'Again what is open, whenever a file or the server changes'),
      entry('requirements', '[ID]', 'What is judged, or how one requirement is, and what breaks it'),
      entry('serve', '', 'Start the reference server, sound or with single mistakes'),
    ],
  ],
  [
    'Compare and decide',
    [
      entry('compare', 'A B', 'What changed between two runs'),
      entry('history', 'DIR', 'All runs of a folder on one page'),
      entry('baseline create', 'RUN', 'Draft the deviations of a run that are to be accepted'),
      entry('verify', 'CERTIFICATE', 'A certificate against its log'),
      entry('report', 'LOG|DIR', 'Make the reports again, with no server'),
    ],
  ],
  [
    'Put load on a server',
    [
      entry('load', '', 'Send a scenario, and check every answer'),
      entry('agent', '', 'Send parts of load runs that others start'),
      entry('merge', 'DIR...', 'Put the parts of a load run together'),
    ],
  ],
  ['The kit itself', [entry('selftest', '', 'Prove it on every known mistake and every permitted way to differ')]],
];

/** The commands by name. */
export const COMMANDS: readonly string[] = GROUPS.flatMap(([, entries]) =>
  entries.flatMap(({ name }) => name.split(' ', 1)),
);

/** A command line without the program's name, and what it is for. */
export type Example = readonly [command: string, says: string];

const EXAMPLES: readonly Example[] = [
  ['run', 'the embedded server, to see what a run looks like'],
  ["run --base-url https://staging.example.com/v1 --key free='${PETSTORE_FREE_KEY}'", 'a server, with one key'],
  ['run --target staging.yaml --only suites', 'a target file, without load'],
  ['run --target staging.yaml --last-failed', 'what was open in the last run'],
  ['requirements list-limit-default', 'one requirement as a card'],
];

const LEAD = '  ';

/** What `--help` says where no command is named. */
export function overview(): readonly string[] {
  const width = Math.max(...GROUPS.flatMap(([, entries]) => entries.map((one) => usageOf(one).length))) + 2;
  return [
    'petstore-conformance COMMAND [OPTIONS]',
    '',
    'Tells whether a server is the Pet Store service that its interface document',
    'describes.',
    ...GROUPS.flatMap(([title, entries]) => [
      '',
      title,
      ...entries.flatMap((one) => wrapped(`${LEAD}${usageOf(one).padEnd(width)}`, one.says)),
    ]),
    '',
    examples(EXAMPLES),
    '',
    'petstore-conformance COMMAND --help has the options of a command.',
  ];
}

/** Command lines to copy, each with what it is for below it: never broken. */
export const examples = (all: readonly Example[]): string =>
  [
    'Examples',
    ...all.flatMap(([command, says]) => [`${LEAD}petstore-conformance ${command}`, `${LEAD}${LEAD}${says}`]),
  ].join('\n');

const usageOf = ({ name, rest }: Entry): string => `${name} ${rest}`.trim();

/** Whether a command line asks for the overview. */
export const asksForOverview = (words: readonly string[]): boolean =>
  words.some((word) => word === '--help') && !words.some((word) => COMMANDS.includes(word));
