import type { Argv } from 'yargs';

/** The options of `merge`, as yargs reads them. */
export const mergeOptions = <Before>(yargs: Argv<Before>) =>
  yargs
    .positional('dirs', { type: 'string', array: true, demandOption: true })
    .option('report-dir', {
      type: 'string',
      requiresArg: true,
      describe: 'The folder to write into, instead of a new one in reports/',
    })
    .option('baseline', {
      type: 'string',
      requiresArg: true,
      describe: 'A file of accepted deviations, for the parts of a run',
    })
    .option('certify', {
      type: 'boolean',
      default: false,
      describe: 'Write a certificate of the whole run, or say why there is none',
    })
    .option('notify', {
      type: 'string',
      requiresArg: true,
      describe: "An address that the verdict and what changed are posted to as JSON; '${NAME}' reads the environment",
    })
    .option('reporter', {
      choices: ['auto', 'list', 'github', 'quiet'] as const,
      default: 'auto' as const,
      requiresArg: true,
      describe: 'How to print',
    });

/** What `merge` was asked for. */
export interface MergeArguments {
  readonly dirs: readonly string[];
  readonly reportDir?: string | undefined;
  readonly baseline?: string | undefined;
  readonly certify: boolean;
  readonly notify?: string | undefined;
  readonly reporter: 'auto' | 'list' | 'github' | 'quiet';
  readonly verbose: boolean;
}
