import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import { count } from '../format/format.js';

/** A JSON value whose numbers keep the digits that were written. */
export type Json = null | boolean | string | LosslessNumber | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** The outcome of reading a text as JSON. */
export type JsonReading =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly problem: string };

/**
 * Deeper than this is not read: RFC 8259 section 9 lets a reader set a limit, no answer of the interface goes deeper
 * than 3, and recursive readers run out of stack somewhere past 5,000.
 */
const MAX_DEPTH = 1000;

/** Reads JSON without losing a digit. Duplicate members and excessive nesting are problems, never exceptions. */
export function readJson(text: string): JsonReading {
  const plain = readPlain(text);
  if (plain !== undefined) return { ok: true, value: plain };
  if (depthOf(text) > MAX_DEPTH) return { ok: false, problem: `nested more than ${count(MAX_DEPTH)} levels deep` };
  try {
    return { ok: true, value: whole(parse(text) as Json) };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * What a double or `JSON.parse` might lose or overlook: numbers that are not plain integers of at most 15 digits, and a
 * member that would be a prototype. A number stands at the beginning, or behind one of these characters or a blank; what looks
 * like one inside a string costs nothing but time.
 */
const NEEDS_LOSSLESS = /(?:^|[\s:,[])-?(?:\d{16}|\d+[.eE])|(?:^|[\s:,[])-0|__proto__/;

/** Deeper than this the plain way is not gone, because it walks the value with the stack. */
const PLAIN_DEPTH = 16;

/**
 * The same value as the lossless reader gives, in half the time, for a text in which nothing can get lost; undefined for
 * any other. Each member has a colon of its own: where there are as many as members, none stands twice.
 */
function readPlain(text: string): Json | undefined {
  if (NEEDS_LOSSLESS.test(text)) return undefined;
  const counted = { members: 0 };
  try {
    const value = lossless(JSON.parse(text), counted, PLAIN_DEPTH);
    return counted.members === colonsIn(text) ? value : undefined;
  } catch {
    // The lossless reader says in its own words what is wrong.
    return undefined;
  }
}

/** A string is skipped as a whole, so that what stands in it does not count. */
const STRING_OR_COLON = /"[^"\\]*(?:\\.[^"\\]*)*"|:/gs;

/** The colons of a JSON text outside of its strings. */
function colonsIn(text: string): number {
  let count = 0;
  for (const [token] of text.matchAll(STRING_OR_COLON)) if (token === ':') count += 1;
  return count;
}

/**
 * The same value, its strings each in one piece. The lossless reader puts them together sign by sign, and what it gives
 * takes thirty times the memory until somebody looks into it.
 */
function whole(value: Json): Json {
  if (typeof value === 'string') value.charCodeAt(0);
  else if (isNumber(value)) value.value.charCodeAt(0);
  else if (typeof value === 'object' && value !== null) Object.values(value as JsonObject).forEach(whole);
  return value;
}

/** Puts the numbers of a value that was just read into the form in which they keep their digits. Throws RangeError where it is deep. */
function lossless(value: unknown, counted: { members: number }, depth: number): Json {
  if (typeof value === 'number') return new LosslessNumber(String(value));
  if (typeof value !== 'object' || value === null) return value as Json;
  if (depth === 0) throw new RangeError('nested deeply');
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) value[at] = lossless(value[at], counted, depth - 1);
    return value as Json;
  }
  const object = value as Record<string, unknown>;
  for (const name in object) {
    counted.members += 1;
    object[name] = lossless(object[name], counted, depth - 1);
  }
  return object as JsonObject;
}

/** The deepest nesting of brackets outside strings; right for any JSON text, an upper bound for broken ones. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (inString) {
      if (character === 0x5c) at += 1;
      else if (character === 0x22) inString = false;
    } else if (character === 0x22) inString = true;
    else if (character === 0x5b || character === 0x7b) deepest = Math.max(deepest, (depth += 1));
    else if (character === 0x5d || character === 0x7d) depth -= 1;
  }
  return deepest;
}

/** A JSON value as text, numbers with the digits that they were read with. */
export const writeJson = (value: Json): string => stringify(value) ?? 'null';

/** Whether a value is a JSON number. */
export const isNumber = (value: Json | undefined): value is LosslessNumber => isLosslessNumber(value);

/** Whether a value is a JSON object. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);

/** A member of an object that is its own; a member named `__proto__` or `constructor` fools nobody. */
export const member = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Exponents past this make no int64 and would cost memory to write out. */
const MAX_EXPONENT = 400;

/**
 * The integer that a JSON number's text denotes, whichever way it is written (`1.0` and `1e0` are 1); null when it has
 * a fraction or is too large to be any integer of the interface.
 */
export function integerOf({ value }: LosslessNumber): bigint | null {
  if (isPlainInteger(value)) return BigInt(value);
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(value);
  if (!match) return null;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return 0n;
  const exponent = Number(exponentText) - fraction.length;
  if (exponent > MAX_EXPONENT || digits.length > MAX_EXPONENT) return null;
  if (exponent >= 0) return BigInt(`${sign}${digits}${'0'.repeat(exponent)}`);
  const cut = digits.length + exponent;
  return cut > 0 && /^0*$/.test(digits.slice(cut)) ? BigInt(`${sign}${digits.slice(0, cut)}`) : null;
}

/** Number of digits that every double preserves. */
const PLAIN_DIGITS = 15;

/** Whether a number is written as a plain integer that a double keeps: nearly all are. */
export function isPlainInteger(text: string): boolean {
  const from = text.charCodeAt(0) === 0x2d ? 1 : 0;
  if (text.length === from || text.length > from + PLAIN_DIGITS) return false;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}

/** int64, as part 2 formats `id` and `categoryId`. */
export const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n } as const;

/** Whether an integer fits into int64. */
export const inInt64 = (integer: bigint): boolean => integer >= INT64.min && integer <= INT64.max;

/** Whether a JSON value is an integer within int64, however it is written. */
export function isInt64(value: Json | undefined): value is LosslessNumber {
  const integer = isNumber(value) ? integerOf(value) : null;
  return integer !== null && inInt64(integer);
}
