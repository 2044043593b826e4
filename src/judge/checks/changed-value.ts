import { integerOf, type Json } from '../../base/kernel/json.js';
import { describe } from '../findings/describe.js';
import { onlyDigitsLost } from './rounded-ids.js';

/** What a service did to a value, as kinds of findings name it. A baseline that accepts one accepts no other. */
export const MANNERS = [
  'rounded',
  'wrapped',
  'cut',
  'sign lost',
  'as text',
  'as 0',
  'missing',
  'empty',
  'in another case',
  'without blanks',
  'in another encoding',
] as const;
type Manner = (typeof MANNERS)[number];

/**
 * Returns what became of a value, as far as it shows; null for equal values, and where nothing fits: then it
 * is only another value. Pure.
 */
export function mannerOf(expected: Json | undefined, actual: Json | undefined): Manner | null {
  if (actual === null || actual === undefined)
    return expected === null || expected === undefined ? null : 'missing';
  const [one, other] = [integerIn(expected), integerOf(actual)];
  if (one !== null && other !== null) return ofIntegers(one, other);
  if (one !== null && typeof actual === 'string') return actual.trim() === String(one) ? 'as text' : null;
  return typeof expected === 'string' && typeof actual === 'string' ? ofTexts(expected, actual) : null;
}

/** A member with what became of its value, for a kind: “categoryId rounded”. */
export function withManner(member: string, ...[expected, actual]: Parameters<typeof mannerOf>): string {
  const manner = mannerOf(expected, actual);
  return manner === null ? member : `${member} ${manner}`;
}

/** Quotes a returned value. Names the Unicode form of a text that looks like the expected one. */
export function describeUnlike(expected: Json | undefined, actual: Json | undefined): string {
  const quoted = describe(actual);
  if (typeof expected !== 'string' || typeof actual !== 'string' || expected === actual) return quoted;
  if (expected.normalize() !== actual.normalize()) return quoted;
  const form = ['NFC', 'NFD'].find((name) => actual === actual.normalize(name));
  return `${quoted} (looks the same, ${form ? `in Unicode form ${form}` : 'in other code points'})`;
}

/** Is true if a part of a kind is of a member, whatever became of its value. */
export const isOfMember = (part: string, member: string): boolean =>
  part === member || MANNERS.some((manner) => part === `${member} ${manner}`);

/** Reads an integer, also from the digits that a request sent. */
function integerIn(value: Json | undefined): bigint | null {
  if (typeof value === 'string') return /^-?\d+$/.test(value) ? BigInt(value) : null;
  return integerOf(value);
}

/** Sizes of integers that languages and databases have. */
const BITS = [8, 16, 24, 32, 53, 63, 64] as const;

function ofIntegers(one: bigint, other: bigint): Manner | null {
  if (one === other) return null;
  if (other === 0n) return 'as 0';
  if (other === -one) return 'sign lost';
  if (onlyDigitsLost(one, other) || Number(other) === Math.fround(Number(one))) return 'rounded';
  if (BITS.some((bits) => other === BigInt.asIntN(bits, one) || other === BigInt.asUintN(bits, one)))
    return 'wrapped';
  const [digits, left] = [String(one).replace('-', ''), String(other).replace('-', '')];
  const isBound = BITS.some((bits) =>
    [2n ** BigInt(bits), 2n ** BigInt(bits - 1)].some((end) => other === end - 1n || other === -end),
  );
  return isBound || digits.startsWith(left) || digits.endsWith(left) ? 'cut' : null;
}

function ofTexts(one: string, other: string): Manner | null {
  if (one === other) return null;
  if (other === '') return 'empty';
  if (one.trim() === other.trim()) return 'without blanks';
  if (one.toLowerCase() === other.toLowerCase()) return 'in another case';
  if (one.startsWith(other)) return 'cut';
  return one.normalize('NFKD') === other.normalize('NFKD') || withoutLetters(one) === withoutLetters(other)
    ? 'in another encoding'
    : null;
}

/** What every encoding keeps of a text: its ASCII characters, without the mark of a lost one. */
const withoutLetters = (text: string): string => text.replaceAll(/[^\u0020-\u007e]|\?/g, '');
