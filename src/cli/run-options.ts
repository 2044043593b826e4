import type { Argv } from 'yargs';
import { examples } from './help.js';
import type { Example } from './help.js';
import { targetOptions } from './target-options.js';

/** The options of a run, as yargs reads them. */
export const runOptions = <Before>(yargs: Argv<Before>) =>
  yargs
    .options(targetOptions)
    .option('only', { choices: ['suites', 'load'] as const, requiresArg: true, describe: 'One half of the kit' })
    .option('requirement', {
      type: 'string',
      array: true,
      requiresArg: true,
      nargs: 1,
      default: [] as string[],
      describe: 'An id as requirements lists them, with * for any characters',
    })
    .option('profile', {
      type: 'string',
      array: true,
      requiresArg: true,
      nargs: 1,
      default: [] as string[],
      describe: 'Of load: burst, recovery, window, steady, concurrent, ban or day-quota; or explore, with the suites',
    })
    .option('plan', {
      choices: ['free', 'pro', 'business', 'enterprise'] as const,
      array: true,
      requiresArg: true,
      nargs: 1,
      describe: 'A plan to put load on',
    })
    .option('include', {
      choices: ['ban', 'day-quota'] as const,
      array: true,
      requiresArg: true,
      nargs: 1,
      describe: 'A profile that runs only when asked for',
    })
    .option('explore', {
      type: 'string',
      describe: 'Search with so many requests more for what the suites cannot meet; a quarter of the plan’s minute',
    })
    .option('seed', {
      type: 'string',
      requiresArg: true,
      describe: 'Where exploring starts, to have it the same again',
    })
    .option('replay', {
      type: 'string',
      requiresArg: true,
      describe: 'SEED:PATH, a story of exploring to perform again',
    })
    .option('explore-animals', {
      type: 'string',
      requiresArg: true,
      describe: 'The most animals that exploring leaves behind; 40',
    })
    .option('suite', {
      type: 'string',
      array: true,
      requiresArg: true,
      nargs: 1,
      describe: "Suites of your own beside the kit's: a file, a folder or a quoted pattern",
    })
    .option('ledger', {
      type: 'string',
      requiresArg: true,
      describe: 'What they judge; requirements.yaml beside them',
    })
    .option('own-decide', {
      type: 'boolean',
      default: false,
      describe: 'They decide about the verdict and the exit code as well',
    })
    .option('read-only', { type: 'boolean', default: false, describe: 'Send nothing that would create an animal' })
    .option('last-failed', {
      type: 'boolean',
      default: false,
      describe: 'Only what the newest run of this target did not pass',
    })
    .option('dry-run', { type: 'boolean', default: false, describe: 'Print the plan and send nothing' })
    .option('report-dir', {
      type: 'string',
      requiresArg: true,
      describe: 'The folder to write into, instead of a new one in reports/',
    })
    .option('baseline', { type: 'string', requiresArg: true, describe: 'A file of accepted deviations' })
    .option('label', {
      type: 'string',
      requiresArg: true,
      describe: 'The build of the server, e.g. 2.4.1: history tells by it what is flaky',
    })
    .option('notify', {
      type: 'string',
      requiresArg: true,
      describe: "An address that the verdict and what changed are posted to as JSON; '${NAME}' reads the environment",
    })
    .option('as-of', {
      type: 'string',
      requiresArg: true,
      describe: 'The date, YYYY-MM-DD, to judge the deprecated operation for',
    })
    .option('certify', { type: 'boolean', default: false, describe: 'Write a certificate, or say why there is none' })
    .option('allow-load-on-production', {
      type: 'boolean',
      default: false,
      describe: 'Permit bursts on a target marked production',
    })
    .option('reporter', {
      choices: ['auto', 'list', 'github', 'quiet'] as const,
      default: 'auto' as const,
      requiresArg: true,
      describe: 'How to print',
    })
    .group(['target', 'base-url', 'key', 'read-only', 'allow-load-on-production'], 'The server')
    .group(['only', 'requirement', 'last-failed', 'profile', 'plan', 'include', 'as-of'], 'What is judged')
    .group(['explore', 'seed', 'replay', 'explore-animals'], 'Beyond the suites')
    .group(['suite', 'ledger', 'own-decide'], 'Suites of your own')
    .group(['baseline', 'certify', 'label', 'notify'], 'What follows from it')
    .group(['dry-run', 'reporter', 'report-dir', 'verbose', 'help', 'version'], 'What is shown');

/** Command lines to copy, and what for. */
const EXAMPLES: readonly Example[] = [
  ["run --base-url http://127.0.0.1/v1 --key free='${KEY}'", 'one key; the kit reads the variable'],
  ['run --target staging.yaml --only suites', 'without load: some seconds'],
  ["run --target staging.yaml --requirement 'list-*'", 'some requirements, and only what they need'],
  ['run --target staging.yaml --last-failed', 'what was open in the last run'],
  ['run --target staging.yaml --certify', 'the whole, with a certificate or the reasons against it'],
];

/** The options of `run` with command lines to copy. */
export const runCommandOptions = <Before>(yargs: Argv<Before>) =>
  runOptions(yargs)
    .option('shard', {
      type: 'string',
      requiresArg: true,
      describe: 'I/N: this part of N of the suites, the last with load; merge judges the whole',
    })
    .group(['shard'], 'What is judged')
    .epilogue(examples(EXAMPLES));

/** What `run` was asked for. */
export interface RunArguments {
  readonly target?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly key: readonly string[];
  readonly only?: 'suites' | 'load' | undefined;
  readonly requirement: readonly string[];
  readonly profile: readonly string[];
  readonly plan?: readonly ('free' | 'pro' | 'business' | 'enterprise')[] | undefined;
  readonly include?: readonly ('ban' | 'day-quota')[] | undefined;
  readonly explore?: string | undefined;
  readonly seed?: string | undefined;
  readonly replay?: string | undefined;
  readonly exploreAnimals?: string | undefined;
  readonly suite?: readonly string[] | undefined;
  readonly ledger?: string | undefined;
  readonly ownDecide?: boolean | undefined;
  readonly readOnly: boolean;
  readonly lastFailed: boolean;
  readonly shard?: string | undefined;
  readonly dryRun: boolean;
  readonly reportDir?: string | undefined;
  readonly baseline?: string | undefined;
  readonly label?: string | undefined;
  readonly notify?: string | undefined;
  readonly asOf?: string | undefined;
  readonly certify: boolean;
  readonly allowLoadOnProduction: boolean;
  readonly reporter: 'auto' | 'list' | 'github' | 'quiet';
  readonly verbose: boolean;
}
