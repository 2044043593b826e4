import { lookAlike } from './key-forms.js';

/** What gives keys away wherever it stands in a text, in lower case. */
export interface Traces {
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
export const PIECE = 6;

/** A piece this long at the end of a text that was cut is what is left of a longer one; one of 3 would be chance. */
export const END = 4;

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
export function tracesOf(keys: readonly string[]): Traces {
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
