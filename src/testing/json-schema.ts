import type { Shape } from '../base/kernel/shape.js';

/**
 * Shortest JSON of a part that stands in `$defs`, in characters: a shorter one is easier to read in its
 * place.
 */
const LEAST_SHARED = 90;

const isObject = (value: unknown): value is Shape =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the JSON Schema of a shape. A longer part that occurs several times stands once in `$defs`, under
 * the name of the first member with it. The schema accepts what the shape accepts. Pure.
 */
export function jsonSchemaOf(shape: Shape): Shape {
  const uses = new Map<string, readonly unknown[]>();
  walk(JSON.parse(JSON.stringify(shape)) as Shape, '', (part) => {
    const key = bodyOf(part);
    const earlier = uses.get(key) ?? [];
    uses.set(key, [...earlier, part['description']]);
    return earlier.length === 0 ? null : {};
  });
  const names = new Map<string, string>();
  const defs: Record<string, Shape> = {};
  const shared = (part: Shape, name: string): Shape | null => {
    const key = bodyOf(part);
    const descriptions = uses.get(key) ?? [];
    if (key.length < LEAST_SHARED || descriptions.length < 2) return null;
    const { description } = part;
    const described = description !== undefined && { description };
    const isOneText = descriptions.every((each) => each === description);
    if (!names.has(key)) {
      const free = [name, ...Array.from({ length: uses.size }, (_, at) => `${name}${at + 2}`)];
      const chosen = free.find((each) => !(each in defs)) ?? name;
      names.set(key, chosen);
      defs[chosen] = {};
      defs[chosen] = { ...(isOneText && described), ...within(JSON.parse(key) as Shape, name, shared) };
    }
    return { ...(!isOneText && described), $ref: `#/$defs/${names.get(key)}` };
  };
  const schema = within(JSON.parse(JSON.stringify(shape)) as Shape, '', shared);
  return Object.keys(defs).length === 0 ? schema : { ...schema, $defs: defs };
}

/** Returns a part without its description, which may differ where the part is used. */
const bodyOf = (part: Shape): string => JSON.stringify({ ...part, description: undefined });

/** Returns what stands in place of a part, by the name of its member; null for the part itself. */
type Replace = (part: Shape, name: string) => Shape | null;

const walk = (part: Shape, name: string, replace: Replace): Shape =>
  replace(part, name) ?? within(part, name, replace);

/** Returns a part with the parts within it replaced. */
function within(part: Shape, name: string, replace: Replace): Shape {
  return Object.fromEntries(
    Object.entries(part).map(([keyword, value]): readonly [string, unknown] => {
      if (keyword === 'properties' && isObject(value)) {
        const members = Object.entries(value).map(
          ([at, member]) => [at, walk(member as Shape, at, replace)] as const,
        );
        return [keyword, Object.fromEntries(members)];
      }
      if ((keyword === 'items' || keyword === 'additionalProperties') && isObject(value))
        return [keyword, walk(value, name, replace)];
      if (keyword === 'anyOf')
        return [keyword, (value as readonly Shape[]).map((each) => walk(each, name, replace))];
      return [keyword, value];
    }),
  );
}
