import { createInterface } from 'node:readline/promises';
import type { PlanFigures } from '../../base/interface/plans.js';
import { parseBaseUrl } from '../../wire/targets/base-url.js';
import type { Environment } from '../../wire/targets/placeholders.js';
import { isKeySource, usualVariable } from '../../wire/targets/write-target.js';
import { wrapped } from '../../outcome/words/safe-text.js';
import { type KeyName, keyNames } from '../../base/interface/names.js';
import { ConfigError, UsageError } from '../../base/kernel/errors.js';
import { candidates, figuresOf, type Sources } from './draft-target.js';
import { print, type Io } from './io.js';

type Read<Value> = { readonly value: Value } | { readonly wrong: string };

/** Asks for the server's address if none is given, and for the version segment of part 9 if it lacks that. */
export async function askAddress(asker: Asker, given?: string): Promise<string> {
  const address =
    given ?? (await asker.ask('Address, ending with /v1', 'http://127.0.0.1:8080/v1', readAddress));
  if (new URL(address).pathname.endsWith('/v1')) return address;
  const whole = `${address.replace(/\/+$/, '')}/v1`;
  return (await askWhether(asker, `It does not end with /v1. Use ${whole}?`, true)) ? whole : address;
}

export function readAddress(answer: string): Read<string> {
  try {
    return { value: parseBaseUrl(answer, {}) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { wrong: `${error.message} ${error.hint}` };
  }
}

/** Asks for the keys' places, plan by plan; at least one plan must have one. */
export async function askSources(asker: Asker, env: Environment): Promise<Sources> {
  for (;;) {
    const found: [KeyName, string][] = [];
    for (const name of keyNames) {
      const source = await asker.ask(labelOf(name), usualAnswer(name, env), (answer) =>
        readSource(answer, env),
      );
      if (source !== null) found.push([name, source]);
    }
    if (found.some(([name]) => name !== 'sacrificial')) return Object.fromEntries(found);
    await asker.ask(
      '  A run needs the key of at least one plan. Press Enter to start again',
      '',
      (value) => ({
        value,
      }),
    );
  }
}

const labelOf = (name: KeyName): string =>
  name === 'sacrificial' ? 'A Free key that may get banned' : `${name[0]?.toUpperCase()}${name.slice(1)} key`;

/**
 * Default answer: the set variable; for Free, which every service issues first, the usual one even if it is
 * not set.
 */
function usualAnswer(name: KeyName, env: Environment): string {
  const [variable] = candidates(name, env);
  if (variable !== undefined) return variable;
  return name === 'free' ? usualVariable(name) : '-';
}

/** Names of variables that cannot be a key. */
const CALLED_A_KEY = /^[A-Z][A-Z0-9]*_[A-Z0-9_]*(KEY|TOKEN|SECRET)[A-Z0-9_]*$/;

/**
 * Reads a key's source; null for none. Text that is no variable of a key may be the key itself, and is
 * rejected.
 */
export function readSource(answer: string, env: Environment): Read<string | null> {
  if (answer === '-') return { value: null };
  const name = /^\$?\{?([A-Za-z_][A-Za-z0-9_]*)(?::-)?\}?$/.exec(answer)?.[1];
  if (name !== undefined && (env[name] !== undefined || CALLED_A_KEY.test(name)))
    return { value: answer.includes(':-') ? `\${${name}:-}` : `\${${name}}` };
  if (answer.startsWith('file:') && isKeySource(answer)) return { value: answer };
  return {
    wrong:
      'That is neither a set variable nor file:PATH. If it was the key, it is not stored: ' +
      'put it into a variable or a file, and name that.',
  };
}

/** Returns null to omit the key. */
export function askFigures({ ask }: Asker): Promise<PlanFigures | null> {
  let slips = 0;
  return ask('Enterprise limits, PERMINUTE/PERDAY', '', (answer) => {
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
          : 'Write 2400/500000 for 2,400 requests a minute and 500,000 a day, or - to leave out the Enterprise key.',
    };
  });
}

export const askWhether = ({ ask }: Asker, question: string, usual: boolean): Promise<boolean> =>
  ask(`${question} (y/n)`, usual ? 'y' : 'n', (answer) =>
    /^(y|yes|n|no)$/i.test(answer) ? { value: /^y/i.test(answer) } : { wrong: 'Answer y or n.' },
  );

type Asker = ReturnType<typeof terminalAsker>;

export const canAsk = ({ in: input, out }: Io): boolean => input.isTTY && out.isTTY;

/** After Ctrl-C or Ctrl-D every question rejects with an AbortError. */
export function terminalAsker(io: Io) {
  const lines = createInterface({ input: io.in, output: io.out });
  const ended = new AbortController();
  lines.once('SIGINT', () => ended.abort());
  lines.once('close', () => ended.abort());
  return {
    /**
     * Asks until an answer is valid; an empty one means the default.
     *
     * @param read returns the value of an answer, or a sentence about its error
     */
    ask: async <Value>(
      question: string,
      usual: string,
      read: (answer: string) => Read<Value>,
    ): Promise<Value> => {
      for (;;) {
        const prompt = `${question}${usual === '' ? '' : ` [${usual}]`}: `;
        const answer = await lines.question(prompt, { signal: ended.signal });
        const found = read(answer.trim() || usual);
        if ('value' in found) return found.value;
        print(io.out, wrapped('  ', found.wrong));
      }
    },
    close: (): void => lines.close(),
  };
}
