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
  if (reading.text.includes('\0')) all.push(without(/\0+/g, reading));
  for (let turn = 0; turn < ESCAPED_TWICE_AGAIN; turn++) {
    const next = unescaped(all.at(-1) ?? reading);
    if (!next) return all;
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

function unescaped(reading: Reading): Reading | undefined {
  const text = reading.text.replaceAll(ESCAPE, (...match) => meant(match) ?? match[0]);
  if (text === reading.text) return undefined;
  return {
    text,
    places: () => {
      const table = tableOf(text.length, reading);
      let at = 0;
      for (const match of reading.text.matchAll(ESCAPE)) {
        const character = meant(match);
        if (character === undefined) continue;
        table.stretch(at, match.index);
        at = match.index + match[0].length;
        table.put(match.index, at);
      }
      table.stretch(at, reading.text.length);
      return table.places;
    },
  };
}

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
export const squeezed = (reading: Reading): Reading => without(/[^A-Za-z0-9]+/g, reading);

const without = (dropped: RegExp, reading: Reading): Reading => ({
  text: reading.text.replaceAll(dropped, ''),
  places: () => {
    const table = tableOf(reading.text.length, reading);
    let at = 0;
    for (const { 0: gap, index } of reading.text.matchAll(dropped)) {
      table.stretch(at, index);
      at = index + gap.length;
    }
    table.stretch(at, reading.text.length);
    return table.places;
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

const ofNumbers = (parent: Reading, start: number, run: string): Reading => ({
  text: run.replaceAll(/(\d+)\D*/g, (_, digits: string) => String.fromCharCode(Number(digits))),
  places: () => {
    const table = tableOf(run.length, parent);
    for (const { 0: digits, index } of run.matchAll(/\d+/g)) table.put(start + index, start + index + digits.length);
    return table.places;
  },
});

/** Maps a reading's characters, in their order, to their places in its parent. */
function tableOf(length: number, parent: Reading) {
  const [begins, ends] = [new Int32Array(length), new Int32Array(length)];
  const { from, to } = parent.places();
  let next = 0;
  /** Maps one character to several of the parent. */
  const put = (start: number, end: number): void => {
    begins[next] = from(start);
    ends[next++] = to(end - 1);
  };
  /** Maps unchanged characters one to one. */
  const stretch = (start: number, end: number): void => {
    for (let at = start; at < end; at++) put(at, at + 1);
  };
  const places: Places = { from: (at) => begins[at] ?? 0, to: (at) => ends[at] ?? 0 };
  return { put, stretch, places };
}
