import { INT64, inInt64 } from '../../../base/kernel/json.js';
import { percentEncoded } from './queries.js';

/**
 * Requested id. `same`: the same animal in another spelling (RFC 3986 section 6.2.2.2); a router may refuse
 * it, but must not serve another animal. `other`: another int64, which gets 404 unless an animal has it
 * (`get-unknown`). `open`: no int64 as the interface writes one (`get-malformed-id`).
 */
interface AskedId {
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

/** Words that code takes for an id. */
const WORDS = 'null undefined NaN true __proto__ constructor a%20b %00 1,2 * %27 1e1'.split(' ');

/**
 * Origin of an id: an animal's id, as text and number, the largest id so far, and a number that picks one of
 * several.
 */
interface Origin {
  readonly id: string;
  readonly number: bigint;
  readonly newest: bigint;
  readonly variety: number;
}

const IDS = {
  'the id itself, percent-encoded': ({ id }) => ({ kind: 'same', path: percentEncoded(id), id }),
  'the next id': ({ number }) => other(number + 1n),
  'the id after the newest': ({ newest }) => other(newest + 1n),
  'the previous id': ({ number }) => other(number - 1n),
  'id 0': () => other(0n),
  'the id negated': ({ number }) => other(-number),
  'the largest id': () => other(INT64.max),
  'the smallest id': () => other(INT64.min),
  'the id plus 2^32': ({ number }) => other(number + 2n ** 32n),
  'the id plus 2^53': ({ number }) => other(number + 2n ** 53n),
  'ten times the id': ({ number }) => other(number * 10n),
  'the id plus a million': ({ number }) => other(number + 1_000_000n),
  'the id with a leading zero': ({ id }) => open(`0${id}`),
  'the id with a plus': ({ id }) => open(`%2B${id}`),
  'the id with a fraction': ({ id, variety }) => open(`${id}.${variety % 2 === 0 ? '0' : '9'}`),
  'the id with text after it': ({ id, variety }) =>
    open(`${id}${['abc', '%20', '%00', ';x', '-1'][variety % 5] ?? 'abc'}`),
  'the id plus 2^64': ({ number }) => open((number + 2n ** 64n).toString()),
  words: ({ variety }) => open(WORDS[variety % WORDS.length] ?? 'null'),
} as const satisfies Readonly<Record<string, (origin: Origin) => AskedId>>;

export type IdClass = keyof typeof IDS;

export const ID_CLASSES = Object.keys(IDS) as readonly IdClass[];

/**
 * Makes an id of a class from an animal's id.
 *
 * @param newest the largest id seen so far
 * @param variety picks one of several
 */
export const idFrom = (kind: IdClass, id: string, newest: bigint, variety: number): AskedId =>
  IDS[kind]({ id, number: BigInt(id), newest, variety });
