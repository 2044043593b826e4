import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import { count } from './format.js';

/** A JSON value with the original digits of its numbers. */
export type Json = null | boolean | string | LosslessNumber | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

export type JsonReading =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly problem: string };

/**
 * Maximum depth: RFC 8259 section 9 permits a limit, no response of the interface goes deeper than 3, and
 * recursive readers overflow the stack beyond about 5,000.
 */
const MAX_DEPTH = 1000;

/** A member that stands twice in one object, with two values. */
export interface Repeated {
  readonly name: string;
  /** Number of objects and lists around it: 1 for a member of the text's own object. */
  readonly depth: number;
}

/**
 * Reads JSON without losing a digit. Excessive nesting is a problem, never an exception. So is a member that
 * stands twice with two values: parsers take either (RFC 8259, 4).
 *
 * @param onRepeated called with each such member, which then is no problem: its last value counts
 */
export function readJson(text: string, onRepeated?: (repeated: Repeated) => void): JsonReading {
  const { colons, depth } = outlineOf(text);
  if (depth > MAX_DEPTH) return { ok: false, problem: `nested more than ${count(MAX_DEPTH)} levels deep` };
  const plain = readPlain(text, colons);
  if (plain !== undefined) return { ok: true, value: plain };
  try {
    const repeated: Duplicate[] = [];
    const onDuplicateKey = (duplicate: Duplicate): unknown => {
      repeated.push(duplicate);
      return duplicate.newValue;
    };
    const value = parse(text, undefined, { parseNumber: numberOf, ...(onRepeated && { onDuplicateKey }) });
    if (onRepeated && repeated.length > 0) withDepths(text, repeated).forEach(onRepeated);
    return { ok: true, value: whole(value as Json) };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

interface Duplicate {
  readonly key: string;
  /** Of the name, after its quotation mark. */
  readonly position: number;
  readonly newValue: unknown;
}

/** Returns members with their depths, each name and depth once: a listing may repeat one in each animal. */
function withDepths(text: string, duplicates: readonly Duplicate[]): readonly Repeated[] {
  const found = new Map<string, Repeated>();
  let from = 0;
  let depth = 0;
  for (const { key: name, position } of duplicates.toSorted((one, other) => one.position - other.position)) {
    // A name ends its piece, without its first quotation mark.
    depth += outlineOf(text.slice(from, position - 1)).level;
    from = position - 1;
    found.set(`${depth} ${name}`, { name, depth });
  }
  return [...found.values()];
}

/** Numbers of up to three characters, one object each: a megabyte of digits would make half a million. */
const SHORT = new Map<string, LosslessNumber>();

function numberOf(text: string): LosslessNumber {
  const number = SHORT.get(text) ?? new LosslessNumber(text);
  if (text.length <= 3) SHORT.set(text, number);
  return number;
}

/**
 * Reads a text as `JSON.parse` does, without its digits beyond a double and its repeated members; undefined
 * for no JSON.
 */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Text that needs the lossless reader: a number other than a plain integer of at most 15 digits, or a member
 * `__proto__`. A number stands at the start, or after one of these characters or a blank. A match inside a
 * string costs only time.
 */
const NEEDS_LOSSLESS = /(?:^|[\s:,[])-?(?:\d{16}|\d+[.eE])|(?:^|[\s:,[])-0|__proto__/;

/** Maximum depth for the plain way, which recurses. */
const PLAIN_DEPTH = 16;

/**
 * Reads a text that cannot lose anything, in three quarters of the lossless reader's time; undefined for
 * others. Each member has one colon, so an equal number of both proves that no member is repeated.
 */
function readPlain(text: string, colons: number): Json | undefined {
  if (NEEDS_LOSSLESS.test(text)) return undefined;
  const counted = { members: 0 };
  try {
    const value = lossless(JSON.parse(text), counted, PLAIN_DEPTH);
    return counted.members === colons ? value : undefined;
  } catch {
    // The lossless reader reports the problem.
    return undefined;
  }
}

/**
 * Counts the colons outside strings, the deepest nesting of brackets, and the nesting at the end; exact for
 * JSON, an upper bound for broken texts.
 */
function outlineOf(text: string): {
  readonly colons: number;
  readonly depth: number;
  readonly level: number;
} {
  let colons = 0;
  let level = 0;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (inString) {
      if (character === 0x5c) at += 1;
      else if (character === 0x22) inString = false;
    } else if (character === 0x22) inString = true;
    else if (character === 0x3a) colons += 1;
    else if (character === 0x5b || character === 0x7b) depth = Math.max(depth, (level += 1));
    else if (character === 0x5d || character === 0x7d) level -= 1;
  }
  return { colons, depth, level };
}

/** Converts the integers of a new value to lossless ones. Throws RangeError if it is deep. */
function lossless(value: unknown, counted: { members: number }, depth: number): Json {
  if (typeof value === 'number') return numberOf(String(value));
  if (typeof value !== 'object' || value === null) return value as Json;
  if (depth === 0) throw new RangeError('nested too deeply');
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

/**
 * Flattens strings, which the lossless reader appends by characters: until then they take thirty times the
 * memory.
 */
function whole(value: Json): Json {
  if (typeof value === 'string') value.charCodeAt(0);
  else if (isNumber(value)) value.value.charCodeAt(0);
  else if (typeof value === 'object' && value !== null) Object.values(value as JsonObject).forEach(whole);
  return value;
}

export const writeJson = (value: Json): string => stringify(value) ?? 'null';

export const isNumber = (value: Json | undefined): value is LosslessNumber => isLosslessNumber(value);

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);

/** Returns an object's own member, so names such as `__proto__` and `constructor` are safe. */
export const member = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Most digits of an integer: a longer one is no int64, and would cost memory. */
const MAX_DIGITS = 401;

/**
 * Returns the integer value of a JSON number in any notation (`1.0` and `1e0` are 1); null for a fraction,
 * for a number too large for the interface, and for any other value.
 */
export function integerOf(json: Json | undefined): bigint | null {
  if (!isNumber(json)) return null;
  const { value } = json;
  // Nearly all are plain.
  if (/^-?\d{1,15}$/.test(value)) return BigInt(value);
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(value);
  if (!match) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return 0n;
  const length = digits.length - fraction.length + Number(exponent);
  if (length <= 0 || length > MAX_DIGITS || !/^0*$/.test(digits.slice(length))) return null;
  return BigInt(sign + digits.slice(0, length).padEnd(length, '0'));
}

/** Range of int64, the format of `id` and `categoryId` in part 2. */
export const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n } as const;

export const inInt64 = (integer: bigint): boolean => integer >= INT64.min && integer <= INT64.max;

/** Fewest digits that languages print of a double. */
const FEWEST_DIGITS = 15;
/** Magnitude of the smallest int64; a double rounds the largest one up to it. */
const EDGE = Math.abs(Number(INT64.min)).toPrecision(FEWEST_DIGITS);

/**
 * Returns whether a number outside int64 may be one from inside that a double rounded: JSON that JavaScript
 * writes anew has 9223372036854776000 in the place of 9223372036854775807.
 */
export const isRoundedEdge = (digits: string): boolean =>
  Math.abs(Number(digits)).toPrecision(FEWEST_DIGITS) === EDGE;

export function isInt64(value: Json | undefined): value is LosslessNumber {
  const integer = integerOf(value);
  return integer !== null && inInt64(integer);
}

/** Maximum depth that the contract's schemas check: list, animal, member, and a reserve. */
const DEEPEST = 16;

/** Stands for infinite numbers and fractions, which rounding to a double could make integers. */
const NOT_WHOLE = 0.5;

/**
 * Copies a JSON value for schema validators, which know only doubles and may change their input. A lossless
 * number becomes a double that is whole exactly if the text is. One beyond every double (1e400) becomes a
 * fraction. Members are copied as own ones, so a `__proto__` has no effect. Values below the depth of all
 * schemas are not copied, so hostile nesting costs no stack.
 */
export function plainJson(value: unknown, depth = 0): unknown {
  if (isLosslessNumber(value)) {
    const double = Number(value.value);
    // A fraction may become a whole double.
    return plainJson(Number.isInteger(double) && integerOf(value) === null ? NOT_WHOLE : double);
  }
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : NOT_WHOLE;
  if (typeof value !== 'object' || value === null || depth >= DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => plainJson(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const plain = plainJson(member, depth + 1);
    // An assignment would set the prototype.
    if (name === '__proto__') Object.defineProperty(copy, name, { value: plain, enumerable: true });
    else copy[name] = plain;
  }
  return copy;
}
