/** A decoded text that maps each character to its place in the original. */
export interface Reading {
  readonly text: string;
  /** Computed on demand, because few readings contain a trace to locate. */
  readonly places: () => Places;
}

/** Start and end of each character of a reading in the original, in characters. */
interface Places {
  readonly from: (at: number) => number;
  readonly to: (at: number) => number;
}

/** Returns a text without decoding. */
export const undecoded = (text: string): Reading => ({
  text,
  places: () => ({ from: (at) => at, to: (at) => at + 1 }),
});

/** Most nested escapes to undo: a JSON text within a JSON text within an address. */
const ESCAPED_TWICE_AGAIN = 3;

/** Returns the reading, and its unescaped forms until one does not change. */
export function unescapings(reading: Reading): readonly Reading[] {
  const all = [reading];
  // In UTF-16 every other byte of a key is zero.
  if (reading.text.includes('\0')) all.push(rewritten(reading, /\0+/g, () => ''));
  for (let turn = 0; turn < ESCAPED_TWICE_AGAIN; turn++) {
    const last = all.at(-1) ?? reading;
    const next = rewritten(last, ESCAPE, meant);
    if (next.text === last.text) return all;
    all.push(next);
  }
  return all;
}

/** Ways to write one character as several: in addresses, JSON and JavaScript, HTML, quoted-printable, octal, a dump. */
const ESCAPE =
  /%([0-9a-f]{2})|\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})|&#x0*([0-9a-f]{1,6});?|&#0*(\d{1,7});?|&([a-z]{2,7});|=([0-9a-f]{2})|\\([0-3][0-7]{2})|\b0x([0-9a-f]{2})\b[,\s]*|\\(.)/gi;

/** Characters of keys that HTML has names for, each behind its name. */
const NAMED: Readonly<Record<string, string>> = Object.fromEntries(
  `amp& apos' ast* bsol\\ colon: comma, commat@ dollar$ equals= excl! grave\` gt> hat^ lbrace{ lowbar_ lpar( lsqb[ lt<
   num# percnt% period. plus+ quest? quot" rbrace} rpar) rsqb] semi; sol/ verbar|`
    .split(/\s+/)
    .map((named) => [named.slice(0, -1), named.slice(-1)]),
);

function meant(match: readonly string[]): string | undefined {
  const [, percent, unicode, braced, hex, entity, decimal, name, quoted, octal, dumped, plain] = match;
  if (name !== undefined) return NAMED[name.toLowerCase()];
  if (plain !== undefined) return plain;
  const code =
    decimal !== undefined
      ? Number(decimal)
      : octal !== undefined
        ? Number.parseInt(octal, 8)
        : Number.parseInt(percent ?? unicode ?? braced ?? hex ?? entity ?? quoted ?? dumped ?? '', 16);
  return code <= 0xffff ? String.fromCharCode(code) : undefined;
}

/** Returns the reading without other characters than letters and digits: separators of a key's pieces, or zero bytes. */
export const squeezed = (reading: Reading): Reading => rewritten(reading, /[^A-Za-z0-9]+/g, () => '');

/**
 * Returns a reading with each match of a pattern replaced.
 * @param meaning returns a match's character, an empty text for none, and undefined to keep the match
 */
const rewritten = (
  parent: Reading,
  pattern: RegExp,
  meaning: (match: readonly string[]) => string | undefined,
): Reading => ({
  text: parent.text.replaceAll(pattern, (...match) => meaning(match) ?? match[0]),
  places: () => {
    const { length } = parent.text;
    const [begins, ends] = [new Int32Array(length), new Int32Array(length)];
    const { from, to } = parent.places();
    let next = 0;
    let at = 0;
    const put = (start: number, end: number): void => {
      begins[next] = from(start);
      ends[next++] = to(end - 1);
    };
    /** Maps the characters before a match one to one. */
    const keepUntil = (end: number): void => {
      for (; at < end; at++) put(at, at + 1);
    };
    for (const match of parent.text.matchAll(pattern)) {
      const character = meaning(match);
      if (character === undefined) continue;
      keepUntil(match.index);
      at += match[0].length;
      if (character !== '') put(match.index, at);
    }
    keepUntil(length);
    return { from: (place) => begins[place] ?? 0, to: (place) => ends[place] ?? 0 };
  },
});

/** Base64 long enough for six characters of a key that are encoded twice, or as two bytes each. */
const BASE64 = /[A-Za-z0-9+/_-]{11,}/g;

/** At least six characters in hexadecimal digits. */
const HEX = /[0-9a-f]{12,}/gi;

/** At least six characters by their numbers, as in a list of bytes. */
const NUMBERS = /\d{1,3}(?:\D{1,3}\d{1,3}){5,}/g;

/** Decodes parts of a reading: Base64 with any start, hexadecimal digits, lists of numbers. */
export function* decodings(reading: Reading, bare: Reading): Generator<Reading> {
  for (const { 0: run, index } of reading.text.matchAll(BASE64))
    for (const shift of [0, 1, 2, 3]) yield ofBytes(reading, index + shift, run.slice(shift), 'base64', 6);
  for (const { 0: run, index } of bare.text.matchAll(HEX))
    for (const shift of [0, 1]) yield ofBytes(bare, index + shift, run.slice(shift), 'hex', 4);
  for (const { 0: run, index } of reading.text.matchAll(NUMBERS)) yield ofNumbers(reading, index, run);
}

function ofBytes(parent: Reading, start: number, run: string, encoding: 'base64' | 'hex', bits: number): Reading {
  return {
    text: Buffer.from(run, encoding).toString('latin1'),
    places: () => {
      const { from, to } = parent.places();
      return {
        from: (at) => from(start + Math.floor((at * 8) / bits)),
        to: (at) => to(start + Math.floor((at * 8 + 7) / bits)),
      };
    },
  };
}

const ofNumbers = (parent: Reading, start: number, run: string): Reading =>
  rewritten({ text: run, places: () => shifted(parent.places(), start) }, /\d+|\D+/g, ([part = '']) =>
    /\d/.test(part) ? String.fromCharCode(Number(part)) : '',
  );

const shifted = ({ from, to }: Places, by: number): Places => ({
  from: (at) => from(by + at),
  to: (at) => to(by + at),
});
