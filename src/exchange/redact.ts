import { lookAlike } from './key-forms.js';

/** Replaces everything in a text that could be a key or a part of one. */
export type Redact = (text: string) => string;

/** What stands where a key, or a piece of one, was found. */
export const REDACTED = '[key]';

/**
 * Pieces at least this long are taken for a piece of the key, whatever stands around them: half the key, but never
 * fewer than 6 characters of a long key, since shorter pieces stand in ordinary words.
 */
const pieceLength = (key: string): number => Math.max(Math.min(key.length, 6), Math.ceil(key.length / 2));

/**
 * A redactor for the given keys. Finds each in any letter case, whole, percent-encoded, in Base64 at any of its three
 * alignments, JSON-escaped as any library does it, and pieces of at least half of it; a key of up to 6 characters is
 * found whole and with its last character cut.
 * @param keys in clear; the redactor keeps their pieces in memory, nothing of them leaves it
 */
export function redactor(keys: readonly string[]): Redact {
  const pieces = [...new Set(keys.filter(Boolean).flatMap(piecesOf))].sort((a, b) => b.length - a.length);
  if (pieces.length === 0) return (text) => text;
  const exact = new RegExp(pieces.map(escape).join('|'), 'gi');
  const runs = new RegExp(`(?:${escape(REDACTED)})+`, 'g');
  // Where the text goes on matching after one piece, the next piece overlaps it: cover the union of all matches.
  return (text) => (exact.test(reset(exact, text)) ? cover(text, exact).replace(runs, REDACTED) : text);
}

function piecesOf(key: string): string[] {
  // What is made of the key to look like it gives most of it away.
  const forms = [key, lookAlike(key)].flatMap((text) => [
    text,
    encodeURIComponent(text),
    ...jsonForms(text),
    ...base64Forms(text),
  ]);
  return forms
    .flatMap((form) => windows(form, Math.min(pieceLength(form), form.length)))
    .concat(key.length > 1 && key.length <= 6 ? [key.slice(0, -1)] : []);
}

/** JSON lets a writer escape more than it must: some escape the slash, some every sign that means something in HTML. */
const jsonForms = (key: string): string[] => [
  JSON.stringify(key).slice(1, -1),
  JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
  key.replace(/[^A-Za-z0-9]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
];

/** The parts of Base64 text that depend on the key alone, for each of the three places that it can start at. */
function base64Forms(key: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.from(`${'\0'.repeat(offset)}${key}`)
      .toString('base64')
      .replaceAll('=', '');
    // The first group holds bits of what stands before; the last character may hold bits of what comes after.
    const own = encoded.slice(offset === 0 ? 0 : 4, (Buffer.byteLength(key) + offset) % 3 === 0 ? undefined : -1);
    return own.length >= 4 ? [own, own.replaceAll('+', '-').replaceAll('/', '_')] : [];
  });
}

const windows = (text: string, length: number): string[] =>
  Array.from({ length: text.length - length + 1 }, (_, at) => text.slice(at, at + length));

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function reset(pattern: RegExp, text: string): string {
  pattern.lastIndex = 0;
  return text;
}

function cover(text: string, pattern: RegExp): string {
  const covered: [from: number, to: number][] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const last = covered.at(-1);
    const to = match.index + match[0].length;
    if (last && match.index <= last[1]) last[1] = Math.max(last[1], to);
    else covered.push([match.index, to]);
    pattern.lastIndex = match.index + 1;
  }
  let at = 0;
  const kept = covered.map(([from, to]) => {
    const piece = text.slice(at, from) + REDACTED;
    at = to;
    return piece;
  });
  return kept.join('') + text.slice(at);
}
