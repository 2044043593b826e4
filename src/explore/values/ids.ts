import { inInt64 } from '../../contract/json.js';

/** Ways to make an id from an animal's id; `idFrom` says what each stands for. */
export const ID_CLASSES = [
  'the id itself, percent-encoded',
  'the next id',
  'the id after the newest',
  'the previous id',
  'id 0',
  'the id negated',
  'the largest id',
  'the smallest id',
  'the id plus 2^32',
  'the id plus 2^53',
  'ten times the id',
  'the id plus a million',
  'the id with a leading zero',
  'the id with a plus',
  'the id with a fraction',
  'the id with text after it',
  'the id plus 2^64',
  'words',
] as const;

export type IdClass = (typeof ID_CLASSES)[number];

/**
 * Requested id. `same`: the same animal in another spelling (RFC 3986 section 6.2.2.2); a router may refuse it, but must not
 * serve another animal. `other`: another int64, which gets 404 unless an animal has it (`get-unknown`). `open`: no int64 as the
 * interface writes one (`get-malformed-id`).
 */
export interface AskedId {
  readonly kind: 'same' | 'other' | 'open';
  readonly path: string;
  /** Its digits if it is an int64. */
  readonly id: string | null;
}

const other = (id: bigint): AskedId =>
  inInt64(id)
    ? { kind: 'other', path: id.toString(), id: id.toString() }
    : { kind: 'open', path: id.toString(), id: null };

const open = (path: string): AskedId => ({ kind: 'open', path, id: null });

const encoded = (text: string): string =>
  Array.from(text, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`).join('');

/** Words that code takes for an id. */
const WORDS = [
  'null',
  'undefined',
  'NaN',
  'true',
  '__proto__',
  'constructor',
  'a%20b',
  '%00',
  '1,2',
  '*',
  '%27',
  '1e1',
];

/**
 * Makes an id of a class from an animal's id.
 * @param newest the largest id seen so far
 * @param variety picks one of several
 */
export function idFrom(kind: IdClass, id: string, newest: bigint, variety: number): AskedId {
  const number = BigInt(id);
  switch (kind) {
    case 'the id itself, percent-encoded':
      return { kind: 'same', path: encoded(id), id };
    case 'the next id':
      return other(number + 1n);
    case 'the id after the newest':
      return other(newest + 1n);
    case 'the previous id':
      return other(number - 1n);
    case 'id 0':
      return other(0n);
    case 'the id negated':
      return other(-number);
    case 'the largest id':
      return other(2n ** 63n - 1n);
    case 'the smallest id':
      return other(-(2n ** 63n));
    case 'the id plus 2^32':
      return other(number + 2n ** 32n);
    case 'the id plus 2^53':
      return other(number + 2n ** 53n);
    case 'ten times the id':
      return other(number * 10n);
    case 'the id plus a million':
      return other(number + 1_000_000n);
    case 'the id with a leading zero':
      return open(`0${id}`);
    case 'the id with a plus':
      return open(`%2B${id}`);
    case 'the id with a fraction':
      return open(`${id}.${variety % 2 === 0 ? '0' : '9'}`);
    case 'the id with text after it':
      return open(`${id}${['abc', '%20', '%00', ';x', '-1'][variety % 5] ?? 'abc'}`);
    case 'the id plus 2^64':
      return open((number + 2n ** 64n).toString());
    case 'words':
      return open(WORDS[variety % WORDS.length] ?? 'null');
  }
}
