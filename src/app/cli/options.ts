/** An option of a command, or an argument without a name (`isPlace`). */
export interface Option<Value> {
  readonly takes: 'flag' | 'number' | 'text' | 'texts';
  readonly says?: string;
  /** Its title in the help; by default the command's options. */
  readonly group?: string;
  readonly usual?: Value;
  readonly choices?: readonly string[];
  readonly check?: { readonly isRight: (value: number) => boolean; readonly which: string };
  /** Set if its text is optional, and empty by default. */
  readonly mayBeBare?: true;
  readonly isPlace?: true;
  /** Set if its words follow `--`. */
  readonly isBehind?: true;
  readonly isRequired?: true;
  /** Set if the line that repeats a run leaves it out. */
  readonly isOnce?: true;
  /** Its text in the line that repeats a run, if another. */
  readonly repeatsAs?: (given: string) => string;
  /** Only for its type: no option has it. */
  readonly gives?: Value;
}

/** Options and arguments of a command by name, in the order of the help and of the line that repeats a run. */
export type Options = Readonly<Record<string, Option<unknown>>>;

type Extras<Usual> = Omit<Option<unknown>, 'takes' | 'says' | 'gives' | 'usual' | 'choices'> & {
  readonly usual?: Usual;
};

export const text = <Word extends string = string, Usual extends Word | undefined = undefined>(
  says: string,
  extras: Extras<Usual> & { readonly choices?: readonly Word[] } = {},
): Option<Word | Usual> => ({ takes: 'text', says, ...extras });

/** Defines an option that may be repeated, with texts or with several words. */
export const texts = <
  Word extends string = string,
  Usual extends readonly Word[] | undefined = readonly Word[],
>(
  says: string,
  extras: Extras<Usual> & { readonly choices?: readonly Word[] } = {},
): Option<readonly Word[] | Usual> => ({ takes: 'texts', says, usual: [], ...extras });

export const number = <Usual extends number | undefined = undefined>(
  says: string,
  extras: Extras<Usual> = {},
): Option<number | Usual> => ({ takes: 'number', says, ...extras });

export const flag = (says: string, extras: Extras<false> = {}): Option<boolean> => ({
  takes: 'flag',
  says,
  usual: false,
  ...extras,
});

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

/** Arguments of a command by its options; those without a default are optional. */
export type ArgumentsOf<All> = Partial<Given<All>> & Certain<Given<All>> & { readonly verbose: boolean };
