import type { Argv } from 'yargs';
import { targetOptions } from './target-options.js';
import { flag, number, reportDirOption, reporterOption, text, type ArgumentsOf } from './option-kinds.js';

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

const isWait = (seconds: number): boolean => seconds >= 1 && seconds <= 3600;

/** The options of `load`, as yargs reads them. */
export const loadOptions = <Before>(yargs: Argv<Before>) =>
  yargs
    .option('scenario', text('A file that says what is sent; a built-in one if absent'))
    .options(targetOptions)
    .option('read-only', flag('Send nothing that would create an animal'))
    .option('dry-run', flag('Print the schedule and send nothing'))
    .option('slice', text('I/N: this part of N only'))
    .option('start-at', text('When the first phase begins, e.g. 2026-11-22T10:00:00Z'))
    .option('agents', { type: 'number', requiresArg: true, describe: 'Send from so many agents, by way of --redis' })
    .option('wait', {
      ...number('wait', 'Seconds in which all agents have to be there', isWait, 'a number of seconds from 1 to 3600'),
      default: USUAL_WAIT,
    })
    .option('redis', { ...redisOption })
    .option('redis-prefix', { ...prefixOption })
    .option('out', text('A new file for each second and each request, as NDJSON or CSV by its name’s end'))
    .option('otlp', text('Send metrics to this OpenTelemetry collector, e.g. http://localhost:4318'))
    .option('report-dir', reportDirOption)
    .option('allow-load-on-production', flag('Permit load on a target marked production'))
    .option('reporter', reporterOption);

/** What `load` was asked for. */
export type LoadArguments = ArgumentsOf<typeof loadOptions<unknown>>;
