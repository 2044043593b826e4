import type { Argv } from 'yargs';
import { type KeyName, keyNames } from '../contract/plan-names.js';
import { examples } from './help.js';
import { targetOptions } from './target-options.js';
import { flag, text, type ArgumentsOf } from './option-kinds.js';

/** The options of `init`, as yargs reads them. */
export const initOptions = <Before>(yargs: Argv<Before>) =>
  yargs
    .positional('file', { type: 'string', default: 'target.yaml', describe: 'The file to write' })
    .option('base-url', targetOptions['base-url'])
    .option('plan', {
      choices: keyNames,
      array: true,
      requiresArg: true,
      nargs: 1,
      default: [] as KeyName[],
      describe: 'A plan whose key is in PETSTORE_PLAN_KEY',
    })
    .option('key', {
      ...targetOptions.key,
      describe: "PLAN='${NAME}' or PLAN=file:PATH, where it is elsewhere; a key itself is never written",
    })
    .option('enterprise', text('PERMINUTE/PERDAY, the figures agreed for an Enterprise key'))
    .option('production', flag('Real clients depend on the server'))
    .option('read-only', flag('No animal may be created there'))
    .option('force', flag('Write over a file that is there'))
    .epilogue(
      [
        'On a terminal it asks for what no option says, and offers the variables that',
        'are set. No key is written: only where each is to be read from.',
        '',
        examples([
          ['init', 'asks, and writes target.yaml'],
          ['init staging.yaml --base-url https://staging.example.com/v1 --plan free', 'asks nothing'],
        ]),
      ].join('\n'),
    );

/** What `init` was asked for. */
export type InitArguments = ArgumentsOf<typeof initOptions<unknown>>;
