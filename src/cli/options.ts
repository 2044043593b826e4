/** How the options and the places of a command are written, read and typed. */

/** An option of a command, or a word that it takes without a name (`isPlace`). */
export interface Option<Value> {
  readonly takes: 'flag' | 'number' | 'text' | 'texts';
  /** Help text. */
  readonly says?: string;
  /** Under which title of the help; of its own command's options unless given. */
  readonly group?: string;
  readonly usual?: Value;
  readonly choices?: readonly string[];
  /** Which numbers are right, and how these are said. */
  readonly check?: { readonly isRight: (value: number) => boolean; readonly which: string };
  /** A text that may be left out: then it is empty. */
  readonly mayBeBare?: true;
  readonly isPlace?: true;
  readonly isRequired?: true;
  /** Whether it stands in the line that repeats a run, and how it is shown there where not as it was given. */
  readonly repeats?: true | ((given: string) => string);
  /** Its type alone: no option has it. */
  readonly gives?: Value;
}

/** Options and places of a command by their names, in the order in which the help and the repeating line have them. */
export type Options = Readonly<Record<string, Option<unknown>>>;

type Extras<Usual> = Omit<Option<unknown>, 'takes' | 'says' | 'gives' | 'usual'> & { readonly usual?: Usual };

/** An option that takes a text. */
export const text = <Usual extends string | undefined = undefined>(
  says: string,
  extras: Extras<Usual> = {},
): Option<string | Usual> => ({ takes: 'text', says, ...extras });

/** An option that takes a text and may be given again and again. */
export const texts = (says: string, extras: Extras<readonly string[]> = {}): Option<readonly string[]> => ({
  takes: 'texts',
  says,
  usual: [],
  ...extras,
});

/** An option that takes one of several words. */
export const choice = <Word extends string, Usual extends Word | undefined = undefined>(
  choices: readonly Word[],
  says: string,
  extras: Extras<Usual> = {},
): Option<Word | Usual> => ({ takes: 'text', says, choices, ...extras });

/** An option that takes one of several words, again and again. */
export const choicesOf = <Word extends string, Usual extends readonly Word[] | undefined = undefined>(
  choices: readonly Word[],
  says: string,
  extras: Extras<Usual> = {},
): Option<readonly Word[] | Usual> => ({ takes: 'texts', says, choices, ...extras });

/** An option that takes a number. */
export const number = <Usual extends number | undefined = undefined>(
  says: string,
  check?: Option<number>['check'],
  extras: Extras<Usual> = {},
): Option<number | Usual> => ({ takes: 'number', says, ...(check && { check }), ...extras });

/** An option that stands there or does not. */
export const flag = (says: string, extras: Extras<false> = {}): Option<boolean> => ({
  takes: 'flag',
  says,
  usual: false,
  ...extras,
});

/** A word that has to be there. */
export const place = (says?: string): Option<string> => ({
  takes: 'text',
  isPlace: true,
  isRequired: true,
  ...(says !== undefined && { says }),
});

type Camel<Name extends string> = Name extends `${infer Word}-${infer Rest}`
  ? `${Word}${Capitalize<Camel<Rest>>}`
  : Name;

type Given<All> = {
  readonly [Name in keyof All as Camel<Name & string>]: All[Name] extends Option<infer Value> ? Value : never;
};

type Certain<All> = { readonly [Name in keyof All as undefined extends All[Name] ? never : Name]: All[Name] };

/** What a command was asked for, by its options: what has no usual value may be left out. */
export type ArgumentsOf<All> = Partial<Given<All>> & Certain<Given<All>> & { readonly verbose: boolean };
