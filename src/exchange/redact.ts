import { asItStands, decodings, squeezed, unescapings, type Reading } from './readings.js';
import { lookAlike } from './key-forms.js';

/** Replaces everything in a text that could be a key or a part of one. */
export type Redact = (text: string) => string;

declare const CLEAN: unique symbol;

/** Something whose every text has gone through a redactor. Only what redacts makes one, and the reader of what was kept. */
export type Redacted<T> = T & { readonly [CLEAN]: true };

/** Replacement for a key, or for a piece of one. */
export const REDACTED = '[key]';

/**
 * A redactor for the given keys. Finds each in any letter case, whole and in pieces of at least six characters, as it
 * stands, backwards, with something between its characters, and in whatever decodes to that: escapes of addresses, JSON
 * and HTML, Base64 at any of its alignments, hexadecimal digits, lists of bytes, UTF-16, and two of these over one
 * another. A key of fewer characters is found whole and with its last character cut, as it stands or escaped.
 * @param keys in clear; the redactor keeps their pieces in memory, nothing of them leaves it
 */
export function redactor(keys: readonly string[]): Redact {
  const given = [...new Set(keys.filter(Boolean))];
  if (given.length === 0) return (text) => text;
  const traces = tracesOf(given);
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
  return (text) => withoutEnds(covered(text, find(asItStands(text), ENCODED_TWICE)), traces.ends);
}

/** Encodings over one another that are undone: Base64 in Base64, digits in Base64. */
const ENCODED_TWICE = 2;

/** A trace of a key in the first text. */
interface Found {
  readonly from: number;
  readonly to: number;
  /** As many characters have to be found together with it before it tells anything. */
  readonly needed: number;
}

/** Slots of the table that is asked before a piece is cut out of a text to be looked up: some hundred times the traces. */
const SLOTS = 1 << 18;

/** The base of a rolling hash (Rabin and Karp): any odd number above the characters' codes of ASCII. */
const BASE = 0x1000193;

/** Finds the traces of one length in one pass over a text; of those that overlap, one. */
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

/** Adds a span that begins at the last of the others or after it; the two are one where they touch. */
function add(spans: Found[], { from, to, needed }: Found): void {
  const last = spans.at(-1);
  if (last === undefined || from > last.to) spans.push({ from, to, needed });
  else spans[spans.length - 1] = { from: last.from, to: Math.max(last.to, to), needed: Math.min(last.needed, needed) };
}

/** In lower case, each character in its place: a few letters of Unicode become two. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The text with the placeholder over all that was found; where one trace goes on in the next, over both. */
function covered(text: string, found: readonly Found[]): string {
  if (found.length === 0) return text;
  const spans: Found[] = [];
  for (const span of [...found].sort((a, b) => a.from - b.from)) add(spans, span);
  let at = 0;
  let clean = '';
  for (const { from, to } of spans.filter(({ from, to, needed }) => to - from >= needed)) {
    clean += text.slice(at, from) + REDACTED;
    at = to;
  }
  return (clean + text.slice(at)).replaceAll(REPEATED, REDACTED);
}

const REPEATED = /(?:\[key\]){2,}/g;

/** What gives keys away wherever it stands in a text, in lower case. */
interface Traces {
  /**
   * Each trace with the characters that have to be found together before it tells anything: 0 for one that tells by
   * itself, half the key for one that stands in ordinary words. By length, in characters.
   */
  readonly byLength: ReadonlyMap<number, ReadonlyMap<string, number>>;
  /** The same of letters and digits alone, for texts in which something stands between them. */
  readonly squeezed: ReadonlyMap<number, ReadonlyMap<string, number>>;
  /** Beginnings and ends of traces: what may be left of one where a text was cut. */
  readonly ends: ReadonlySet<string>;
}

/** Fewer characters than this stand in ordinary words and numbers; so many of a key in a row are a piece of it. */
const PIECE = 6;

/** A piece this long at the end of a text that was cut is what is left of a longer one; one of 3 would be chance. */
const END = 4;

/** The words of the interface and of HTTP: that a key holds one gives nothing away, since they stand everywhere. */
const ORDINARY = `
  petstore pet store listpets createpet getpet categoryid category available pending sold status message
  free business enterprise sacrificial professional production staging sandbox default server service
  application/json charset=utf-8 authorization bearer api-key apikey api_key access_token x-api-key
  x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset retry-after deprecation sunset content-type content-length
  connection keep-alive transfer-encoding location another request requests answer answers within window minute
`;

/**
 * The traces of keys: every piece of six characters of the key, of its look-alike and of what either is in Base64, to
 * and fro. Of a key of no more characters also the whole but for its last.
 * @param keys in clear, none empty
 */
function tracesOf(keys: readonly string[]): Traces {
  const byLength = new Map<number, Map<string, number>>();
  const squeezed = new Map<number, Map<string, number>>();
  for (const key of keys) {
    const forms = formsOf(key);
    for (const form of forms) enter(byLength, form, key);
    // A short one stands between the words of any sentence, once what parts them is gone.
    for (const form of forms.map(squeeze).filter(({ length }) => length >= PIECE)) enter(squeezed, form, key);
  }
  return { byLength, squeezed, ends: new Set([...(byLength.get(PIECE)?.keys() ?? [])].flatMap(endsOf)) };
}

/** A text without all that is neither letter nor digit. */
const squeeze = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '');

function enter(traces: Map<number, Map<string, number>>, form: string, key: string): void {
  const length = Math.min(PIECE, form.length);
  const entered = traces.get(length) ?? new Map<string, number>();
  traces.set(length, entered);
  for (let at = 0; at + length <= form.length; at++) {
    const piece = form.slice(at, at + length).toLowerCase();
    const needed = isOrdinary(piece) ? Math.ceil(key.length / 2) : 0;
    entered.set(piece, Math.min(needed, entered.get(piece) ?? needed));
  }
}

/** Whether a key is such a word itself, so that what holds it tells nothing. */
export const isOrdinaryWord = (key: string): boolean => ORDINARY.includes(key.toLowerCase());

/** One character more than a part of an ordinary word tells no more than the word. */
const isOrdinary = (piece: string): boolean =>
  piece.length === PIECE && (ORDINARY.includes(piece.slice(1)) || ORDINARY.includes(piece.slice(0, -1)));

// What is made of the key to look like it gives most of it away.
function formsOf(key: string): readonly string[] {
  const cut = key.length > 1 && key.length <= PIECE ? [key.slice(0, -1)] : [];
  if (key.length < PIECE) return [key, ...cut, ...base64Forms(key)];
  const forms = toAndFro([key, lookAlike(key)]);
  return [...forms, ...cut, ...toAndFro(forms.flatMap(base64Forms))];
}

const toAndFro = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => [text, Array.from(text).reverse().join('')]);

/** The parts of Base64 text that depend on the key alone, for each of the three places that it can start at. */
function base64Forms(key: string): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.from(`${'\0'.repeat(offset)}${key}`)
      .toString('base64')
      .replaceAll('=', '');
    // The first group holds bits of what stands before; the last character may hold bits of what comes after.
    const own = encoded.slice(offset === 0 ? 0 : 4, (Buffer.byteLength(key) + offset) % 3 === 0 ? undefined : -1);
    return own.length >= 4 ? [own, own.replaceAll('+', '-').replaceAll('/', '_')] : [];
  });
}

const endsOf = (trace: string): readonly string[] =>
  [END, END + 1].flatMap((length) => [trace.slice(0, length), trace.slice(-length)]);

/** What is left of a key where a text was cut: no piece that is told from chance, but for the sign that it was cut. */
const CUT = new RegExp(`[^\\s…]{${END},${PIECE - 1}}(?=…)`, 'g');

const withoutEnds = (text: string, ends: ReadonlySet<string>): string =>
  text.includes('…')
    ? text.replaceAll(CUT, (end) => {
        const left = [end, end.slice(-END)].find((piece) => ends.has(piece.toLowerCase()));
        return left === undefined ? end : `${end.slice(0, -left.length)}${REDACTED}`;
      })
    : text;
