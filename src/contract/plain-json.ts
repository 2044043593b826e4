import { isLosslessNumber } from 'lossless-json';
import { isPlainInteger } from './json.js';

/** Deeper than this no schema of the contract looks: list, animal, member, and room to spare. */
const DEEPEST = 16;

/** Neither finite nor whole numbers may pass as integers once they are rounded to a double; this one never does. */
const NOT_WHOLE = 0.5;

/**
 * A copy of a JSON value for schema validators, which know doubles only and may write into what they are given.
 * Numbers that were read losslessly become doubles that are whole exactly when the text is, and a number beyond every
 * double (1e400) one that is not. Members are copied as own ones, so that a `__proto__` in a body lends nothing.
 * Below the depth that any schema looks at, values are passed on as they are: a hostile nesting costs no stack.
 */
export function plainJson(value: unknown, depth = 0): unknown {
  if (isLosslessNumber(value)) return doubleOf(value.value);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : NOT_WHOLE;
  if (typeof value !== 'object' || value === null || depth >= DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => plainJson(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const plain = plainJson(member, depth + 1);
    // Assigned, it would become the prototype.
    if (name === '__proto__') Object.defineProperty(copy, name, { value: plain, enumerable: true });
    else copy[name] = plain;
  }
  return copy;
}

function doubleOf(text: string): number {
  const double = Number(text);
  if (isPlainInteger(text)) return double;
  if (!Number.isFinite(double)) return NOT_WHOLE;
  return Number.isInteger(double) && !isWhole(text) ? NOT_WHOLE : double;
}

/** Whether a JSON number is mathematically an integer, by its digits: `1.0` and `1e0` are, `9007199254740993.5` is not. */
function isWhole(text: string): boolean {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const all = whole + fraction;
  // By hand: a pattern for what a text ends with looks at each run of zeros anew, and a body may be one.
  let length = all.length;
  while (length > 0 && all[length - 1] === '0') length -= 1;
  if (length === 0) return true;
  const trailingZeros = all.length - length;
  return Number(exponent) - fraction.length + trailingZeros >= 0;
}
