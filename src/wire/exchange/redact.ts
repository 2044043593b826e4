import { keyNames } from '../../base/interface/names.js';
import { once } from '../../base/kernel/config-file.js';
import { capital } from '../../base/kernel/format.js';
import { PIECE, traceFinder, tracesBeside, tracesOf, wholeKeyFinder, type Traces } from './key-traces.js';
import { literal } from '../../base/kernel/literal.js';

/** Replaces everything in a text that could be a key or a part of one. */
export type Redact = (text: string) => string;

declare const CLEAN: unique symbol;

/** A value whose texts are all redacted. Only a redactor makes one, and the reader of a stored log. */
export type Redacted<T> = T & { readonly [CLEAN]: true };

export const REDACTED = '[key]';

/**
 * Returns a redactor for the given keys. It replaces the smallest token of a text that holds a key, whole or
 * a piece of at least six characters, in any letter case: plain, reversed, or with separators. It also
 * decodes escapes of addresses, JSON and HTML, Base64 with any start, hexadecimal digits, lists of bytes,
 * UTF-16, and two of these nested. Where only tokens side by side hold one together, by ten characters, all
 * that they stand in is replaced. A shorter key is found whole and without its last character, plain or
 * escaped.
 *
 * @param keys in clear; the redactor keeps their pieces in memory and never outputs them
 * @param own the user's own names, addresses and commands. Pieces of a key in them stay, since they stood
 *   there before and reveal nothing; one with a whole key is redacted as any text
 */
export function redactor(keys: readonly string[], own: readonly string[] = []): Redact {
  const given = [...new Set(keys.filter(Boolean))];
  if (given.length === 0) return (text) => text;
  // The traces of five keys take 20 ms and more to compute, and some redactors of a run meet no text.
  const redact = once(() => redactorOf(given, own));
  return remembering((text) => redact()(text));
}

/**
 * Characters of learned keys: each needs a new search, and those of clients that get a new token with each
 * request would slow every one of them.
 */
const MOST_LEARNED = 2000;

export function learningRedactor(keys: readonly string[], own: readonly string[] = []) {
  const known = [...keys];
  let room = MOST_LEARNED;
  let redact = redactor(known, own);
  return {
    redact: (text: string): string => redact(text),
    learn: (key: string): void => {
      room -= key.length;
      if (room < 0) return;
      known.push(key);
      redact = redactor(known, own);
    },
  };
}

/** How the kit's own sentences speak of plans and keys: a piece of a key in these words reveals nothing. */
const OWN_WORDS = keyNames
  .flatMap((name) => [name, capital(name)])
  .flatMap((name) => [`${name} key`, `${name} plan`])
  .flatMap((words) => [words, `the ${words}`, `The ${words}`]);

/** Returns the redactor of at least one key. */
function redactorOf(given: readonly string[], own: readonly string[]): Redact {
  const traces = tracesOf(given);
  const separators = separatorsBeside(given);
  const holds = traceFinder(traces);
  const hide = (finds: Holds) => (text: string) => hidden(text, finds, separators);
  const hideAll = hide(holds);
  const outside = outsideOf([...own, ...OWN_WORDS.filter(holds)], given);
  const hideBeside = outside && hide(traceFinder(tracesBeside(traces, outside.words)));
  const withoutEnds = endsHidden(traces);
  return (text) => {
    // A piece that no own word holds is a key's also where it begins within such a word.
    const clean = outside && hideBeside ? outside.each(hideBeside(text), hideAll) : hideAll(text);
    return withoutEnds(clean.replaceAll(REPEATED, REDACTED));
  };
}

/**
 * Longest text that is remembered, and most of them: names and values of headers come again with each
 * response.
 */
const SHORT = 100;
const MOST_REMEMBERED = 2000;

function remembering(redact: Redact): Redact {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > SHORT) return redact(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    const clean = redact(text);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(text, clean);
    return clean;
  };
}

type Holds = (text: string) => boolean;

const REPEATED = /(?:\[key\]){2,}/g;

/**
 * Replaces the smallest tokens that hold a key: the text is taken apart at the first separator, and its parts
 * at the next. What holds a key even when each part of it is clean, is replaced as a whole. So the result
 * never holds one.
 */
function hidden(text: string, holds: Holds, [separator, ...finer]: readonly RegExp[]): string {
  if (!holds(text)) return text;
  if (!separator) return REDACTED;
  const clean = text
    .split(separator)
    .map((part) => hidden(part, holds, finer))
    .join('');
  // The placeholder itself may hold a key of one or two characters.
  return holds(clean.replaceAll(REDACTED, ' ')) ? REDACTED : clean;
}

/** What separates the tokens of a text, the widest first: lines, quoted strings, words, parts of an address. */
const SEPARATORS = ['\r\n', '"\'`“”', ' \t,', '<>(){}&=?:;/|'].map((characters) => Array.from(characters));

/**
 * Returns the separators, each as a pattern that `split` keeps, without the characters that a key has: a few
 * of its characters, too few for a piece, could stay between two of them.
 */
function separatorsBeside(keys: readonly string[]): readonly RegExp[] {
  const inKeys = new Set(keys.join(''));
  return SEPARATORS.map((characters) => characters.filter((character) => !inKeys.has(character)).join(''))
    .filter(Boolean)
    .map((characters) => new RegExp(`([${characters}]+)`));
}

/** Words that a user wrote, and a function that redacts what stands around them in a text. */
interface Outside {
  readonly words: readonly string[];
  readonly each: (text: string, redact: Redact) => string;
}

/** Returns what spares the own words that hold no whole key; null if there are none. */
function outsideOf(own: readonly string[], keys: readonly string[]): Outside | null {
  const holdsWhole = wholeKeyFinder(keys);
  const words = own
    .filter((word) => word.length >= PIECE && !holdsWhole(word))
    .sort((one, other) => other.length - one.length);
  if (words.length === 0) return null;
  const pattern = new RegExp(`(${words.map(literal).join('|')})`);
  const isOwn = new Set(words);
  return {
    words,
    each: (text, redact) =>
      text
        .split(pattern)
        .map((part) => (isOwn.has(part) ? part : redact(part)))
        .join(''),
  };
}

/** Length of a piece at a text's cut that proves a longer one; one of 3 may be chance. */
const END = 4;

/** Rest of a key at a text's cut: too short as proof without the sign of the cut. */
const CUT = new RegExp(`[^\\s…]{${END},${PIECE - 1}}(?=…)`, 'g');

/** Returns a redactor of what a cut left of a key's piece. */
function endsHidden({ pieces }: Traces): Redact {
  const ends = once(
    () =>
      new Set(
        [...pieces.keys()].flatMap((piece) =>
          [END, END + 1].flatMap((length) => [piece.slice(0, length), piece.slice(-length)]),
        ),
      ),
  );
  const withoutEnd = (end: string): string => {
    const left = [end, end.slice(-END)].find((piece) => ends().has(piece.toLowerCase()));
    return left === undefined ? end : `${end.slice(0, -left.length)}${REDACTED}`;
  };
  return (text) => (text.includes('…') ? text.replaceAll(CUT, withoutEnd) : text);
}
