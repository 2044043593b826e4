import { basename } from 'node:path';

/** Programs that run a script, which is the command's name: “node” says nothing of a client. */
const INTERPRETERS = /^(?:node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|bash|sh|zsh)(?:\.exe)?$/;
/** Options that hold the program itself. */
const INLINE: ReadonlySet<string> = new Set(['-e', '--eval', '-p', '-c', '-r', '-']);

/** Returns how reports name a command: its script, or else its program, without `env` and variables. Pure. */
export function commandName(words: readonly string[]): string {
  const from = words.findIndex((word) => basename(word) !== 'env' && !/^\w+=/.test(word));
  const [program = words[0] ?? 'client', ...rest] = words.slice(Math.max(0, from));
  const name = basename(program);
  if (!INTERPRETERS.test(name) || rest.some((word) => INLINE.has(word))) return name;
  const script = rest.find((word) => !word.startsWith('-') && word !== 'run');
  return script === undefined ? name : basename(script);
}
