/** How options are read, by kind, and what a command is given of them. */

import type { Argv } from 'yargs';

/** An option that takes a text. */
export const text = (describe: string) => ({ type: 'string', requiresArg: true, describe }) as const;

/** An option that takes a text and may be given again and again. */
export const texts = (describe: string) =>
  ({ type: 'string', array: true, requiresArg: true, nargs: 1, default: [] as string[], describe }) as const;

/**
 * An option that takes a number; for one that is not right yargs throws an Error.
 * @param which how the right ones are said
 */
export const number = (name: string, describe: string, isRight: (value: number) => boolean, which: string) =>
  ({
    type: 'number',
    requiresArg: true,
    describe,
    coerce: (value: number): number => {
      if (!isRight(value)) throw new Error(`--${name} takes ${which}.`);
      return value;
    },
  }) as const;

/** An option that stands there or does not. */
export const flag = (describe: string) => ({ type: 'boolean', default: false, describe }) as const;

/** Options that several commands have, alike in all of them. */
export const reportDirOption = text('The folder to write into, instead of a new one in reports/');
export const notifyOption = text(
  "An address that the verdict and what changed are posted to as JSON; '${NAME}' reads the environment",
);
export const reportUrlOption = text('The address under which the folders of runs are published: links lead there');
export const reporterOption = {
  choices: ['auto', 'list', 'github', 'quiet'],
  default: 'auto',
  requiresArg: true,
  describe: 'How to print',
} as const;

type Camel<Option extends string> = Option extends `${infer Word}-${infer Rest}`
  ? `${Word}${Capitalize<Camel<Rest>>}`
  : Option;

type Unchanging<Value> = Value extends readonly (infer Each)[] ? readonly Each[] : Value;

type Named<Parsed> = { readonly [Option in keyof Parsed as Camel<Option & string>]: Unchanging<Parsed[Option]> };

type Certain<Given> = { readonly [Name in keyof Given as undefined extends Given[Name] ? never : Name]: Given[Name] };

type Told<Given> = Partial<Given> & Certain<Given>;

/** What a command was asked for, by the function that adds its options: what has no default may be left out. */
export type ArgumentsOf<Options extends (yargs: never) => Argv<unknown>> =
  ReturnType<Options> extends Argv<infer Parsed> ? Told<Named<Parsed & { verbose: boolean }>> : never;
