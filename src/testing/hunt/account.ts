import { HUNT_NAMES, type Find, type Happening, type Held, type HuntName } from './hunt.js';

/** What a hunt has come to so far. */
export interface Account {
  readonly begun: Readonly<Partial<Record<HuntName, number>>>;
  readonly held: Readonly<Partial<Record<HuntName, Readonly<Partial<Record<Held, number>>>>>>;
  /** Each once, however often it was met. */
  readonly finds: readonly Find[];
  /** How many cases were got wrong. */
  readonly wrong: Readonly<Partial<Record<HuntName, number>>>;
  readonly exhausted: readonly HuntName[];
}

/** Nothing yet. */
export const NOTHING: Account = { begun: {}, held: {}, finds: [], wrong: {}, exhausted: [] };

/** Whether a find is one that was met before, in another case that came down to the same. */
export const isKnown = (account: Account, find: Find): boolean =>
  account.finds.some(({ hunt, subject }) => hunt === find.hunt && subject === find.subject);

/** An account with one more happening. Pure. */
export function counted(account: Account, happening: Happening): Account {
  if (happening.type === 'begun') {
    const { hunt } = happening;
    return { ...account, begun: { ...account.begun, [hunt]: (account.begun[hunt] ?? 0) + 1 } };
  }
  if (happening.type === 'exhausted') return { ...account, exhausted: [...account.exhausted, happening.hunt] };
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

/** How many cases of a hunt were judged. */
export const judgedIn = (account: Account, hunt: HuntName): number =>
  sum(Object.values(account.held[hunt] ?? {})) + (account.wrong[hunt] ?? 0);

/** The hunts that were asked for and came to nothing. */
export const idleIn = (account: Account, names: readonly HuntName[]): readonly HuntName[] =>
  names.filter((name) => judgedIn(account, name) === 0);

/** As shells have it of what SIGINT ended. */
const INTERRUPTED = 130;

/** 0: nothing was got wrong; 1: something was, or a hunt judged nothing, which must not look the same; 130: interrupted. */
export function exitCodeOf(account: Account, names: readonly HuntName[], isInterrupted: boolean): number {
  if (account.finds.length > 0) return 1;
  if (isInterrupted) return INTERRUPTED;
  return idleIn(account, names).length > 0 ? 1 : 0;
}

const whole = (count: number): string => count.toLocaleString('en-GB');

/** How many of a hunt, in one word or two: for a line that is written again and again. */
export const progress = (account: Account): string =>
  [
    ...HUNT_NAMES.flatMap((hunt) => {
      const judged = judgedIn(account, hunt);
      return judged > 0 ? [`${hunt} ${whole(judged)}`] : [];
    }),
    `${whole(account.finds.length)} found`,
  ].join(' · ');

/** One hunt in a line: what it judged, and how that came out. */
export function summary(account: Account, hunt: HuntName): string {
  const judged = judgedIn(account, hunt);
  const outcomes = Object.entries(account.held[hunt] ?? {}).map(([as, count]) => {
    // What the kit could not tell, or need not, is shown as a share as well: a kit that leaves all open finds nothing.
    const share = as === 'left open' || as === 'hidden';
    return `${whole(count)} ${as}${share ? ` (${Math.round((100 * count) / judged)} %)` : ''}`;
  });
  const wrong = account.wrong[hunt] ?? 0;
  const all = account.exhausted.includes(hunt) ? ', all there are' : '';
  const left = (account.begun[hunt] ?? 0) - judged;
  const unfinished = left > 0 ? [`${whole(left)} not brought to an end`] : [];
  const came = [...outcomes, `${whole(wrong)} got wrong`, ...unfinished];
  return `${hunt.padEnd(10)}${whole(judged)} cases${all}: ${came.join(', ')}`;
}

/** A find as it is shown: what was got wrong, the command that repeats it, and the line that pins it. */
export function findLines({ hunt, subject, what, drawn }: Find): readonly string[] {
  return [
    `✗ ${hunt}`,
    ...what.map((text) => `    ${text}`),
    `    again  npm run hunt -- --only ${hunt} --replay '${subject.replaceAll("'", "'\\''")}'`,
    `    pin    ['${hunt}', ${subject}],`,
    ...(drawn === subject ? [] : [`    drawn  ${drawn}`]),
  ];
}
