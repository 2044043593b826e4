import * as fc from 'fast-check';

/** A value with its class, for coverage and for the text of a story. */
export interface Classed<T> {
  readonly class: string;
  readonly value: T;
}

/** Target of shrinking: the class of values that cause no trouble. */
export const PLAIN = 'plain';

/** Values of a class: those that each run tries first, and all of them. */
export interface Choice<T> {
  readonly first: fc.Arbitrary<T>;
  readonly any: fc.Arbitrary<T>;
}

export const made = <T>(any: fc.Arbitrary<T>): Choice<T> => ({ first: any, any });

/** The first value is the one that shows most mistakes. */
export const mostly = <T>(first: T, ...others: readonly T[]): Choice<T> => ({
  first: fc.constant(first),
  any: fc.constantFrom(first, ...others),
});

export const mostlyOf =
  <Part, T>(make: (part: Part) => T) =>
  (first: Part, ...others: readonly Part[]): Choice<T> =>
    mostly(make(first), ...others.map(make));

export type Named<T> = Choice<T> & { readonly name: string };

export const classesOf = <T>(choices: Readonly<Record<string, Choice<T>>>): readonly Named<Classed<T>>[] =>
  Object.entries(choices).map(([name, { first, any }]) => {
    const named = (value: T): Classed<T> => ({ class: name, value });
    return { name, first: first.map(named), any: any.map(named) };
  });

/** Weight that makes a choice so rare that only shrinking picks it. */
const HARDLY_EVER = 1_000_000;

/** Returns values that shrink to the plain one. If that shows the same violation, the class is not the cause. */
export const orPlain = <T>(plain: Classed<T>, values: fc.Arbitrary<Classed<T>>): fc.Arbitrary<Classed<T>> =>
  fc.oneof(
    { withCrossShrink: true },
    { arbitrary: fc.constant(plain), weight: 1 },
    { arbitrary: values, weight: HARDLY_EVER },
  );

/** Returns values that only shrinking leaves out. */
export const droppable = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.option(values, { freq: HARDLY_EVER });

/** Derives a seed for each draw, with two mixing constants: MurmurHash3's and the golden ratio's. */
export const mixed = (seed: number, salt: number, nth: number): number =>
  (Math.imul(seed ^ Math.imul(salt + 1, 0x9e3779b1), 0x85ebca6b) + Math.imul(nth + 1, 0xc2b2ae35)) | 0;

export const shuffled = <T>(seed: number, cards: readonly T[]): readonly T[] =>
  fc.sample(fc.shuffledSubarray([...cards], { minLength: cards.length }), {
    seed,
    numRuns: 1,
    unbiased: true,
  })[0] ?? cards;

/** Deals classes like cards, all once per round: a random draw would leave out half of them in 400 requests. */
export function deck<T>(seed: number, salt: number, cards: readonly T[]): (nth: number) => T {
  let [dealt, of] = [cards, -1];
  return (nth) => {
    const round = Math.floor(nth / cards.length);
    if (round !== of) [dealt, of] = [shuffled(mixed(seed, salt, round), cards), round];
    return dealt[nth % cards.length] as T;
  };
}
