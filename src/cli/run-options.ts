import type { Argv } from 'yargs';
import { planNames } from '../contract/plan-names.js';
import { examples, type Example } from './help.js';
import { targetOptions } from './target-options.js';
import {
  flag,
  notifyOption,
  reportDirOption,
  reporterOption,
  reportUrlOption,
  text,
  texts,
  type ArgumentsOf,
} from './option-kinds.js';

/** The options of a run, as yargs reads them. */
export const runOptions = <Before>(yargs: Argv<Before>) =>
  yargs
    .options(targetOptions)
    .option('only', { choices: ['suites', 'load'] as const, requiresArg: true, describe: 'One half of the kit' })
    .option('requirement', texts('An id as requirements lists them, with * for any characters'))
    .option(
      'profile',
      texts('Of load: burst, recovery, window, steady, concurrent, ban or day-quota; or explore, with the suites'),
    )
    .option('plan', {
      choices: planNames,
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
    .option('seed', text('Where exploring starts, to have it the same again'))
    .option('replay', text('SEED:PATH, a story of exploring to perform again'))
    .option('explore-animals', text('The most animals that exploring leaves behind; 100'))
    .option('suite', {
      type: 'string',
      array: true,
      requiresArg: true,
      nargs: 1,
      describe: "Suites of your own beside the kit's: a file, a folder or a quoted pattern",
    })
    .option('ledger', text('What they judge; requirements.yaml beside them'))
    .option('own-decide', flag('They decide about the verdict and the exit code as well'))
    .option('read-only', flag('Send nothing that would create an animal'))
    .option('last-failed', flag('Only what earlier runs of this target left open, by repeating what showed it'))
    .option('dry-run', flag('Print the plan and send nothing'))
    .option('report-dir', reportDirOption)
    .option('baseline', text('A file of accepted deviations'))
    .option('label', text('The build of the server, e.g. 2.4.1: history tells by it what is flaky'))
    .option('notify', notifyOption)
    .option('report-url', reportUrlOption)
    .option('as-of', text('The date, YYYY-MM-DD, to judge the deprecated operation for'))
    .option('certify', flag('Write a certificate, or say why there is none'))
    .option('allow-load-on-production', flag('Permit bursts on a target marked production'))
    .option('reporter', reporterOption)
    .group(['target', 'base-url', 'key', 'read-only', 'allow-load-on-production'], 'The server')
    .group(['only', 'requirement', 'last-failed', 'profile', 'plan', 'include', 'as-of'], 'What is judged')
    .group(['explore', 'seed', 'replay', 'explore-animals'], 'Beyond the suites')
    .group(['suite', 'ledger', 'own-decide'], 'Suites of your own')
    .group(['baseline', 'certify', 'label', 'notify', 'report-url'], 'What follows from it')
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
    .option('shard', text('I/N: this part of N of the suites, the last with load; merge judges the whole'))
    .group(['shard'], 'What is judged')
    .epilogue(examples(EXAMPLES));

/** What `run` was asked for. */
export type RunArguments = ArgumentsOf<typeof runCommandOptions<unknown>>;
