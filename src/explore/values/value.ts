import * as fc from 'fast-check';

/** A value with the class that it stands for: what coverage counts, and what a story says of it. */
export interface Classed<T> {
  readonly class: string;
  readonly value: T;
}

/** Target of shrinking: the class of values that cause no trouble. */
export const PLAIN = 'plain';

/** The values of a class: the one that each run tries before anything is tried twice, and all of them. */
export interface Choice<T> {
  readonly first: fc.Arbitrary<T>;
  readonly any: fc.Arbitrary<T>;
}

/** One way to make values, the first of which is like any other. */
export const made = <T>(any: fc.Arbitrary<T>): Choice<T> => ({ first: any, any });

/** One of some values. The first is the one that most mistakes show with. */
export const mostly = <T>(first: T, ...others: readonly T[]): Choice<T> => ({
  first: fc.constant(first),
  any: fc.constantFrom(first, ...others),
});

/** Values with the name of their class. */
export function classed<T>(name: string, { first, any }: Choice<T>): Choice<Classed<T>> {
  const named = (value: T): Classed<T> => ({ class: name, value });
  return { first: first.map(named), any: any.map(named) };
}

/** So seldom does something come by itself that it is there for shrinking alone. */
const HARDLY_EVER = 1_000_000;

/** The value of a class, which shrinks to the plain one: where that shows the same, the class is not the cause. */
export const orPlain = <T>(plain: Classed<T>, values: fc.Arbitrary<Classed<T>>): fc.Arbitrary<Classed<T>> =>
  fc.oneof(
    { withCrossShrink: true },
    { arbitrary: fc.constant(plain), weight: 1 },
    { arbitrary: values, weight: HARDLY_EVER },
  );

/** Something that may be left out, and is only by shrinking. */
export const droppable = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.option(values, { freq: HARDLY_EVER });

/** A seed of its own for each thing that is drawn: two 32-bit mixing constants, of MurmurHash3 and of the golden ratio. */
export const mixed = (seed: number, salt: number, nth: number): number =>
  (Math.imul(seed ^ Math.imul(salt + 1, 0x9e3779b1), 0x85ebca6b) + Math.imul(nth + 1, 0xc2b2ae35)) | 0;

/** The cards in an order that the seed decides. */
export const shuffled = <T>(seed: number, cards: readonly T[]): readonly T[] =>
  fc.sample(fc.shuffledSubarray([...cards], { minLength: cards.length }), { seed, numRuns: 1, unbiased: true })[0] ??
  cards;

/**
 * Deals classes like cards: all of them once in an order that the seed decides, then all again in another. By chance alone
 * four hundred requests leave out half of what they could try.
 */
export function deck<T>(seed: number, salt: number, cards: readonly T[]): (nth: number) => T {
  let [dealt, of] = [cards, -1];
  return (nth) => {
    const round = Math.floor(nth / cards.length);
    if (round !== of) [dealt, of] = [shuffled(mixed(seed, salt, round), cards), round];
    return dealt[nth % cards.length] as T;
  };
}
