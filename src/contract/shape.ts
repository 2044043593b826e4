import { Ajv2020 } from 'ajv/dist/2020.js';
import { once } from './config-file.js';

/** What a value that came from outside has to look like, as JSON Schema. */
export type Shape = Readonly<Record<string, unknown>>;

/** A text of so many characters at most. */
export const text = (most = 4000): Shape => ({ type: 'string', maxLength: most });
/** One of these texts. */
export const oneOf = (values: readonly string[]): Shape => ({ enum: values });
/** A finite number. */
export const number: Shape = { type: 'number' };
/** A count: none is larger than a day at a million a second would make it. */
export const count: Shape = { type: 'integer', minimum: 0, maximum: 100_000_000_000 };
/** Unix ms, up to the year 2100: what is later makes loops over seconds endless. */
export const moment: Shape = { type: 'number', minimum: 0, maximum: 4_102_444_800_000 };
export const truth: Shape = { type: 'boolean' };
/** The same shape, or null. */
export const orNull = (shape: Shape): Shape => ({ anyOf: [shape, { type: 'null' }] });
/** A list of so many at most. */
export const list = (items: Shape, most = 1_000_000): Shape => ({ type: 'array', items, maxItems: most });
/** A map from names to values of one shape. */
export const map = (values: Shape): Shape => ({ type: 'object', additionalProperties: values, maxProperties: 10_000 });
/** An object with these members; those of `perhaps` may be absent, and others may be there. */
export const object = (
  members: Readonly<Record<string, Shape>>,
  perhaps: Readonly<Record<string, Shape>> = {},
): Shape => ({
  type: 'object',
  required: Object.keys(members),
  properties: { ...members, ...perhaps },
});
/** The same, and nothing else in it. */
export const closed = (
  members: Readonly<Record<string, Shape>>,
  perhaps: Readonly<Record<string, Shape>> = {},
): Shape => ({ ...object(members, perhaps), additionalProperties: false });

/** What a text that names a `format` has to be besides. */
export type Formats = Readonly<Record<string, (text: string) => boolean>>;

/** Whether a value has a shape; compiled when it is first asked. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- that the type and the shape agree is for the caller to see to
export function has<T>(shape: Shape, formats: Formats = {}): (value: unknown) => value is T {
  const options = { allowUnionTypes: true, meta: false, validateSchema: false, formats };
  const check = once(() => new Ajv2020(options).compile(shape));
  return (value): value is T => check()(value);
}

/** What a text of JSON holds, where it has a shape; null for any other. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as above
export function reads<T>(shape: Shape, formats?: Formats): (json: unknown) => T | null {
  const isIt = has<T>(shape, formats);
  return (json) => {
    try {
      const value: unknown = typeof json === 'string' ? JSON.parse(json) : undefined;
      return isIt(value) ? value : null;
    } catch {
      return null;
    }
  };
}
