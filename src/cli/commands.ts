import yargs from 'yargs';
import { kitVersion } from '../contract/package-root.js';
import { doctorOptions } from './doctor-options.js';
import { guard } from './door.js';
import { EXIT_USAGE, explainError } from './explain-error.js';
import { asksForOverview, overview } from './help.js';
import { initOptions } from './init-options.js';
import { line, type Io } from './io.js';
import { loadOptions, prefixOption, redisOption } from './load-options.js';
import { mergeOptions } from './merge-options.js';
import { runCommandOptions } from './run-options.js';
import { noneTwice, usageError } from './usage.js';
import { watchOptions } from './watch-options.js';
import { flag, number, reportUrlOption, text, texts } from './option-kinds.js';

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 0 && port < 65_536;
const isCount = (runs: number): boolean => Number.isInteger(runs) && runs >= 1;
const isLength = (seconds: number): boolean => Number.isFinite(seconds) && seconds > 0;

const seconds = (name: string, describe: string) => number(name, describe, isLength, 'a number of seconds above 0');

const KEEP =
  'Before that, remove the runs older than the newest N of each target; never one with a certificate, or with a file that no run has written';

/** Runs what the words of a command line say, tells of what went wrong, and gives the exit code. */
export async function runWords(words: readonly string[], io: Io): Promise<number> {
  for (const stream of [io.out, io.err]) guard(stream, io.env);
  try {
    if (!asksForOverview(words)) return await parsed(words, io);
    for (const text of overview()) line(io.out, text);
    return 0;
  } catch (error) {
    tellError(error, words, io);
    return EXIT_USAGE;
  }
}

/** Says what went wrong, with the stack where the words ask for it. */
export function tellError(error: unknown, words: readonly string[], io: Io): void {
  for (const text of explainError(error, words.includes('--verbose'))) line(io.err, text);
}

async function parsed(words: readonly string[], io: Io): Promise<number> {
  let code = 0;
  /** A command's handler, loaded when it is called so that a slip of the hand is answered at once. */
  const handle =
    <Arguments>(load: () => Promise<(args: Arguments, io: Io) => number | Promise<number>>) =>
    async (args: Arguments): Promise<void> => {
      const command = await load();
      code = await command(args, io);
    };

  await yargs(words)
    .scriptName('petstore-conformance')
    .usage('$0 <command>\n\nTells whether a server is the Pet Store service that its interface document describes.')
    .option('verbose', flag('Every requirement, every request, and the stack of an error'))
    .command(
      'run',
      'Judge a server',
      (command) => runCommandOptions(command),
      handle(async () => (await import('./run-command.js')).runCommand),
    )
    .command(
      'watch',
      'Judge a server again and again, while somebody works on it',
      (command) => watchOptions(command),
      handle(async () => (await import('./watch-command.js')).watchCommand),
    )
    .command(
      'load',
      'Put a scenario’s load on a server, and check every answer',
      (command) => loadOptions(command),
      handle(async () => (await import('./load-command.js')).loadCommand),
    )
    .command(
      'agent',
      'Send parts of load runs that others start, by way of a Redis',
      (command) =>
        command
          .option('redis', { ...redisOption })
          .option('redis-prefix', { ...prefixOption })
          .option('name', text('What it is called in reports'))
          .option('allow-loopback', flag('Send to this machine, whoever gives the work')),
      handle(async () => (await import('./agent-command.js')).agentCommand),
    )
    .command(
      'merge <dirs..>',
      'Put the parts of a run, or of a load run, together, and judge the whole',
      (command) => mergeOptions(command),
      handle(async () => (await import('./merge-command.js')).mergeCommand),
    )
    .command(
      'init [file]',
      'Write a target file',
      (command) => initOptions(command),
      handle(async () => (await import('./init-command.js')).initCommand),
    )
    .command(
      'doctor',
      'Look at a server with each key, and say what a run would send',
      (command) => doctorOptions(command),
      handle(async () => (await import('./doctor-command.js')).doctorCommand),
    )
    .command(
      'serve',
      'Start the reference server',
      (command) =>
        command
          .option('port', {
            ...number('port', '0 for a free one', isPort, 'a whole number from 0 to 65535'),
            default: 0,
          })
          .option('list', flag('Name all flaws and variants, and start nothing'))
          .option('flaw', texts('A mistake to make'))
          .option('variant', texts('A conformant way to differ'))
          .option('minute', { ...seconds('minute', 'Seconds of the minute’s window'), default: 60 })
          .option('day', { ...seconds('day', 'Seconds of the day’s window'), default: 86_400 })
          .option('keys-from-env', flag('Take the keys from PETSTORE_PLAN_KEY where these are set')),
      handle(async () => (await import('./serve-command.js')).serveCommand),
    )
    .command(
      'selftest',
      'Prove the kit on broken and on sound servers',
      (command) =>
        command
          .option('server', texts('A flaw or a variant'))
          .option('half', {
            choices: ['suites', 'load', 'explore'] as const,
            requiresArg: true,
            describe: 'One half of the kit, or exploring',
          })
          .option('markdown', text('Write the matrix to this file'))
          .option('proof', text('Write the result as the data that reports show')),
      handle(async () => (await import('./selftest-command.js')).selftestCommand),
    )
    .command(
      'requirements [id]',
      'What is judged, or one requirement as a card',
      (command) =>
        command
          .positional('id', { type: 'string' })
          .option('ledger', text('The ledger of own suites, to be listed as well')),
      handle(async () => (await import('./requirements-command.js')).requirementsCommand),
    )
    .command(
      'report <path>',
      'Render again from a log or its folder',
      (command) => command.positional('path', { type: 'string', demandOption: true }),
      handle(async () => (await import('./report-command.js')).reportCommand),
    )
    .command(
      'compare <before> <after>',
      'What changed between two runs',
      (command) =>
        command
          .positional('before', { type: 'string', demandOption: true })
          .positional('after', { type: 'string', demandOption: true })
          .option('out', text('Write FILE.html and FILE.md as well'))
          .example('$0 compare reports/LAST-NIGHT reports/TONIGHT --out changes', 'What is worse, as changes.html too'),
      handle(async () => (await import('./compare-command.js')).compareCommand),
    )
    .command(
      'history <dir>',
      'All runs of a folder on one page',
      (command) =>
        command
          .positional('dir', { type: 'string', demandOption: true })
          .option('keep', number('keep', KEEP, isCount, 'a whole number of runs from 1'))
          .option('report-url', reportUrlOption)
          .option('dry-run', flag('Name what --keep would remove, and write nothing'))
          .example('$0 history reports', 'Writes reports/history.html')
          .example('$0 history reports --keep 90', 'The newest 90 runs of each target stay'),
      handle(async () => (await import('./history-command.js')).historyCommand),
    )
    .command(
      'baseline create <run>',
      'A baseline of a run’s deviations, to be filled in',
      (command) =>
        command
          // A word of the command's own name, which yargs takes for a value.
          .positional('create', { type: 'string', demandOption: true, describe: 'This word' })
          .positional('run', {
            type: 'string',
            demandOption: true,
            describe: 'The folder of a run, or its results.json',
          })
          .option('out', {
            type: 'string',
            default: 'baseline.yaml',
            requiresArg: true,
            describe: 'The file to write; one that is there is never written over',
          })
          .option('expires', text('The last day of every entry, YYYY-MM-DD; without it 30 days from now'))
          .example(
            '$0 baseline create reports/LAST-NIGHT --out known.yaml --expires 2031-01-31',
            'Then fill in why, and run with --baseline known.yaml',
          ),
      handle(async () => (await import('./baseline-command.js')).baselineCommand),
    )
    .command(
      'verify <certificate>',
      'A certificate, or its in-toto Statement, against its log',
      (command) =>
        command
          .positional('certificate', { type: 'string', demandOption: true })
          .option('log', text('The log, if it lies elsewhere')),
      handle(async () => (await import('./verify-command.js')).verifyCommand),
    )
    .demandCommand(1, 'Name a command.')
    .strictCommands()
    .strictOptions()
    .check(noneTwice)
    .version(kitVersion())
    .wrap(Math.min(io.out.columns ?? 80, 100))
    .exitProcess(false)
    .fail((message, error: Error | undefined) => {
      // What an option's own check throws comes wrapped by yargs, with its message kept.
      throw error === undefined || error.name === 'YError' ? usageError(error?.message ?? message, words) : error;
    })
    .parseAsync();
  return code;
}
