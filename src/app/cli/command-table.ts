import { OPTIONS, type Arguments } from './command-options.js';
import type { Io } from './io.js';
import type { Options } from './options.js';

export type Example = readonly [command: string, says: string];

export interface Command {
  readonly name: string;
  /** Its arguments, as in the overview. */
  readonly rest?: string;
  readonly purpose: string;
  readonly title?: string;
  readonly options: Options;
  /** Help text below the options. */
  readonly notes?: readonly string[];
  readonly examples?: readonly Example[];
  /** Loads and runs the command; typos are reported before. */
  readonly run: (args: never, io: Io) => Promise<number>;
}

const command = <Name extends keyof typeof OPTIONS>(
  name: Name,
  about: Omit<Command, 'name' | 'run' | 'options'> & {
    readonly load: () => Promise<{
      readonly command: (args: Arguments<Name>, io: Io) => number | Promise<number>;
    }>;
  },
): Command => ({
  ...about,
  name,
  options: OPTIONS[name],
  run: async (args: Arguments<Name>, io) => (await about.load()).command(args, io),
});

export const COMMAND_GROUPS: readonly (readonly [title: string, commands: readonly Command[]])[] = [
  [
    'Judge a server',
    [
      command('init', {
        rest: '[FILE]',
        purpose: 'Write a target file: the server, and where its keys are',
        title: 'Write a target file',
        notes: [
          'On a terminal it asks for missing options, and suggests environment variables',
          'that are set. It never writes a key, only the place of each key.',
        ],
        examples: [
          ['init', 'asks, and writes target.yaml'],
          ['init staging.yaml --base-url https://staging.example.com/v1 --plan free', 'asks nothing'],
        ],
        load: () => import('./init-command.js'),
      }),
      command('doctor', {
        purpose: 'Check whether a run can start, and what it would send',
        title: 'Check a server with each key, and show what a run would send',
        notes: [
          'Sends one request with each key, judges nothing, and ends within three',
          'seconds. Exit code 0: a run can start. 3: it cannot, or a key is refused.',
        ],
        examples: [['doctor --target staging.yaml', 'before the first run, or if a run did not start']],
        load: () => import('./doctor-command.js'),
      }),
      command('run', {
        purpose: 'Test a server against the interface; default: the embedded server',
        title: 'Judge a server',
        examples: [
          ["run --base-url http://127.0.0.1/v1 --key free='${KEY}'", 'one key; the kit reads the variable'],
          ['run --target staging.yaml --only suites', 'without load, in a few seconds'],
          [
            "run --target staging.yaml --requirement 'list-*'",
            'some requirements, with only the requests that they need',
          ],
          ['run --target staging.yaml --last-failed', 'requirements that earlier runs left open'],
          [
            'run --target staging.yaml --certify',
            'everything, with a certificate or the reasons against one',
          ],
        ],
        load: () => import('./run-command.js'),
      }),
      command('client', {
        rest: '-- COMMAND',
        purpose: 'Judge a client: what it sends, and how it waits',
        title: 'Judge a client against the reference server',
        notes: [
          'Starts the command once for each scenario, with PETSTORE_BASE_URL,',
          'PETSTORE_API_KEY and PETSTORE_SCENARIO. What it prints and its exit code decide',
          'nothing. It ends after 60 seconds. docs/client.md shows a client of ten lines.',
        ],
        examples: [
          ['client -- npm test', 'all scenarios, in about 20 seconds'],
          ['client --scenario limited -- node my-client.js', 'one scenario'],
          ['client --listen', 'point an app at the printed address; Ctrl-C ends and judges'],
        ],
        load: () => import('./client.js'),
      }),
      command('judge', {
        rest: 'FILE...',
        purpose: 'Judge recorded traffic (HAR): the service, and its client',
        title: 'Judge recorded traffic',
        notes: [
          'Reads HAR 1.2 as browsers, proxies and libraries write it, also gzipped, of any',
          'size. What a recorder left out is not judged. A requirement that the traffic',
          'does not show is listed as such. Exit code 0: nothing red was seen, which is no',
          'conformity. 3: no request was for the service, a file was cut short or missing.',
        ],
        examples: [
          ['judge traffic.har', 'both sides'],
          ['judge traffic.har --side client', 'only what the client sent, and when'],
          ['judge a.har b.har.gz --base-url https://staging.example.com/v1', 'one of several addresses'],
        ],
        load: () => import('./judge-command.js'),
      }),
      command('proxy', {
        rest: '[-- COMMAND]',
        purpose: 'Stand in front of a server, and judge both sides of real traffic',
        title: 'Judge a server and its clients by the traffic between them',
        notes: [
          'Passes everything on, until Ctrl-C or the end of the command. The command gets',
          'PETSTORE_BASE_URL, PETSTORE_API_KEY and PETSTORE_SCENARIO. Requests keep their',
          'headers, except those of the connection; no Via is added. Exit code 0: nothing',
          'red was seen, which is no conformity.',
        ],
        examples: [
          ['proxy --target staging.yaml', 'point an app at the printed address; Ctrl-C ends and judges'],
          ['proxy --target staging.yaml -- npm test', 'the traffic of one command'],
          [
            'proxy --target staging.yaml --refuse refusals.yaml -- npm test',
            'with refusals, to see how it waits',
          ],
        ],
        load: () => import('./proxy-command.js'),
      }),
      command('watch', {
        purpose: 'Re-run unmet requirements on every change',
        title: 'Judge a server again after every change',
        notes: [
          'Runs the suites. Then runs the open requirements again when a file changes, the',
          'server restarts, or you press Enter; runs everything again once nothing is',
          'open. Sends load only with --only load or --profile. Ctrl-C ends it.',
        ],
        examples: [['watch --target mine.yaml --watch-dir src', 'change the code, save, see the result']],
        load: () => import('./watch-command.js'),
      }),
      command('requirements', {
        rest: '[ID]',
        purpose: 'List the requirements, or explain one',
        load: () => import('./requirements-command.js'),
      }),
      command('serve', {
        purpose: 'Start the reference server, correct or with chosen flaws',
        title: 'Start the reference server',
        load: () => import('./serve-command.js'),
      }),
    ],
  ],
  [
    'Compare and decide',
    [
      command('compare', {
        rest: 'A B',
        purpose: 'Show the changes between two runs',
        examples: [
          [
            'compare reports/LAST-NIGHT reports/TONIGHT --out changes',
            'the changes, also as changes.html and changes.md',
          ],
        ],
        load: () => import('./compare-command.js'),
      }),
      command('comment', {
        rest: '[RUN]',
        purpose: 'Write a run’s result as a comment on a pull request of GitHub',
        title: 'Write the result of a run as a comment on the pull request of this job',
        notes: [
          'Edits the comment of an earlier run. Reads the variables of GitHub Actions and',
          'the token in GITHUB_TOKEN, which needs pull-requests: write. Always ends with 0.',
        ],
        load: () => import('./comment-command.js'),
      }),
      command('history', {
        rest: 'DIR',
        purpose: 'Show all runs of a folder on one page',
        examples: [
          ['history reports', 'writes reports/history.html'],
          ['history reports --keep 90', 'keeps the newest 90 runs of each target'],
        ],
        load: () => import('./history-command.js'),
      }),
      command('baseline', {
        rest: 'create RUN',
        purpose: 'Draft a file of accepted deviations from a run',
        examples: [
          [
            'baseline create reports/LAST-NIGHT --out known.yaml --expires 2031-01-31',
            'then add the reasons, and run with --baseline known.yaml',
          ],
        ],
        load: () => import('./baseline-command.js'),
      }),
      command('verify', {
        rest: 'CERTIFICATE',
        purpose: 'Check a certificate against its log',
        title: 'Check a certificate, or its in-toto Statement, against its log',
        load: () => import('./verify-command.js'),
      }),
      command('register', {
        rest: 'DIR',
        purpose: 'Show all certificates of a folder on one page, each verified again',
        title: 'Verify all certificates of a folder, and show them on one page',
        notes: [
          'Exit code 1: a certificate is broken. 3: another version of the kit made one, so',
          'this version cannot check it, or a folder cannot be read. Expired certificates',
          'are only marked. Each certificate counts once, in however many folders it is.',
        ],
        examples: [['register certificates', 'writes certificates/register.html and register.json']],
        load: () => import('./register-command.js'),
      }),
      command('report', {
        rest: 'LOG|DIR',
        purpose: 'Write the reports of a run again, without a server',
        title: 'Write the reports again from a log or its folder',
        load: () => import('./report-command.js'),
      }),
    ],
  ],
  [
    'Put load on a server',
    [
      command('load', {
        purpose: 'Send a scenario, and check every response',
        title: 'Send a scenario to a server, and check every response',
        load: () => import('./load-command.js'),
      }),
      command('agent', {
        purpose: 'Send parts of the runs that the command load starts',
        title: 'Send parts of the runs that the command load starts, connected through Redis',
        load: () => import('./fleet-command.js'),
      }),
    ],
  ],
  [
    'The kit itself',
    [
      command('selftest', {
        purpose: 'Test the kit on every known flaw and every conformant variant',
        title: 'Test the kit on servers with and without flaws',
        load: () => import('../../proof/selftest/selftest-command.js'),
      }),
    ],
  ],
];

export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  COMMAND_GROUPS.flatMap(([, commands]) => commands.map((one) => [one.name, one])),
);
