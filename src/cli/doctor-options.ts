import type { Argv } from 'yargs';
import { examples } from './help.js';
import { targetOptions } from './target-options.js';
import { flag } from './option-kinds.js';

/** The options of `doctor`, as yargs reads them. */
export const doctorOptions = <Before>(yargs: Argv<Before>) =>
  yargs
    .options(targetOptions)
    .option('read-only', flag('As a run that creates no animal'))
    .option('allow-load-on-production', flag('As a run with bursts on a target marked production'))
    .epilogue(
      [
        'Sends one request with each key, judges nothing, and is done within three',
        'seconds: 0 where a run can start, 3 where it cannot or a key is refused.',
        '',
        examples([['doctor --target staging.yaml', 'before the first run, and when one did not start']]),
      ].join('\n'),
    );
