import * as fc from 'fast-check';

/** Draws one of a list and shrinks towards its beginning; recognizes a value by its JSON. */
export const listed = <T>(values: readonly [T, ...T[]]): fc.Arbitrary<T> =>
  fc.nat({ max: values.length - 1 }).map(
    (at) => values[at] ?? values[0],
    (value) => {
      const at = values.findIndex((known) => JSON.stringify(known) === JSON.stringify(value));
      if (at < 0) throw new Error('not in the list');
      return at;
    },
  );
