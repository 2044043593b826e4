import { guard } from './door.js';
import { EXIT_USAGE, explainError } from './explain-error.js';
import { line, type Io } from './io.js';
import { parseWords, type Asked } from './parse-words.js';
import { kitVersion } from '../contract/package.js';

/** Wider than this no help is read, in characters. */
const WIDEST = 100;

/** Runs what the words of a command line say, tells of what went wrong, and gives the exit code. */
export async function runWords(words: readonly string[], io: Io): Promise<number> {
  for (const stream of [io.out, io.err]) guard(stream, io.env);
  try {
    const asked = parseWords(words);
    if (asked.kind === 'run') return await asked.command.run(asked.args as never, io);
    for (const text of await answerTo(asked, io)) line(io.out, text);
    return 0;
  } catch (error) {
    tellError(error, words, io);
    return EXIT_USAGE;
  }
}

async function answerTo(asked: Exclude<Asked, { kind: 'run' }>, { out }: Io): Promise<readonly string[]> {
  if (asked.kind === 'version') return [kitVersion()];
  // yargs lays the help out, and no run needs it.
  const { helpOf, overview } = await import('./help.js');
  if (asked.kind === 'overview') return overview();
  return (await helpOf(asked.name, Math.min(out.columns ?? 80, WIDEST))).split('\n');
}

/** Says what went wrong, with the stack where the words ask for it. */
export function tellError(error: unknown, words: readonly string[], io: Io): void {
  for (const text of explainError(error, words.includes('--verbose'))) line(io.err, text);
}
