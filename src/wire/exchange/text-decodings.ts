/** Most nested encodings to undo: Base64 in Base64, digits in Base64. */
const ENCODED_TWICE = 2;

interface Reading {
  readonly text: string;
  /** True if only the letters and digits are left, so that what stands side by side may come from two words. */
  readonly isSqueezed: boolean;
}

/**
 * Returns whether one of all the readings of a text has a property: as it stands, unescaped, without
 * separators, and what its parts decode to, two encodings deep.
 */
export function someReading(text: string, has: (reading: Reading) => boolean): boolean {
  for (const reading of readings(text)) if (has(reading)) return true;
  return false;
}

function* readings(text: string, layers = ENCODED_TWICE): Generator<Reading> {
  for (const each of unescapings(text)) {
    const letters = each.replaceAll(/[^A-Za-z0-9]+/g, '');
    yield { text: each, isSqueezed: false };
    yield { text: letters, isSqueezed: true };
    if (layers === 0) continue;
    for (const decoded of decodings(each, letters)) yield* readings(decoded, layers - 1);
  }
}

/** Most nested escapes to undo: a JSON text within a JSON text within an address. */
const ESCAPED_TWICE_AGAIN = 3;

/** Returns the text, and its unescaped forms until one does not change. */
function unescapings(text: string): readonly string[] {
  const all = [text];
  // In UTF-16 every other byte of a key is zero.
  if (text.includes('\0')) all.push(text.replaceAll('\0', ''));
  for (let turn = 0; turn < ESCAPED_TWICE_AGAIN; turn++) {
    const last = all.at(-1) ?? text;
    const next = last.replaceAll(ESCAPE, (...match: string[]) => meant(match) ?? match[0] ?? '');
    if (next === last) return all;
    all.push(next);
  }
  return all;
}

/**
 * Ways to write one character as several: in addresses, JSON and JavaScript, HTML, quoted-printable, octal, a
 * dump.
 */
const ESCAPE = new RegExp(
  [
    /%([0-9a-f]{2})/,
    /\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})/,
    /&#x0*([0-9a-f]{1,6});?|&#0*(\d{1,7});?|&([a-z]{2,7});/,
    /=([0-9a-f]{2})/,
    /\\([0-3][0-7]{2})/,
    /\b0x([0-9a-f]{2})\b[,\s]*/,
    /\\(.)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

/** Characters of keys that HTML has names for, each behind its name. */
const NAMED: Readonly<Record<string, string>> = Object.fromEntries(
  `amp& apos' ast* bsol\\ colon: comma, commat@ dollar$ equals= excl! grave\` gt> hat^ lbrace{ lowbar_ lpar( lsqb[ lt<
   num# percnt% period. plus+ quest? quot" rbrace} rpar) rsqb] semi; sol/ verbar|`
    .split(/\s+/)
    .map((named) => [named.slice(0, -1), named.slice(-1)]),
);

function meant(match: readonly (string | undefined)[]): string | undefined {
  const [, percent, unicode, braced, hex, entity, decimal, name, quoted, octal, dumped, plain] = match;
  if (name !== undefined) return NAMED[name.toLowerCase()];
  if (plain !== undefined) return plain;
  if (decimal !== undefined) return characterOf(Number(decimal));
  if (octal !== undefined) return characterOf(Number.parseInt(octal, 8));
  return characterOf(
    Number.parseInt(percent ?? unicode ?? braced ?? hex ?? entity ?? quoted ?? dumped ?? '', 16),
  );
}

const characterOf = (code: number): string | undefined =>
  code <= 0xffff ? String.fromCharCode(code) : undefined;

/** Base64 long enough for six characters of a key that are encoded twice, or as two bytes each. */
const BASE64 = /[A-Za-z0-9+/_-]{11,}/g;

/** At least six characters in hexadecimal digits. */
const HEX = /[0-9a-f]{12,}/gi;

/** At least six characters by their numbers, as in a list of bytes. */
const NUMBERS = /\d{1,3}(?:\D{1,3}\d{1,3}){5,}/g;

/**
 * Decodes parts of a text: Base64 with any start, hexadecimal digits, lists of numbers.
 *
 * @param letters the text without separators, which a hex dump has
 */
function* decodings(text: string, letters: string): Generator<string> {
  for (const [run] of text.matchAll(BASE64))
    for (const start of [0, 1, 2, 3]) yield Buffer.from(run.slice(start), 'base64').toString('latin1');
  for (const [run] of letters.matchAll(HEX))
    for (const start of [0, 1]) yield Buffer.from(run.slice(start), 'hex').toString('latin1');
  for (const [run] of text.matchAll(NUMBERS))
    yield run.replaceAll(/(\d+)\D*/g, (_, number: string) => String.fromCharCode(Number(number)));
}
