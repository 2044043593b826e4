import type { Argv } from 'yargs';
import { examples } from './help.js';
import { runOptions } from './run-options.js';
import { text } from './option-kinds.js';

/** The options of `watch`, as yargs reads them: those of `run`, and a folder. */
export const watchOptions = <Before>(yargs: Argv<Before>) =>
  runOptions(yargs)
    .option('watch-dir', text('A folder; a change below it, but for node_modules, .git and reports, runs again'))
    .group(['watch-dir'], 'When')
    .epilogue(
      [
        'Runs the suites, then what was open again whenever a file changes, the server',
        'listens again after a restart, or Enter is pressed; everything again once',
        'nothing is open. Load only with --only load or --profile. Ctrl-C ends it.',
        '',
        examples([['watch --target mine.yaml --watch-dir src', 'mend, save, look']]),
      ].join('\n'),
    );
