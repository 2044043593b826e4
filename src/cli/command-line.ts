import { Parser } from 'yargs/helpers';
import { COMMANDS } from './command-table.js';

/** The command that repeats a run or a load run, pasteable into a shell; a key given in clear becomes a variable. */
export function commandLine(name: 'run' | 'load', args: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(COMMANDS.get(name)?.options ?? {}).flatMap(([option, { repeats, usual, mayBeBare }]) => {
    const value = args[Parser.camelCase(option)];
    if (!repeats || value === undefined || value === usual) return [];
    if (value === true || (mayBeBare && value === '')) return [`--${option}`];
    return [value]
      .flat()
      .map(String)
      .map((each) => `--${option} ${quoted(typeof repeats === 'function' ? repeats(each) : each)}`);
  });
  return [`petstore-conformance ${name}`, ...words].join(' ');
}

/** A word as a shell takes it for one. */
export const quoted = (word: string): string =>
  /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
