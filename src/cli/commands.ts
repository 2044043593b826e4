import { kitVersion } from '../contract/package-root.js';
import { guard } from './door.js';
import { EXIT_USAGE, explainError } from './explain-error.js';
import { helpOf, overview } from './help.js';
import { line, type Io } from './io.js';
import { parseWords } from './parse-words.js';

/** Wider than this no help is read, in characters. */
const WIDEST = 100;

/** Runs what the words of a command line say, tells of what went wrong, and gives the exit code. */
export async function runWords(words: readonly string[], io: Io): Promise<number> {
  for (const stream of [io.out, io.err]) guard(stream, io.env);
  try {
    const asked = parseWords(words);
    switch (asked.kind) {
      case 'overview':
        for (const text of overview()) line(io.out, text);
        return 0;
      case 'version':
        line(io.out, kitVersion());
        return 0;
      case 'help':
        for (const text of (await helpOf(asked.name, Math.min(io.out.columns ?? 80, WIDEST))).split('\n'))
          line(io.out, text);
        return 0;
      case 'run':
        return await asked.command.run(asked.args as never, io);
    }
  } catch (error) {
    tellError(error, words, io);
    return EXIT_USAGE;
  }
}

/** Says what went wrong, with the stack where the words ask for it. */
export function tellError(error: unknown, words: readonly string[], io: Io): void {
  for (const text of explainError(error, words.includes('--verbose'))) line(io.err, text);
}
