import { LosslessNumber, parse, stringify } from 'lossless-json';

/** A JSON value with the original digits of its numbers. A bigint is written as a plain integer. */
export type Json =
  | null
  | boolean
  | string
  | number
  | bigint
  | LosslessNumber
  | readonly Json[]
  | { readonly [member: string]: Json };

export type JsonObject = { readonly [member: string]: Json };

/**
 * Reads JSON without losing a digit. Returns `undefined` for other text, a repeated member, or too deep
 * nesting.
 */
export function readJson(text: string): Json | undefined {
  try {
    return parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Writes JSON; leaves out `undefined` members. */
export function writeJson(value: Json, indent?: number): string {
  return stringify(value, undefined, indent) ?? 'null';
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isNumber(value);
}

export function isNumber(value: Json | undefined): value is LosslessNumber {
  return value instanceof LosslessNumber;
}

export function member(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Most digits to expand: more than any int64, and bounded for a huge exponent. */
const MOST_PLACES = 40;

/**
 * Returns the integer of a JSON number (`1.0` and `1e0` are 1); `undefined` for a fraction or too many
 * digits.
 */
export function integerOf(number: LosslessNumber): bigint | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number.value) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return whole === '' ? undefined : 0n;
  const shift = Number(exponent) - fraction.length;
  if (shift > MOST_PLACES || shift < -digits.length) return undefined;
  const kept = shift < 0 ? digits.slice(0, shift) : digits + '0'.repeat(shift);
  const dropped = shift < 0 ? digits.slice(shift) : '';
  if (/[1-9]/.test(dropped) || kept.length > MOST_PLACES) return undefined;
  return BigInt(sign + (kept || '0'));
}

const INT64_LEAST = -(2n ** 63n);
const INT64_MOST = 2n ** 63n - 1n;

export function isInt64(value: bigint): boolean {
  return value >= INT64_LEAST && value <= INT64_MOST;
}

export function textOf(value: Json | undefined): string {
  if (isNumber(value)) return value.value;
  return typeof value === 'object' || value === undefined ? '' : String(value);
}
