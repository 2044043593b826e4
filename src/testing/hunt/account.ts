import { HUNT_NAMES, type Find, type Happening, type Held, type HuntName } from './hunt.js';

/** Results of a hunt so far. */
export interface Account {
  readonly begun: Readonly<Partial<Record<HuntName, number>>>;
  readonly held: Readonly<Partial<Record<HuntName, Readonly<Partial<Record<Held, number>>>>>>;
  /** Each once, even if several cases shrank to it. */
  readonly finds: readonly Find[];
  /** Number of cases that the kit got wrong. */
  readonly wrong: Readonly<Partial<Record<HuntName, number>>>;
  readonly exhausted: readonly HuntName[];
}

export const NOTHING: Account = { begun: {}, held: {}, finds: [], wrong: {}, exhausted: [] };

/** True if an earlier case shrank to the same find. */
export const isKnown = (account: Account, find: Find): boolean =>
  account.finds.some(({ hunt, subject }) => hunt === find.hunt && subject === find.subject);

/** Adds one more happening to an account. Pure. */
export function counted(account: Account, happening: Happening): Account {
  if (happening.type === 'begun') {
    const { hunt } = happening;
    return { ...account, begun: { ...account.begun, [hunt]: (account.begun[hunt] ?? 0) + 1 } };
  }
  if (happening.type === 'exhausted')
    return { ...account, exhausted: [...account.exhausted, happening.hunt] };
  if (happening.type === 'judged') {
    const { hunt, as } = happening;
    const before = account.held[hunt];
    return { ...account, held: { ...account.held, [hunt]: { ...before, [as]: (before?.[as] ?? 0) + 1 } } };
  }
  const { find } = happening;
  return {
    ...account,
    wrong: { ...account.wrong, [find.hunt]: (account.wrong[find.hunt] ?? 0) + 1 },
    finds: isKnown(account, find) ? account.finds : [...account.finds, find],
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Returns the number of judged cases of a hunt. */
export const judgedIn = (account: Account, hunt: HuntName): number =>
  sum(Object.values(account.held[hunt] ?? {})) + (account.wrong[hunt] ?? 0);

/** Returns the requested hunts that judged nothing. */
export const idleIn = (account: Account, names: readonly HuntName[]): readonly HuntName[] =>
  names.filter((name) => judgedIn(account, name) === 0);

/** Shells' exit code after SIGINT. */
const INTERRUPTED = 130;

/** Returns the exit code. 1: a find, or a hunt judged nothing; 130: interrupted; 0: otherwise. */
export function exitCodeOf(account: Account, names: readonly HuntName[], isInterrupted: boolean): number {
  if (account.finds.length > 0) return 1;
  if (isInterrupted) return INTERRUPTED;
  return idleIn(account, names).length > 0 ? 1 : 0;
}

const whole = (count: number): string => count.toLocaleString('en-GB');

/** Returns the counts of all hunts in a short line, for frequent updates. */
export const progress = (account: Account): string =>
  [
    ...HUNT_NAMES.flatMap((hunt) => {
      const judged = judgedIn(account, hunt);
      return judged > 0 ? [`${hunt} ${whole(judged)}`] : [];
    }),
    `${whole(account.finds.length)} found`,
  ].join(' · ');

/** Width of a name and a space. */
const NAME_WIDTH = 1 + Math.max(...HUNT_NAMES.map(({ length }) => length));

/** Summarizes one hunt in a line: cases judged, and their outcomes. */
export function summary(account: Account, hunt: HuntName): string {
  const judged = judgedIn(account, hunt);
  const outcomes = Object.entries(account.held[hunt] ?? {}).map(([as, count]) => {
    // Also as a share: a kit that leaves every case open finds nothing.
    const share = as === 'left open' || as === 'hidden';
    return `${whole(count)} ${as}${share ? ` (${Math.round((100 * count) / judged)} %)` : ''}`;
  });
  const wrong = account.wrong[hunt] ?? 0;
  const all = account.exhausted.includes(hunt) ? ', all there are' : '';
  const left = (account.begun[hunt] ?? 0) - judged;
  const unfinished = left > 0 ? [`${whole(left)} not brought to an end`] : [];
  const came = [...outcomes, `${whole(wrong)} got wrong`, ...unfinished];
  return `${hunt.padEnd(NAME_WIDTH)}${whole(judged)} cases${all}: ${came.join(', ')}`;
}

/** Returns the lines of a find: the error, the command that repeats it, and the line that pins it. */
export function findLines({ hunt, subject, what, drawn }: Find): readonly string[] {
  return [
    `✗ ${hunt}`,
    ...what.map((text) => `    ${text}`),
    `    again  npm run hunt -- --only ${hunt} --replay '${subject.replaceAll("'", "'\\''")}'`,
    `    pin    ['${hunt}', ${subject}],`,
    ...(drawn === subject ? [] : [`    drawn  ${drawn}`]),
  ];
}
