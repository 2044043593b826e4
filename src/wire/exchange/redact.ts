import { undecoded, decodings, squeezed, unescapings, type Reading } from './text-decodings.js';
import { lookAlike } from './key-forms.js';

/** Replaces everything in a text that could be a key or a part of one. */
export type Redact = (text: string) => string;

declare const CLEAN: unique symbol;

/** A value whose texts are all redacted. Only a redactor makes one, and the reader of a stored log. */
export type Redacted<T> = T & { readonly [CLEAN]: true };

/** Replacement for a key, or for a piece of one. */
export const REDACTED = '[key]';

/**
 * Returns a redactor for the given keys. It finds each in any letter case, whole and in pieces of at least six characters:
 * plain, reversed, or with separators. It also decodes escapes of addresses, JSON and HTML, Base64 with any start, hexadecimal
 * digits, lists of bytes, UTF-16, and two of these nested. A shorter key is found whole and without its last character, plain
 * or escaped.
 * @param keys in clear; the redactor keeps their pieces in memory and never outputs them
 * @param own the user's own names, addresses and commands. Pieces of a key in them stay, since they stood there before and
 *   reveal nothing; one with a whole key is redacted as any text
 */
export function redactor(keys: readonly string[], own: readonly string[] = []): Redact {
  const given = [...new Set(keys.filter(Boolean))];
  if (given.length === 0) return (text) => text;
  const traces = tracesOf(given, PIECE);
  const find = finder(traces);
  const long = own.filter(({ length }) => length >= PIECE);
  const findWhole = long.length === 0 ? null : finder(tracesOf(given, Infinity));
  const spared = long.filter((word) => !given.includes(word) && findWhole?.(word).length === 0);
  return (text) => withoutEnds(covered(text, find(text), spared), traces.ends);
}

/** Returns a function that finds the traces in a text, in any of its encodings. */
function finder(traces: Traces): (text: string) => readonly Found[] {
  const clear = [...traces.byLength].map(scanner);
  const bare = [...traces.squeezed].map(scanner);
  const find = (reading: Reading, layers: number): readonly Found[] =>
    unescapings(reading).flatMap((each) => {
      const letters = squeezed(each);
      return [
        ...clear.flatMap((scan) => scan(each)),
        ...bare.flatMap((scan) => scan(letters)),
        ...(layers > 0 ? [...decodings(each, letters)].flatMap((inner) => find(inner, layers - 1)) : []),
      ];
    });
  return (text) => find(undecoded(text), ENCODED_TWICE);
}

/** Most nested encodings to undo: Base64 in Base64, digits in Base64. */
const ENCODED_TWICE = 2;

/** A trace of a key in the original text. */
interface Found {
  readonly from: number;
  readonly to: number;
  /** Number of connected characters that prove a key. */
  readonly needed: number;
}

/** Slots of the table that is checked before the lookup of a piece: about a hundred times the traces. */
const SLOTS = 1 << 18;

/** Base of a rolling hash (Rabin and Karp): any odd number above the character codes of ASCII. */
const BASE = 0x1000193;

/** Finds the traces of one length in one pass over a text; merges overlapping ones. */
function scanner([length, traces]: readonly [number, ReadonlyMap<string, number>]): (reading: Reading) => Found[] {
  let first = 1;
  for (let power = 0; power < length; power++) first = Math.imul(first, BASE);
  const slots = new Uint8Array(SLOTS);
  const slot = (hash: number): number => (hash ^ (hash >>> 15)) & (SLOTS - 1);
  for (const trace of traces.keys()) {
    let hash = 0;
    for (let at = 0; at < length; at++) hash = (Math.imul(hash, BASE) + trace.charCodeAt(at)) | 0;
    slots[slot(hash)] = 1;
  }
  return (reading) => {
    const text = lowerCase(reading.text);
    const spans: Found[] = [];
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      hash = (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0;
      const from = at + 1 - length;
      if (from > 0) hash = (hash - Math.imul(first, text.charCodeAt(from - 1))) | 0;
      if (from < 0 || slots[slot(hash)] === 0) continue;
      const needed = traces.get(text.slice(from, at + 1));
      if (needed !== undefined) add(spans, { from, to: at + 1, needed });
    }
    if (spans.length === 0) return spans;
    const places = reading.places();
    return spans.map(({ from, to, needed }) => ({ from: places.from(from), to: places.to(to - 1), needed }));
  };
}

/** Adds a span that starts at the last span or after it; merges the two if they touch. */
function add(spans: Found[], { from, to, needed }: Found): void {
  const last = spans.at(-1);
  if (last === undefined || from > last.to) spans.push({ from, to, needed });
  else spans[spans.length - 1] = { from: last.from, to: Math.max(last.to, to), needed: Math.min(last.needed, needed) };
}

/** Returns a text of equal length in lower case: some Unicode letters would become two. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Replaces the found traces by the placeholder; connected ones by one. Leaves those inside a spared text. */
function covered(text: string, found: readonly Found[], spared: readonly string[]): string {
  if (found.length === 0) return text;
  const spans: Found[] = [];
  for (const span of [...found].sort((a, b) => a.from - b.from)) add(spans, span);
  let at = 0;
  let clean = '';
  for (const { from, to } of spans.filter(({ from, to, needed }) => to - from >= needed)) {
    if (spared.some((word) => isInside(text, word, from, to))) continue;
    clean += text.slice(at, from) + REDACTED;
    at = to;
  }
  return (clean + text.slice(at)).replaceAll(REPEATED, REDACTED);
}

/** True if a word stands in a text around the span. */
function isInside(text: string, word: string, from: number, to: number): boolean {
  const at = text.indexOf(word, Math.max(0, to - word.length));
  return at >= 0 && at <= from;
}

const REPEATED = /(?:\[key\]){2,}/g;

/** Parts of keys that reveal them in any text, in lower case. */
interface Traces {
  /**
   * Traces by length in characters, each with the number of connected characters that prove a key: 0 for most, half the key for
   * a trace in ordinary words.
   */
  readonly byLength: ReadonlyMap<number, ReadonlyMap<string, number>>;
  /** Traces of letters and digits only, for texts with separators. */
  readonly squeezed: ReadonlyMap<number, ReadonlyMap<string, number>>;
  /** Beginnings and ends of traces, which may be left at a text's cut. */
  readonly ends: ReadonlySet<string>;
}

/** Length of a piece that proves a key; shorter ones occur in ordinary words and numbers. */
const PIECE = 6;

/** Length of a piece at a text's cut that proves a longer one; one of 3 may be chance. */
const END = 4;

/** Words of the interface and of HTTP. They are everywhere, so one in a key reveals nothing. */
const ORDINARY = `
  petstore pet store listpets createpet getpet categoryid category available pending sold status message
  free business enterprise sacrificial professional production staging sandbox default server service
  application/json charset=utf-8 authorization bearer api-key apikey api_key access_token x-api-key
  x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset retry-after deprecation sunset content-type content-length
  connection keep-alive transfer-encoding location another request requests answer answers within window minute
`;

/**
 * Collects the traces of keys: every piece of six characters of the key, its look-alike and their Base64, in both directions.
 * Of a short key also the part without the last character.
 * @param keys in clear, none empty
 * @param piece length of the pieces, at most; Infinity for whole keys of at least six characters only
 */
function tracesOf(keys: readonly string[], piece: number): Traces {
  const byLength = new Map<number, Map<string, number>>();
  const squeezed = new Map<number, Map<string, number>>();
  for (const key of piece === PIECE ? keys : keys.filter(({ length }) => length >= PIECE)) {
    const forms = formsOf(key, piece);
    for (const form of forms) enter(byLength, form, key, piece);
    // Without separators, a short one may occur between the words of any sentence.
    for (const form of forms.map(squeeze).filter(({ length }) => length >= PIECE)) enter(squeezed, form, key, piece);
  }
  return { byLength, squeezed, ends: new Set([...(byLength.get(PIECE)?.keys() ?? [])].flatMap(endsOf)) };
}

/** Returns only the letters and digits of a text. */
const squeeze = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '');

function enter(traces: Map<number, Map<string, number>>, form: string, key: string, most: number): void {
  const length = Math.min(most, form.length);
  const entered = traces.get(length) ?? new Map<string, number>();
  traces.set(length, entered);
  for (let at = 0; at + length <= form.length; at++) {
    const piece = form.slice(at, at + length).toLowerCase();
    const needed = isOrdinary(piece) ? Math.ceil(key.length / 2) : 0;
    entered.set(piece, Math.min(needed, entered.get(piece) ?? needed));
  }
}

/** Is true if a key is itself an ordinary word, so a text with it reveals nothing. */
export const isOrdinaryWord = (key: string): boolean => ORDINARY.includes(key.toLowerCase());

/** Pieces of ordinary words, one character shorter than one that proves a key. */
const ORDINARY_PIECES = new Set(Array.from(ORDINARY, (_, at) => ORDINARY.slice(at, at + PIECE - 1)));

/** True also for one character more than a part of an ordinary word, which reveals as little. */
const isOrdinary = (piece: string): boolean =>
  piece.length === PIECE && (ORDINARY_PIECES.has(piece.slice(1)) || ORDINARY_PIECES.has(piece.slice(0, -1)));

// Includes texts derived from the key, which reveal most of it.
function formsOf(key: string, piece: number): readonly string[] {
  const cut = key.length > 1 && key.length <= PIECE && piece === PIECE ? [key.slice(0, -1)] : [];
  if (key.length < PIECE) return [key, ...cut, ...base64Forms(key)];
  const forms = toAndFro([key, lookAlike(key)]);
  return [...forms, ...cut, ...toAndFro(forms.flatMap(base64Forms))];
}

const toAndFro = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => [text, Array.from(text).reverse().join('')]);

/** Parts of Base64 text that depend only on the key, for each of its three possible starts. */
function base64Forms(key: string): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.from(`${'\0'.repeat(offset)}${key}`)
      .toString('base64')
      .replaceAll('=', '');
    // The first group has bits of the text before; the last character may have bits of the text after.
    const own = encoded.slice(offset === 0 ? 0 : 4, (Buffer.byteLength(key) + offset) % 3 === 0 ? undefined : -1);
    return own.length >= 4 ? [own, own.replaceAll('+', '-').replaceAll('/', '_')] : [];
  });
}

const endsOf = (trace: string): readonly string[] =>
  [END, END + 1].flatMap((length) => [trace.slice(0, length), trace.slice(-length)]);

/** Rest of a key at a text's cut: too short as proof without the sign of the cut. */
const CUT = new RegExp(`[^\\s…]{${END},${PIECE - 1}}(?=…)`, 'g');

const withoutEnds = (text: string, ends: ReadonlySet<string>): string =>
  text.includes('…')
    ? text.replaceAll(CUT, (end) => {
        const left = [end, end.slice(-END)].find((piece) => ends.has(piece.toLowerCase()));
        return left === undefined ? end : `${end.slice(0, -left.length)}${REDACTED}`;
      })
    : text;
