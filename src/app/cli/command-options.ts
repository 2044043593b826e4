import { clientScenarios, keyNames } from '../../base/interface/names.js';
import {
  judging,
  ONCE,
  only,
  properties,
  reportDir,
  reporter,
  reportUrl,
  server,
  SHOWN,
} from './command-run-options.js';
import { flag, number, place, text, texts, type ArgumentsOf } from './options.js';

/*
 * The options of all commands: for the parser, the help, suggestions, the types of arguments, and lines that repeat a run
 * (`command-line.ts`).
 */

const BEHIND = { isPlace: true, isBehind: true } as const;

const LENGTH = {
  isRight: (seconds: number): boolean => Number.isFinite(seconds) && seconds > 0,
  which: 'a number of seconds above 0',
};

const port = number('Port to listen at; 0 for a free one', {
  check: {
    isRight: (given) => Number.isInteger(given) && given >= 0 && given < 65_536,
    which: 'a whole number from 0 to 65535',
  },
  usual: 0,
});

const redis = text(
  "The Redis server: redis[s]://[USER:PASSWORD@]HOST[:PORT], or '${NAME}' for an environment variable",
  { repeatsAs: withoutPassword },
);
const redisPrefix = text('Prefix of all names in Redis; the same for agents and load', {
  usual: 'petstore-conformance',
});

/** The options of each command, and its arguments, in the order of its help. */
export const OPTIONS = {
  run: { ...server, only, ...judging },
  watch: {
    ...server,
    only,
    ...judging,
    'watch-dir': text('Run again on a change in this folder, except in node_modules, .git and reports', {
      group: 'When',
    }),
  },
  load: {
    scenario: text('A scenario file; default: the built-in scenario'),
    ...server,
    'read-only': judging['read-only'],
    'dry-run': flag('Print the schedule and send nothing', ONCE),
    find: texts(
      "Find the highest rate that holds this, e.g. 'p99 < 250ms'; the scenario gives only the requests",
    ),
    'find-most': text('The highest rate to try', { usual: '2000/s' }),
    workers: text('Send from this many processes of this machine, or auto: one less than its cores'),
    agents: number('Send from this many agents, connected through --redis'),
    redis,
    'redis-prefix': redisPrefix,
    wait: number('Seconds in which all agents must connect', {
      check: {
        isRight: (seconds) => seconds >= 1 && seconds <= 3600,
        which: 'a number of seconds from 1 to 3600',
      },
      usual: 30,
    }),
    out: text('A new file with each second and each request; the extension selects NDJSON or CSV', ONCE),
    otlp: text('Send metrics to this OpenTelemetry collector, e.g. http://localhost:4318', ONCE),
    label: text('The build of the server, e.g. 2.4.1', ONCE),
    'report-dir': reportDir,
    'allow-load-on-production': flag('Permit load on a target marked as production'),
    reporter,
  },
  agent: {
    redis,
    'redis-prefix': redisPrefix,
    name: text('The name of the agent in reports'),
    'allow-loopback': flag('Permit load on this machine'),
  },
  init: {
    file: text('The file to write', { isPlace: true, usual: 'target.yaml' }),
    'base-url': server['base-url'],
    plan: texts('A plan whose key is in its usual variable, e.g. PETSTORE_FREE_KEY', { choices: keyNames }),
    key: texts("PLAN='${NAME}' or PLAN=file:PATH, for another place; the key itself is never written"),
    enterprise: text('PERMINUTE/PERDAY, the limits agreed for an Enterprise key'),
    production: flag('Real clients depend on the server'),
    'read-only': flag('Runs create no animal on the server'),
    force: flag('Overwrite an existing file'),
  },
  doctor: {
    ...server,
    'read-only': flag('Plan a run that creates no animal'),
    'allow-load-on-production': flag('Plan a run with bursts on a target marked as production'),
  },
  serve: {
    port,
    list: flag('List all flaws and variants, and start nothing'),
    flaw: texts('A flaw of the server; --list names all'),
    variant: texts('A conformant variant of the server; --list names all'),
    minute: number('Seconds of the minute’s window', { check: LENGTH, usual: 60 }),
    day: number('Seconds of the day’s window', { check: LENGTH, usual: 86_400 }),
    'keys-from-env': flag('Use keys from environment variables, e.g. PETSTORE_FREE_KEY, if these are set'),
  },
  client: {
    scenario: texts('Only this scenario; by default all', { choices: clientScenarios, usual: undefined }),
    listen: flag('Play one scenario, by default limited, until Ctrl-C, and judge what comes'),
    name: text('The name of the client in reports; default: the name in package.json, or the command', ONCE),
    'report-dir': reportDir,
    reporter,
    words: { ...texts('The command that starts the client, behind --'), ...BEHIND },
  },
  judge: {
    files: { ...texts('HAR files; each is its own record'), isPlace: true, isRequired: true },
    side: text('The side of the wire to judge', { choices: ['service', 'client', 'both'], usual: 'both' }),
    'base-url': text('The address of the service; default: the only one ending with /v1 that got a key'),
    'report-dir': reportDir,
    reporter,
  } as const,
  proxy: {
    ...server,
    port,
    host: text('Address to listen at; other machines can reach one that is not loopback', {
      usual: '127.0.0.1',
    }),
    'keep-host': flag('Pass on the Host that the client sends, instead of the target’s'),
    refuse: text('A file of refusals that the first requests of each key get, so that waiting is seen'),
    'report-dir': reportDir,
    reporter,
    words: { ...texts('The command to run through the proxy, behind --'), ...BEHIND },
  },
  selftest: {
    server: texts('A flaw, a variant or a client'),
    half: text('Only servers that need the suites, load or exploring', {
      choices: ['suites', 'load', 'explore'],
    }),
    markdown: text('Write the matrix to this file'),
    proof: text('Write the result to this file, as data for reports'),
  },
  requirements: {
    id: text('A requirement to explain', { isPlace: true }),
    ledger: text('The ledger of your own suites, to list too'),
    format: text('Print the whole ledger as a table for other programs', {
      choices: ['csv', 'json'],
      usual: undefined,
    }),
  },
  report: {
    path: place('A log, or the folder of a run'),
    properties,
    format: text('Print each requirement with its outcome and evidence instead', {
      choices: ['csv'],
      usual: undefined,
    }),
  },
  compare: {
    before: place('The earlier run: its folder or its results.json'),
    after: place('The later run'),
    out: text('Also write the changes to OUT.html and OUT.md'),
    baseline: texts(
      'Of load runs: one more earlier run; repeat it for several, so that one lucky night is no yardstick',
    ),
    'fail-if': texts("Of load runs: fail if the later is surely slower, e.g. 'p99 slower than 5%'"),
  },
  comment: {
    run: text('The folder of the run; without it or its results, the comment says that nothing was judged', {
      isPlace: true,
    }),
    before: text('The folder with the results.json of the base branch’s last run'),
    slot: text('A name that no other comment of the kit on the pull request has', { usual: 'run' }),
    link: text('The address of the reports; default: that of the job'),
    'exit-code': number('Exit code of the run, for one without results'),
  },
  history: {
    dir: place('The folder with the run folders'),
    keep: number(
      'First remove all but the newest N runs of each target; keep runs with a certificate or with a file that no run wrote',
      {
        check: {
          isRight: (runs) => Number.isInteger(runs) && runs >= 1,
          which: 'a whole number of runs from 1',
        },
      },
    ),
    'report-url': reportUrl,
    'dry-run': flag('List the runs that --keep would remove, and write nothing'),
  },
  baseline: {
    // A word of the command's name.
    create: { ...place(), choices: ['create'] },
    run: place('The folder of a run, or its results.json'),
    out: text('The file to write; an existing file is never overwritten', { usual: 'baseline.yaml' }),
    expires: text('The last day of every entry, YYYY-MM-DD; default: in 30 days'),
  },
  verify: {
    certificate: place('A certificate.json or certificate.intoto.json'),
    log: text('The log, if it is in another folder'),
    'max-age': text('Fail if the run is older: days or weeks, e.g. 30d'),
    'allow-expired': flag('Accept a certificate whose time has ended, or that is older than --max-age'),
    'as-of': text('The date, YYYY-MM-DD, at which to judge its age; default: today'),
  },
  register: {
    dir: place('A folder or a checkout with certificates, each next to its log'),
    out: text('The folder for register.html and register.json; default: DIR'),
    'as-of': text('The date, YYYY-MM-DD, at which to judge ages; default: today'),
  },
};

export type Arguments<Name extends keyof typeof OPTIONS> = ArgumentsOf<(typeof OPTIONS)[Name]>;

export const VERBOSE = flag('Show every requirement, every request, and the stack of an error', SHOWN);

/** Returns a Redis address for display: a variable replaces one with a password. */
function withoutPassword(redis: string): string {
  const { username, password } = URL.canParse(redis) ? new URL(redis) : { username: '', password: '' };
  return username + password === '' ? redis : '${PETSTORE_REDIS_URL}';
}
