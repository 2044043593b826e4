import { randomInt } from 'node:crypto';
import yargs from 'yargs';
import { HUNT_NAMES, type HuntName } from './hunt.js';

export interface HuntOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly only: readonly HuntName[];
  /** Case as JSON, judged in place of a search. */
  readonly replay?: string | undefined;
}

/** Short enough to run with the tests. */
const MINUTES = 2;

/** Reads the command line. Throws on unknown options. */
export async function readOptions(words: readonly string[]): Promise<HuntOptions> {
  const { minutes, seed, only, replay } = await yargs([...words])
    .scriptName('npm run hunt --')
    .usage('$0\n\nLooks for servers that the kit gets wrong, and makes what it finds as small as it can be.')
    .option('minutes', { type: 'number', default: MINUTES, requiresArg: true, describe: 'How long to look' })
    .option('seed', { type: 'number', requiresArg: true, describe: 'The same seed, the same cases' })
    .option('only', { choices: HUNT_NAMES, array: true, requiresArg: true, describe: 'Some of the hunts' })
    .option('replay', {
      type: 'string',
      requiresArg: true,
      describe: 'A case of one hunt, to be judged again',
    })
    .check(({ minutes, seed, replay, only }) => {
      if (!(minutes > 0)) throw new Error('--minutes takes a number above 0');
      if (seed !== undefined && !Number.isSafeInteger(seed)) throw new Error('--seed takes a whole number');
      if (replay !== undefined && only?.length !== 1) throw new Error('--replay takes --only with one hunt');
      return true;
    })
    .strict()
    .exitProcess(false)
    .fail((message, error: Error | undefined) => {
      throw error ?? new Error(message);
    })
    .parseAsync();
  return { minutes, seed: seed ?? randomInt(2 ** 31), only: only ?? HUNT_NAMES, replay };
}
