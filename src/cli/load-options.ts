import type { Argv } from 'yargs';
import { targetOptions } from './target-options.js';
import { numberOf } from './usage.js';

/** What stands in no command that repeats a run, because it goes without saying. */
export const USUAL_PREFIX = 'petstore-conformance';
export const USUAL_WAIT = 30;

/** Where agents and whoever starts runs meet. */
export const redisOption = {
  type: 'string',
  requiresArg: true,
  describe: "redis[s]://[USER:PASSWORD@]HOST[:PORT], or '${NAME}' for a variable that holds it",
} as const;

/** What all names in Redis begin with. */
export const prefixOption = {
  type: 'string',
  requiresArg: true,
  default: USUAL_PREFIX,
  describe: 'What all names in Redis begin with; the same for agents and load',
} as const;

/** The options of `load`, as yargs reads them. */
export const loadOptions = <Before>(yargs: Argv<Before>) =>
  yargs
    .option('scenario', {
      type: 'string',
      requiresArg: true,
      describe: 'A file that says what is sent; a built-in one if absent',
    })
    .options(targetOptions)
    .option('read-only', { type: 'boolean', default: false, describe: 'Send nothing that would create an animal' })
    .option('dry-run', { type: 'boolean', default: false, describe: 'Print the schedule and send nothing' })
    .option('slice', { type: 'string', requiresArg: true, describe: 'I/N: this part of N only' })
    .option('start-at', {
      type: 'string',
      requiresArg: true,
      describe: 'When the first phase begins, e.g. 2026-11-22T10:00:00Z',
    })
    .option('agents', { type: 'number', requiresArg: true, describe: 'Send from so many agents, by way of --redis' })
    .option('wait', {
      type: 'number',
      default: USUAL_WAIT,
      requiresArg: true,
      describe: 'Seconds in which all agents have to be there',
      coerce: numberOf('wait', (seconds) => seconds > 0 && seconds <= 3600, 'a number of seconds from 1 to 3600'),
    })
    .option('redis', { ...redisOption })
    .option('redis-prefix', { ...prefixOption })
    .option('report-dir', {
      type: 'string',
      requiresArg: true,
      describe: 'The folder to write into, instead of a new one in reports/',
    })
    .option('allow-load-on-production', {
      type: 'boolean',
      default: false,
      describe: 'Permit load on a target marked production',
    })
    .option('reporter', {
      choices: ['auto', 'list', 'github', 'quiet'] as const,
      default: 'auto' as const,
      requiresArg: true,
      describe: 'How to print',
    });

/** What `load` was asked for. */
export interface LoadArguments {
  readonly scenario?: string | undefined;
  readonly target?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly key: readonly string[];
  readonly readOnly: boolean;
  readonly dryRun: boolean;
  readonly slice?: string | undefined;
  readonly startAt?: string | undefined;
  readonly agents?: number | undefined;
  readonly wait: number;
  readonly redis?: string | undefined;
  readonly redisPrefix: string;
  readonly reportDir?: string | undefined;
  readonly allowLoadOnProduction: boolean;
  readonly reporter: 'auto' | 'list' | 'github' | 'quiet';
  readonly verbose: boolean;
}
