import { isLosslessNumber } from 'lossless-json';
import { isPlainInteger } from './json.js';

/** Maximum depth that the contract's schemas check: list, animal, member, and a reserve. */
const DEEPEST = 16;

/** Stands for infinite numbers and fractions, which rounding to a double could make integers. */
const NOT_WHOLE = 0.5;

/**
 * Copies a JSON value for schema validators, which know only doubles and may change their input. A lossless number becomes a
 * double that is whole exactly if the text is. One beyond every double (1e400) becomes a fraction. Members are copied as own
 * ones, so a `__proto__` has no effect. Values below the depth of all schemas are not copied, so hostile nesting costs no
 * stack.
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
    // An assignment would set the prototype.
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

/** Is true if a JSON number is mathematically an integer, by its digits: `1.0` and `1e0` are, `9007199254740993.5` is not. */
function isWhole(text: string): boolean {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const all = whole + fraction;
  // Not a pattern: at a text's end it would rescan each run of zeros, and a body may be one.
  let length = all.length;
  while (length > 0 && all[length - 1] === '0') length -= 1;
  if (length === 0) return true;
  const trailingZeros = all.length - length;
  return Number(exponent) - fraction.length + trailingZeros >= 0;
}
