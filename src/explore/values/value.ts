import * as fc from 'fast-check';

/** A value with the class that it stands for: what coverage counts, and what a story says of it. */
export interface Classed<T> {
  readonly class: string;
  readonly value: T;
}

/** What shrinking aims at: the class of values that nobody has trouble with. */
export const PLAIN = 'plain';

/** A class of values, generated. */
export const classed = <T>(name: string, values: fc.Arbitrary<T>): fc.Arbitrary<Classed<T>> =>
  values.map((value) => ({ class: name, value }));

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

/** One of some values, the first of which comes as often as all others together. */
export const mostly = <T>(likeliest: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { arbitrary: fc.constant(likeliest), weight: Math.max(1, others.length) },
    ...others.map((other) => ({ arbitrary: fc.constant(other), weight: 1 })),
  );
