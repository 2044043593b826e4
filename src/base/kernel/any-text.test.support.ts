import * as fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 } as const;
const LAST = 0x10ffff;

/**
 * Generates any code point but half a surrogate pair, as the unit `binary` of fast-check does. That one lists
 * all million of them first, which takes most of a second in each process.
 */
const codePoint = fc.integer({ min: 0, max: LAST - SURROGATES.count }).map(
  (place) => String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count),
  (text) => {
    const point = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1;
    return point < SURROGATES.first ? point : point - SURROGATES.count;
  },
);

/** Generates texts of any code points, and those that fast-check knows to break programs, as `__proto__`. */
export const anyText = (constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: codePoint });
