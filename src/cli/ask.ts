import { createInterface } from 'node:readline/promises';
import { wrapped } from '../report/words/wrapped.js';
import { line, type Io } from './io.js';

/** Asks somebody at a terminal, until they end it: then what is asked for never comes. */
export interface Asker {
  /**
   * Asks until an answer holds; an empty one is the usual one.
   * @param read gives the value of an answer, or says in a sentence what is wrong with it
   */
  readonly ask: <Value>(
    question: string,
    usual: string,
    read: (answer: string) => { readonly value: Value } | { readonly wrong: string },
  ) => Promise<Value>;
  readonly close: () => void;
}

/** What an answer that never came is told by. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** Whether anybody can be asked. */
export const canAsk = ({ in: input, out }: Io): boolean => input.isTTY && out.isTTY;

/** Somebody at the terminal. Ctrl-C and Ctrl-D make every question reject with `Unanswered`. */
export function terminalAsker(io: Io): Asker {
  const lines = createInterface({ input: io.in, output: io.out });
  const ended = new AbortController();
  lines.once('SIGINT', () => ended.abort());
  lines.once('close', () => ended.abort());
  return {
    async ask(question, usual, read) {
      for (;;) {
        const answer = await lines
          .question(`${question}${usual === '' ? '' : ` [${usual}]`}: `, { signal: ended.signal })
          .catch(() => {
            throw new Unanswered();
          });
        const found = read(answer.trim() || usual);
        if ('value' in found) return found.value;
        for (const text of wrapped('  ', found.wrong)) line(io.out, text);
      }
    },
    close: () => lines.close(),
  };
}
