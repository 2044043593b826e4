import { createInterface } from 'node:readline/promises';
import type { PlanFigures } from '../contract/plans.js';
import { parseBaseUrl } from '../targets/base-url.js';
import type { Environment } from '../targets/placeholders.js';
import { isKeySource, usualVariable } from '../targets/write-target.js';
import { wrapped } from '../words/wrapped.js';
import { candidates, figuresOf, type Sources } from './draft-target.js';
import { line, type Io } from './io.js';
import { type KeyName, keyNames } from '../contract/names.js';
import { ConfigError, UsageError } from '../contract/errors.js';

/** What an answer comes to. */
type Read<Value> = { readonly value: Value } | { readonly wrong: string };

/** Where a server listens that somebody is just writing. */
const USUAL_ADDRESS = 'http://127.0.0.1:8080/v1';

/** Asks where the server is. */
export const askAddress = ({ ask }: Asker): Promise<string> =>
  ask('Address, up to and with /v1', USUAL_ADDRESS, readAddress);

/** The address with the version segment, which part 9 demands, unless somebody wants it without. */
export async function askVersion(asker: Asker, address: string): Promise<string> {
  if (new URL(address).pathname.endsWith('/v1')) return address;
  const whole = `${address.replace(/\/+$/, '')}/v1`;
  return (await askWhether(asker, `It does not end with /v1. Use ${whole}?`, true)) ? whole : address;
}

/** An address that can be asked. */
export function readAddress(answer: string): Read<string> {
  try {
    return { value: parseBaseUrl(answer, {}) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { wrong: `${error.message} ${error.hint}` };
  }
}

/** Says how the place of a key is named. */
export const KEYS_INTRODUCTION =
  'Where is the key of each plan? Name a variable of the environment, or file:PATH, or - where there is none.';

/** Asks where the keys are, plan by plan; at least one plan has one. */
export async function askSources(asker: Asker, env: Environment): Promise<Sources> {
  for (;;) {
    const found: [KeyName, string][] = [];
    for (const name of keyNames) {
      const source = await asker.ask(labelOf(name), usualAnswer(name, env), (answer) => readSource(answer, env));
      if (source !== null) found.push([name, source]);
    }
    if (found.some(([name]) => name !== 'sacrificial')) return Object.fromEntries(found);
    await asker.ask(
      '  Without the key of a plan nothing can be judged. Enter to go through them again',
      '',
      (value) => ({
        value,
      }),
    );
  }
}

const labelOf = (name: KeyName): string =>
  name === 'sacrificial' ? 'A Free key that may get banned' : `${name[0]?.toUpperCase()}${name.slice(1)} key`;

/** The variable that is set, by its name; of Free, which every service gives first, the usual one though it is not. */
function usualAnswer(name: KeyName, env: Environment): string {
  const [variable] = candidates(name, env);
  if (variable !== undefined) return variable;
  return name === 'free' ? usualVariable(name) : '-';
}

/** Names of variables that nobody takes for a key. */
const CALLED_A_KEY = /^[A-Z][A-Z0-9]*_[A-Z0-9_]*(KEY|TOKEN|SECRET)[A-Z0-9_]*$/;

/**
 * Where a key comes from by an answer; null for none. A variable is set, or is called as if it held a key: anything else
 * may be the key itself.
 */
export function readSource(answer: string, env: Environment): Read<string | null> {
  if (answer === '-') return { value: null };
  const name = /^\$?\{?([A-Za-z_][A-Za-z0-9_]*)(?::-)?\}?$/.exec(answer)?.[1];
  if (name !== undefined && (env[name] !== undefined || CALLED_A_KEY.test(name)))
    return { value: answer.includes(':-') ? `\${${name}:-}` : `\${${name}}` };
  if (answer.startsWith('file:') && isKeySource(answer)) return { value: answer };
  return {
    wrong:
      'That is no variable that is set, nor file:PATH. If it was the key: it is not kept. Put it into a variable or a file, and name that.',
  };
}

/** Asks what was agreed for Enterprise; null where the key is to be left out. */
export function askFigures({ ask }: Asker): Promise<PlanFigures | null> {
  let slips = 0;
  return ask('Enterprise figures, PERMINUTE/PERDAY', '', (answer) => {
    if (answer === '-') return { value: null };
    try {
      const value = figuresOf(answer);
      if (value) return { value };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
    }
    slips += 1;
    return {
      wrong:
        slips === 1
          ? 'Write them as 2400/500000.'
          : 'For example 2400/500000 for 2,400 requests a minute and 500,000 a day. Enter - to leave the Enterprise key out.',
    };
  });
}

/** Asks what can be answered with yes or no. */
export const askWhether = ({ ask }: Asker, question: string, usual: boolean): Promise<boolean> =>
  ask(`${question} (y/n)`, usual ? 'y' : 'n', readWhether);

function readWhether(answer: string): Read<boolean> {
  const said = answer.toLowerCase();
  if (said === 'y' || said === 'yes') return { value: true };
  return said === 'n' || said === 'no' ? { value: false } : { wrong: 'Answer y or n.' };
}

/** Asks somebody at a terminal, until they end it: then what is asked for never comes. */
interface Asker {
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
