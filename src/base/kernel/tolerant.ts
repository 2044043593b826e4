import type { Shape } from './shape.js';

const GROWING = Symbol('growing');

/** Marks a shape of known words to which later versions may add some. */
export const growing = <T>(shape: Shape<T>): Shape<T> => ({ ...shape, [GROWING]: true });

/** Keywords with one shape. */
const NESTED: ReadonlySet<string> = new Set(['items', 'additionalProperties']);
const KEPT: ReadonlySet<string> = new Set(['type', 'required', 'enum', 'format']);

/**
 * Returns the shape by which files of other versions are read. It lets pass members that this version does
 * not know, any word in place of a `growing` one, and values beyond bounds and patterns: only names and types
 * are certain.
 */
export function tolerant<T>(shape: Shape<T>): Shape<T> {
  if (GROWING in shape) return { type: 'string' };
  return Object.fromEntries(
    Object.entries(shape).flatMap(([keyword, value]): readonly (readonly [string, unknown])[] => {
      if (KEPT.has(keyword)) return [[keyword, value]];
      if (typeof value !== 'object' || value === null) return [];
      if (NESTED.has(keyword)) return [[keyword, tolerant(value as Shape)]];
      if (keyword === 'anyOf') return [[keyword, (value as readonly Shape[]).map(tolerant)]];
      if (keyword !== 'properties') return [];
      const members = Object.entries(value as Readonly<Record<string, Shape>>);
      return [[keyword, Object.fromEntries(members.map(([name, member]) => [name, tolerant(member)]))]];
    }),
  );
}
