import * as fc from 'fast-check';

/** A value with the class that it stands for: what coverage counts, and what a story says of it. */
export interface Classed<T> {
  readonly class: string;
  readonly value: T;
}

/** What shrinking aims at: the class of values that nobody has trouble with. */
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
