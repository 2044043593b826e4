import { RATE_FIELDS } from '../../base/interface/rate-headers.js';
import { keyNames } from '../../base/interface/names.js';
import { lookAlike } from './key-forms.js';
import { someReading } from './text-decodings.js';

/** Length of a piece that proves a key; shorter ones occur in ordinary words and numbers. */
export const PIECE = 6;

/**
 * Length of a piece that proves a key where only letters and digits are left of a text: of six, the words of
 * ordinary sentences hold one by chance, in every fiftieth run with five random keys.
 */
const SQUEEZED_PIECE = 10;

/** Parts of keys that reveal them in any text, in lower case. */
export interface Traces {
  /**
   * Pieces of six characters, each with the number of connected characters that prove a key: 0 for most, half
   * the key for a piece of ordinary words.
   */
  readonly pieces: ReadonlyMap<string, number>;
  /** Shorter traces, which only short keys have. */
  readonly short: readonly string[];
  /** Connected characters that prove a key where only letters and digits are left of a text. */
  readonly squeezed: number;
}

/**
 * Collects the traces of keys: every piece of six characters of the key, its look-alike and their Base64, in
 * both directions, with separators and without. Of a short key also the part without the last character.
 *
 * @param keys in clear, none empty
 */
export function tracesOf(keys: readonly string[]): Traces {
  const pieces = new Map<string, number>();
  const short = new Set<string>();
  for (const key of keys) {
    const forms = formsOf(key);
    for (const piece of forms.concat(forms.map(squeeze)).flatMap(piecesOf)) {
      const needed = isOrdinary(piece) ? Math.ceil(key.length / 2) : 0;
      pieces.set(piece, Math.min(needed, pieces.get(piece) ?? needed));
    }
    for (const form of [...forms, ...cutForms(key)]) if (form.length < PIECE) short.add(form.toLowerCase());
  }
  const squeezed = Math.min(SQUEEZED_PIECE, ...keys.map((key) => Math.max(PIECE, squeeze(key).length)));
  return { pieces, short: [...short], squeezed };
}

/** Returns the traces without the pieces that stand in one of the texts. */
export function tracesBeside({ pieces, ...others }: Traces, texts: readonly string[]): Traces {
  const inTexts = new Set([...texts, ...texts.map(squeeze)].flatMap(piecesOf));
  return { ...others, pieces: new Map([...pieces].filter(([piece]) => !inTexts.has(piece))) };
}

/** Returns whether a text holds a whole key of at least six characters, in any of its encodings. */
export function wholeKeyFinder(keys: readonly string[]): (text: string) => boolean {
  const long = keys.filter(({ length }) => length >= PIECE).flatMap(formsOf);
  const forms = [...new Set([...long, ...long.map(squeeze)])]
    .filter(({ length }) => length >= PIECE)
    .map((form) => form.toLowerCase());
  return (text) =>
    someReading(text, (reading) => forms.some((form) => reading.text.toLowerCase().includes(form)));
}

/** Bits of the checksum that is compared before a piece is looked up: three for each of its six characters. */
const CHECKSUM_BITS = 3 * PIECE;

/** Returns a function that decides whether a text holds a trace, in any of its encodings. */
export function traceFinder({ pieces, short, squeezed }: Traces): (text: string) => boolean {
  const holdsPiece = pieceFinder(pieces);
  return (text) =>
    someReading(text, (reading) => {
      const lower = reading.text.toLowerCase();
      // Without separators, a short one may occur between the words of any sentence.
      if (reading.isSqueezed) return holdsPiece(lower, squeezed);
      return holdsPiece(lower, 0) || short.some((trace) => lower.includes(trace));
    });
}

/**
 * Returns a function that searches a text in lower case for pieces, in one pass.
 *
 * @returns a function with the text, and the least connected characters that prove a key
 */
function pieceFinder(pieces: Traces['pieces']): (text: string, least: number) => boolean {
  // Shifted by three bits a character, the checksum forgets a character after six.
  const mask = 2 ** CHECKSUM_BITS - 1;
  const known = new Uint8Array(mask + 1);
  const after = (checksum: number, code: number): number => ((checksum << 3) ^ code) & mask;
  for (const piece of pieces.keys()) {
    let checksum = 0;
    for (let at = 0; at < PIECE; at++) checksum = after(checksum, piece.charCodeAt(at));
    known[checksum] = 1;
  }
  return (text, least) => {
    let checksum = 0;
    let connected = { from: 0, to: -1, needed: 0 };
    for (let at = 0; at < text.length; at++) {
      checksum = after(checksum, text.charCodeAt(at));
      const from = at + 1 - PIECE;
      if (known[checksum] === 0 || from < 0) continue;
      const own = pieces.get(text.slice(from, at + 1));
      if (own === undefined) continue;
      const needed = Math.max(own, least);
      if (from > connected.to) connected = { from, to: at + 1, needed };
      else connected = { from: connected.from, to: at + 1, needed: Math.min(needed, connected.needed) };
      if (connected.to - connected.from >= connected.needed) return true;
    }
    return false;
  };
}

const piecesOf = (text: string): readonly string[] => {
  const lower = text.toLowerCase();
  return Array.from({ length: Math.max(0, lower.length + 1 - PIECE) }, (_, at) =>
    lower.slice(at, at + PIECE),
  );
};

const squeeze = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '');

/**
 * Words of the interface, of HTTP and of reports (“the free key”). They are everywhere, so one in a key
 * reveals nothing.
 */
const ORDINARY = `
  petstore pet store listpets createpet getpet categoryid category available pending sold status message
  ${keyNames.map((name) => `${name}key ${name}`).join(' ')}
  professional production staging sandbox default server service
  application/json charset=utf-8 authorization bearer api-key apikey api_key access_token x-api-key
  ${Object.values(RATE_FIELDS).join(' ')} retry-after deprecation sunset content-type content-length
  connection keep-alive transfer-encoding location another request requests answer answers within window minute
`;

/** A text with such a key reveals nothing. */
export const isOrdinaryWord = (key: string): boolean => ORDINARY.includes(key.toLowerCase());

/** Pieces of ordinary words, one character shorter than one that proves a key. */
const ORDINARY_PIECES = new Set(Array.from(ORDINARY, (_, at) => ORDINARY.slice(at, at + PIECE - 1)));

/** True also for one character more than a part of an ordinary word, which reveals as little. */
const isOrdinary = (piece: string): boolean =>
  ORDINARY_PIECES.has(piece.slice(1)) || ORDINARY_PIECES.has(piece.slice(0, -1));

/** Returns a key and the texts derived from it, which reveal most of it. */
function formsOf(key: string): readonly string[] {
  if (key.length < PIECE) return [key, ...base64Forms(key)];
  const forms = toAndFro([key, lookAlike(key)]);
  return [...forms, ...toAndFro(forms.flatMap(base64Forms))];
}

/** Returns what a short key is without its last character, if a text can be searched for that. */
const cutForms = (key: string): readonly string[] =>
  key.length > 1 && key.length <= PIECE ? [key.slice(0, -1)] : [];

const toAndFro = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => [text, Array.from(text).reverse().join('')]);

/** Parts of Base64 text that depend only on the key, for each of its three possible starts. */
export function base64Forms(key: string): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.from(`${'\0'.repeat(offset)}${key}`)
      .toString('base64')
      .replaceAll('=', '');
    // The first group has bits of the text before; the last character may have bits of the text after.
    const own = encoded.slice(
      offset === 0 ? 0 : 4,
      (Buffer.byteLength(key) + offset) % 3 === 0 ? undefined : -1,
    );
    return own.length >= 4 ? [own, own.replaceAll('+', '-').replaceAll('/', '_')] : [];
  });
}
