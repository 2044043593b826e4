import { Parser } from 'yargs/helpers';
import { shellWord } from '../format/visible.js';
import type { Io } from './io.js';
import { choice, choicesOf, flag, number, place, text, texts, type ArgumentsOf, type Options } from './options.js';
import { type KeyName, keyNames, planNames } from '../contract/names.js';

/**
 * All commands and their options. The parser, the help, the suggestions for typos, and the lines that repeat a run use this
 * table.
 */

/** A command line without the program's name, and its purpose. */
export type Example = readonly [command: string, says: string];

export interface Command {
  /** Its name and arguments, as in its help. */
  readonly usage: string;
  /** Its arguments, as in the overview. */
  readonly rest?: string;
  readonly purpose: string;
  /** Purpose, in its own help. */
  readonly title: string;
  readonly options: Options;
  /** Help text below the options. */
  readonly notes?: readonly string[];
  readonly examples?: readonly Example[];
  /** True to show the examples and their purposes in two columns. */
  readonly hasShortExamples?: true;
  /** Loads and runs the command; typos are reported before. */
  readonly run: (args: never, io: Io) => Promise<number>;
}

/** Titles of the help of `run`. */
const SERVER = { group: 'The server' } as const;
const JUDGED = { group: 'What is judged' } as const;
const BEYOND = { group: 'Beyond the suites', repeats: true } as const;
const OWN = { group: 'Suites of your own', repeats: true } as const;
const FOLLOWS = { group: 'What follows from it' } as const;
const SHOWN = { group: 'What is shown' } as const;
const REPEATED = { repeats: true } as const;

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 0 && port < 65_536;
const isCount = (runs: number): boolean => Number.isInteger(runs) && runs >= 1;
const isLength = (seconds: number): boolean => Number.isFinite(seconds) && seconds > 0;
const isWait = (seconds: number): boolean => seconds >= 1 && seconds <= 3600;

/** Options that name a target, of `run` and `load`. */
const server = {
  target: text('A target file, or one of embedded, staging, production', { ...SERVER, ...REPEATED }),
  'base-url': text('The address of a server, up to and with /v1', { ...SERVER, ...REPEATED }),
  key: texts("PLAN='${NAME}' for a variable of the environment, PLAN=file:PATH for a file, or PLAN=KEY", {
    ...SERVER,
    repeats: withoutKey,
  }),
};

/** Options shared by several commands. */
const reportDir = text('The folder to write into, instead of a new one in reports/', SHOWN);
const notify = text(
  "An address that the verdict and what changed are posted to as JSON; '${NAME}' reads the environment",
  FOLLOWS,
);
const reportUrl = text('The address under which the folders of runs are published: links lead there', FOLLOWS);
const reporter = choice(['auto', 'list', 'github', 'quiet'], 'How to print', { ...SHOWN, usual: 'auto' });
const redis = text("redis[s]://[USER:PASSWORD@]HOST[:PORT], or '${NAME}' for a variable that holds it", {
  repeats: withoutPassword,
});
const redisPrefix = text('What all names in Redis begin with; the same for agents and load', {
  ...REPEATED,
  usual: 'petstore-conformance',
});

const only = choice(['suites', 'load'], 'One half of the kit', { ...JUDGED, ...REPEATED });

const judging = {
  requirement: texts('An id as requirements lists them, with * for any characters', { ...JUDGED, ...REPEATED }),
  'last-failed': flag('Only what earlier runs of this target left open, by repeating what showed it', JUDGED),
  profile: texts(
    'Of load: burst, recovery, window, steady, concurrent, ban or day-quota; or explore, with the suites',
    { ...JUDGED, ...REPEATED },
  ),
  plan: choicesOf(planNames, 'A plan to put load on', { ...JUDGED, ...REPEATED }),
  include: choicesOf(['ban', 'day-quota'], 'A profile that runs only when asked for', { ...JUDGED, ...REPEATED }),
  explore: text('Search with so many requests more for what the suites cannot meet; a quarter of the plan’s minute', {
    ...BEYOND,
    mayBeBare: true,
  }),
  seed: text('Where exploring starts, to have it the same again', BEYOND),
  replay: text('SEED:PATH, a story of exploring to perform again', BEYOND),
  'explore-animals': text('The most animals that exploring leaves behind; 100', BEYOND),
  suite: {
    ...texts("Suites of your own beside the kit's: a file, a folder or a quoted pattern", OWN),
    usual: undefined,
    gives: undefined as readonly string[] | undefined,
  },
  ledger: text('What they judge; requirements.yaml beside them', OWN),
  'own-decide': flag('They decide about the verdict and the exit code as well', OWN),
  'read-only': flag('Send nothing that would create an animal', { ...SERVER, ...REPEATED }),
  'as-of': text('The date, YYYY-MM-DD, to judge the deprecated operation for', { ...JUDGED, ...REPEATED }),
  baseline: text('A file of accepted deviations', { ...FOLLOWS, ...REPEATED }),
  certify: flag('Write a certificate, or say why there is none', { ...FOLLOWS, ...REPEATED }),
  label: text('The build of the server, e.g. 2.4.1: history tells by it what is flaky', FOLLOWS),
  notify,
  'report-url': reportUrl,
  'allow-load-on-production': flag('Permit bursts on a target marked production', { ...SERVER, ...REPEATED }),
  'dry-run': flag('Print the plan and send nothing', SHOWN),
  reporter,
  'report-dir': reportDir,
};

const shard = text('I/N: this part of N of the suites, the last with load; merge judges the whole', {
  ...JUDGED,
  ...REPEATED,
});

const runOptions = { ...server, only, shard, ...judging };
const watchOptions = {
  ...server,
  only,
  ...judging,
  'watch-dir': text('A folder; a change below it, but for node_modules, .git and reports, runs again', {
    group: 'When',
  }),
};
const loadOptions = {
  scenario: text('A file that says what is sent; a built-in one if absent', REPEATED),
  ...server,
  'read-only': flag('Send nothing that would create an animal', REPEATED),
  'dry-run': flag('Print the schedule and send nothing'),
  slice: text('I/N: this part of N only', REPEATED),
  'start-at': text('When the first phase begins, e.g. 2026-11-22T10:00:00Z', REPEATED),
  agents: number('Send from so many agents, by way of --redis', undefined, REPEATED),
  redis,
  'redis-prefix': redisPrefix,
  wait: number(
    'Seconds in which all agents have to be there',
    { isRight: isWait, which: 'a number of seconds from 1 to 3600' },
    {
      ...REPEATED,
      usual: 30,
    },
  ),
  out: text('A new file for each second and each request, as NDJSON or CSV by its name’s end'),
  otlp: text('Send metrics to this OpenTelemetry collector, e.g. http://localhost:4318'),
  'report-dir': reportDir,
  'allow-load-on-production': flag('Permit load on a target marked production', REPEATED),
  reporter,
};
const agentOptions = {
  redis,
  'redis-prefix': redisPrefix,
  name: text('What it is called in reports'),
  'allow-loopback': flag('Send to this machine, whoever gives the work'),
};
const mergeOptions = {
  dirs: { ...texts(''), isPlace: true, isRequired: true },
  'report-dir': reportDir,
  baseline: text('A file of accepted deviations, for the parts of a run'),
  certify: flag('Write a certificate of the whole run, or say why there is none'),
  notify,
  'report-url': reportUrl,
  reporter,
} as const;
const initOptions = {
  file: text('The file to write', { isPlace: true, usual: 'target.yaml' }),
  'base-url': server['base-url'],
  plan: choicesOf(keyNames, 'A plan whose key is in PETSTORE_PLAN_KEY', { usual: [] as readonly KeyName[] }),
  key: texts("PLAN='${NAME}' or PLAN=file:PATH, where it is elsewhere; a key itself is never written"),
  enterprise: text('PERMINUTE/PERDAY, the figures agreed for an Enterprise key'),
  production: flag('Real clients depend on the server'),
  'read-only': flag('No animal may be created there'),
  force: flag('Write over a file that is there'),
};
const doctorOptions = {
  ...server,
  'read-only': flag('As a run that creates no animal'),
  'allow-load-on-production': flag('As a run with bursts on a target marked production'),
};
const serveOptions = {
  port: number('0 for a free one', { isRight: isPort, which: 'a whole number from 0 to 65535' }, { usual: 0 }),
  list: flag('Name all flaws and variants, and start nothing'),
  flaw: texts('A mistake to make'),
  variant: texts('A conformant way to differ'),
  minute: number(
    'Seconds of the minute’s window',
    { isRight: isLength, which: 'a number of seconds above 0' },
    { usual: 60 },
  ),
  day: number(
    'Seconds of the day’s window',
    { isRight: isLength, which: 'a number of seconds above 0' },
    { usual: 86_400 },
  ),
  'keys-from-env': flag('Take the keys from PETSTORE_PLAN_KEY where these are set'),
};
const selftestOptions = {
  server: texts('A flaw or a variant'),
  half: choice(['suites', 'load', 'explore'], 'One half of the kit, or exploring'),
  markdown: text('Write the matrix to this file'),
  proof: text('Write the result as the data that reports show'),
};
const requirementsOptions = {
  id: text('', { isPlace: true }),
  ledger: text('The ledger of own suites, to be listed as well'),
};
const reportOptions = { path: place() };
const compareOptions = { before: place(), after: place(), out: text('Write FILE.html and FILE.md as well') };
const historyOptions = {
  dir: place(),
  keep: number(
    'Before that, remove the runs older than the newest N of each target; never one with a certificate, or with a file that no run has written',
    { isRight: isCount, which: 'a whole number of runs from 1' },
  ),
  'report-url': reportUrl,
  'dry-run': flag('Name what --keep would remove, and write nothing'),
};
const baselineOptions = {
  // A word of the command's name.
  create: place('This word'),
  run: place('The folder of a run, or its results.json'),
  out: text('The file to write; one that is there is never written over', { usual: 'baseline.yaml' }),
  expires: text('The last day of every entry, YYYY-MM-DD; without it 30 days from now'),
};
const verifyOptions = { certificate: place(), log: text('The log, if it lies elsewhere') };

export type RunArguments = ArgumentsOf<typeof runOptions>;
export type WatchArguments = ArgumentsOf<typeof watchOptions>;
export type LoadArguments = ArgumentsOf<typeof loadOptions>;
export type AgentArguments = ArgumentsOf<typeof agentOptions>;
export type MergeArguments = ArgumentsOf<typeof mergeOptions>;
export type InitArguments = ArgumentsOf<typeof initOptions>;
export type DoctorArguments = ArgumentsOf<typeof doctorOptions>;
export type ServeArguments = ArgumentsOf<typeof serveOptions>;
export type SelftestArguments = ArgumentsOf<typeof selftestOptions>;
export type RequirementsArguments = ArgumentsOf<typeof requirementsOptions>;
export type ReportArguments = ArgumentsOf<typeof reportOptions>;
export type CompareArguments = ArgumentsOf<typeof compareOptions>;
export type HistoryArguments = ArgumentsOf<typeof historyOptions>;
export type BaselineArguments = ArgumentsOf<typeof baselineOptions>;
export type VerifyArguments = ArgumentsOf<typeof verifyOptions>;

/** Makes a command whose arguments follow from its options. */
const command = <All extends Options>(
  about: Omit<Command, 'run' | 'options'> & {
    readonly options: All;
    readonly load: () => Promise<(args: ArgumentsOf<All>, io: Io) => number | Promise<number>>;
  },
): Command => ({ ...about, run: async (args: ArgumentsOf<All>, io) => (await about.load())(args, io) });

export const COMMAND_GROUPS: readonly (readonly [title: string, commands: Readonly<Record<string, Command>>])[] = [
  [
    'Judge a server',
    {
      init: command({
        usage: 'init [file]',
        rest: '[FILE]',
        purpose: 'Write a target file: which server, and where its keys are',
        title: 'Write a target file',
        options: initOptions,
        notes: [
          'On a terminal it asks for what no option says, and offers the variables that',
          'are set. No key is written: only where each is to be read from.',
        ],
        examples: [
          ['init', 'asks, and writes target.yaml'],
          ['init staging.yaml --base-url https://staging.example.com/v1 --plan free', 'asks nothing'],
        ],
        load: async () => (await import('./init-command.js')).initCommand,
      }),
      doctor: command({
        usage: 'doctor',
        purpose: 'Whether a run can start, what it sends, and what to do else',
        title: 'Look at a server with each key, and say what a run would send',
        options: doctorOptions,
        notes: [
          'Sends one request with each key, judges nothing, and is done within three',
          'seconds: 0 where a run can start, 3 where it cannot or a key is refused.',
        ],
        examples: [['doctor --target staging.yaml', 'before the first run, and when one did not start']],
        load: async () => (await import('./doctor-command.js')).doctorCommand,
      }),
      run: command({
        usage: 'run',
        purpose: 'Whether it keeps the interface; without a target the embedded server',
        title: 'Judge a server',
        options: runOptions,
        examples: [
          ["run --base-url http://127.0.0.1/v1 --key free='${KEY}'", 'one key; the kit reads the variable'],
          ['run --target staging.yaml --only suites', 'without load: some seconds'],
          ["run --target staging.yaml --requirement 'list-*'", 'some requirements, and only what they need'],
          ['run --target staging.yaml --last-failed', 'what was open in the last run'],
          ['run --target staging.yaml --certify', 'the whole, with a certificate or the reasons against it'],
        ],
        load: async () => (await import('./run-command.js')).runCommand,
      }),
      watch: command({
        usage: 'watch',
        purpose: 'Again what is open, whenever a file or the server changes',
        title: 'Judge a server again and again, while somebody works on it',
        options: watchOptions,
        notes: [
          'Runs the suites, then what was open again whenever a file changes, the server',
          'listens again after a restart, or Enter is pressed; everything again once',
          'nothing is open. Load only with --only load or --profile. Ctrl-C ends it.',
        ],
        examples: [['watch --target mine.yaml --watch-dir src', 'mend, save, look']],
        load: async () => (await import('./watch-command.js')).watchCommand,
      }),
      requirements: command({
        usage: 'requirements [id]',
        rest: '[ID]',
        purpose: 'What is judged, or how one requirement is, and what breaks it',
        title: 'What is judged, or one requirement as a card',
        options: requirementsOptions,
        load: async () => (await import('./requirements-command.js')).requirementsCommand,
      }),
      serve: command({
        usage: 'serve',
        purpose: 'Start the reference server, sound or with single mistakes',
        title: 'Start the reference server',
        options: serveOptions,
        load: async () => (await import('./serve-command.js')).serveCommand,
      }),
    },
  ],
  [
    'Compare and decide',
    {
      compare: command({
        usage: 'compare <before> <after>',
        rest: 'A B',
        purpose: 'What changed between two runs',
        title: 'What changed between two runs',
        options: compareOptions,
        examples: [['compare reports/LAST-NIGHT reports/TONIGHT --out changes', 'What is worse, as changes.html too']],
        hasShortExamples: true,
        load: async () => (await import('./compare-command.js')).compareCommand,
      }),
      history: command({
        usage: 'history <dir>',
        rest: 'DIR',
        purpose: 'All runs of a folder on one page',
        title: 'All runs of a folder on one page',
        options: historyOptions,
        examples: [
          ['history reports', 'Writes reports/history.html'],
          ['history reports --keep 90', 'The newest 90 runs of each target stay'],
        ],
        hasShortExamples: true,
        load: async () => (await import('./history-command.js')).historyCommand,
      }),
      baseline: command({
        usage: 'baseline create <run>',
        rest: 'create RUN',
        purpose: 'Draft the deviations of a run that are to be accepted',
        title: 'A baseline of a run’s deviations, to be filled in',
        options: baselineOptions,
        examples: [
          [
            'baseline create reports/LAST-NIGHT --out known.yaml --expires 2031-01-31',
            'Then fill in why, and run with --baseline known.yaml',
          ],
        ],
        hasShortExamples: true,
        load: async () => (await import('./baseline-command.js')).baselineCommand,
      }),
      verify: command({
        usage: 'verify <certificate>',
        rest: 'CERTIFICATE',
        purpose: 'A certificate against its log',
        title: 'A certificate, or its in-toto Statement, against its log',
        options: verifyOptions,
        load: async () => (await import('./verify-command.js')).verifyCommand,
      }),
      report: command({
        usage: 'report <path>',
        rest: 'LOG|DIR',
        purpose: 'Make the reports again, with no server',
        title: 'Render again from a log or its folder',
        options: reportOptions,
        load: async () => (await import('./report-command.js')).reportCommand,
      }),
    },
  ],
  [
    'Put load on a server',
    {
      load: command({
        usage: 'load',
        purpose: 'Send a scenario, and check every answer',
        title: 'Put a scenario’s load on a server, and check every answer',
        options: loadOptions,
        load: async () => (await import('./load-command.js')).loadCommand,
      }),
      agent: command({
        usage: 'agent',
        purpose: 'Send parts of load runs that others start',
        title: 'Send parts of load runs that others start, by way of a Redis',
        options: agentOptions,
        load: async () => (await import('./agent-command.js')).agentCommand,
      }),
      merge: command({
        usage: 'merge <dirs..>',
        rest: 'DIR...',
        purpose: 'Put the parts of a load run together',
        title: 'Put the parts of a run, or of a load run, together, and judge the whole',
        options: mergeOptions,
        load: async () => (await import('./merge-command.js')).mergeCommand,
      }),
    },
  ],
  [
    'The kit itself',
    {
      selftest: command({
        usage: 'selftest',
        purpose: 'Prove it on every known mistake and every permitted way to differ',
        title: 'Prove the kit on broken and on sound servers',
        options: selftestOptions,
        load: async () => (await import('./selftest-command.js')).selftestCommand,
      }),
    },
  ],
];

export const VERBOSE = flag('Every requirement, every request, and the stack of an error', SHOWN);

export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  COMMAND_GROUPS.flatMap(([, commands]) => Object.entries(commands)),
);

/** Returns a key option for display: its source, or a variable to put it into. */
function withoutKey(option: string): string {
  const plan = option.slice(0, Math.max(0, option.indexOf('=')));
  return /^(\$\{\w+(:-)?\}$|file:)/.test(option.slice(plan.length + 1))
    ? option
    : `${plan}=\${PETSTORE_${plan.toUpperCase()}_KEY}`;
}

/** Returns a Redis address for display: a variable replaces one with a password. */
function withoutPassword(redis: string): string {
  const { username, password } = URL.canParse(redis) ? new URL(redis) : { username: '', password: '' };
  return username + password === '' ? redis : '${PETSTORE_REDIS_URL}';
}

/** Returns the command that repeats a run or a load run, for pasting into a shell; a variable replaces a key in clear. */
export function commandLine(name: 'run' | 'load', args: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(COMMANDS.get(name)?.options ?? {}).flatMap(([option, { repeats, usual, mayBeBare }]) => {
    const value = args[Parser.camelCase(option)];
    if (!repeats || value === undefined || value === usual) return [];
    if (value === true || (mayBeBare && value === '')) return [`--${option}`];
    return [value]
      .flat()
      .map(String)
      .map((each) => `--${option} ${shellWord(typeof repeats === 'function' ? repeats(each) : each)}`);
  });
  return [`petstore-conformance ${name}`, ...words].join(' ');
}
