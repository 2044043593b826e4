import type { Argv } from 'yargs';
import {
  flag,
  notifyOption,
  reportDirOption,
  reporterOption,
  reportUrlOption,
  text,
  type ArgumentsOf,
} from './option-kinds.js';

/** The options of `merge`, as yargs reads them. */
export const mergeOptions = <Before>(yargs: Argv<Before>) =>
  yargs
    .positional('dirs', { type: 'string', array: true, demandOption: true })
    .option('report-dir', reportDirOption)
    .option('baseline', text('A file of accepted deviations, for the parts of a run'))
    .option('certify', flag('Write a certificate of the whole run, or say why there is none'))
    .option('notify', notifyOption)
    .option('report-url', reportUrlOption)
    .option('reporter', reporterOption);

/** What `merge` was asked for. */
export type MergeArguments = ArgumentsOf<typeof mergeOptions<unknown>>;
