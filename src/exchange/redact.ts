import { END, PIECE, tracesOf } from './key-traces.js';
import { asItStands, decodings, squeezed, unescapings, type Reading } from './readings.js';

/** Replaces everything in a text that could be a key or a part of one. */
export type Redact = (text: string) => string;

declare const CLEAN: unique symbol;

/** Something whose every text has gone through a redactor. Only what redacts makes one, and the reader of what was kept. */
export type Redacted<T> = T & { readonly [CLEAN]: true };

/** What stands where a key, or a piece of one, was found. */
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

/** What is left of a key where a text was cut: no piece that is told from chance, but for the sign that it was cut. */
const CUT = new RegExp(`[^\\s…]{${END},${PIECE - 1}}(?=…)`, 'g');

const withoutEnds = (text: string, ends: ReadonlySet<string>): string =>
  text.includes('…')
    ? text.replaceAll(CUT, (end) => {
        const left = [end, end.slice(-END)].find((piece) => ends.has(piece.toLowerCase()));
        return left === undefined ? end : `${end.slice(0, -left.length)}${REDACTED}`;
      })
    : text;
