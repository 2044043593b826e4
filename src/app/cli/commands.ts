import { guard } from './safe-streams.js';
import { EXIT_USAGE, explainError } from './explain-error.js';
import { print, type Io } from './io.js';
import { parseWords, type Asked } from './parse-words.js';
import { kitVersion } from '../../base/kernel/package.js';

/** Maximum width of the help, in characters. */
const WIDEST = 100;

export async function runWords(words: readonly string[], io: Io): Promise<number> {
  for (const stream of [io.out, io.err]) guard(stream, io.env);
  try {
    const asked = parseWords(words);
    if (asked.kind === 'run') return await asked.command.run(asked.args as never, io);
    print(io.out, await answerTo(asked, io));
    return 0;
  } catch (error) {
    printError(error, words, io);
    return EXIT_USAGE;
  }
}

async function answerTo(asked: Exclude<Asked, { kind: 'run' }>, { out }: Io): Promise<readonly string[]> {
  if (asked.kind === 'version') return [kitVersion()];
  // Only the help needs yargs.
  const { helpOf, overview } = await import('./help.js');
  if (asked.kind === 'overview') return overview();
  return (await helpOf(asked.name, Math.min(out.columns ?? 80, WIDEST))).split('\n');
}

export function printError(error: unknown, words: readonly string[], io: Io): void {
  print(io.err, explainError(error, words.includes('--verbose'), io.err.columns));
}
