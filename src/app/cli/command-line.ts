import Parser from 'yargs-parser';
import { shellWord } from '../../base/kernel/visible.js';
import { hiddenInWords } from '../../wire/exchange/secret-words.js';
import { OPTIONS } from './command-options.js';
import type { Option } from './options.js';

/**
 * Returns the command that repeats a run of any kind, for pasting into a shell; a variable replaces a key in
 * clear. Secrets of a command behind `--` are masked by their names.
 */
export function commandLine(
  name: 'run' | 'load' | 'client' | 'judge' | 'proxy',
  args: Readonly<Record<string, unknown>>,
): string {
  const words = Object.entries<Option<unknown>>(OPTIONS[name]).flatMap(([option, how]) => {
    const value = args[Parser.camelCase(option)];
    const { isOnce, isPlace, isBehind, usual, mayBeBare, repeatsAs = (given) => given } = how;
    if (isOnce || value === undefined || value === usual) return [];
    if (value === true || (mayBeBare && value === '')) return [`--${option}`];
    const texts = [value].flat().map(String);
    const given = (isBehind ? hiddenInWords(texts) : texts).map((each) => shellWord(repeatsAs(each)));
    if (!isPlace) return given.map((each) => `--${option} ${each}`);
    return isBehind && given.length > 0 ? ['--', ...given] : given;
  });
  return [`petstore-conformance ${name}`, ...words].join(' ');
}
