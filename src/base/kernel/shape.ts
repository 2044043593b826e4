import type * as Ajv from 'ajv/dist/2020.js';
import { createRequire } from 'node:module';
import { once } from './config-file.js';

/**
 * Validates values, not schemas, which tests check: compiling the meta schema would slow every command's
 * start, and so would optimizing code that runs a few times.
 */
export const OPTIONS = {
  verbose: true,
  allowUnionTypes: true,
  validateSchema: false,
  meta: false,
  code: { optimize: false },
} as const;

/** Loaded when a value is checked: most commands read only what the build has checked. */
export const library = once(() => createRequire(import.meta.url)('ajv/dist/2020.js') as typeof Ajv);

declare const type: unique symbol;

/** Required shape of external data, as JSON Schema. `T` is the type of such data. */
export type Shape<T = unknown> = Readonly<Record<string, unknown>> & { readonly [type]?: T };
export type Of<S extends Shape> = S extends Shape<infer T> ? T : never;
export type Shapes = Readonly<Record<string, Shape>>;
const OPTIONAL = Symbol('optional');
export type Optional<T = unknown> = Shape<T> & { readonly [OPTIONAL]: true };
export type Members<S extends Shapes> = {
  readonly [K in keyof S as S[K] extends Optional ? never : K]: Of<S[K]>;
} & { readonly [K in keyof S as S[K] extends Optional ? K : never]?: Of<S[K]> };

/** Types of records that name their shape in the member `type`. */
export type Tagged<S extends Shapes> = { readonly [K in keyof S]: { readonly type: K } & Of<S[K]> };

/**
 * Returns a shape of a text with a maximum number of characters. `T` names known texts; others pass, as newer
 * kits add some.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- known texts are not checked
export const text = <T extends string = string>(most = 4000): Shape<T> => ({
  type: 'string',
  maxLength: most,
});
/** As `text`, with keywords of JSON Schema, such as `pattern`, in place of a maximum. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- known texts are not checked
export const string = <T extends string = string>(
  keywords: Readonly<Record<string, unknown>> = {},
): Shape<T> => ({
  type: 'string',
  ...keywords,
});
export const someText = string({ minLength: 1 });
export const integer = (minimum: number, maximum?: number): Shape<number> => ({
  type: 'integer',
  minimum,
  ...(maximum !== undefined && { maximum }),
});
export const oneOf = <const T>(values: readonly T[]): Shape<T> => ({ enum: values });
export const number: Shape<number> = { type: 'number' };
/** A count. Its maximum is above a day at a million per second. */
export const count: Shape<number> = { type: 'integer', minimum: 0, maximum: 100_000_000_000 };
/** Unix ms, up to the year 2100: a later time could make loops over seconds endless. */
export const moment: Shape<number> = { type: 'number', minimum: 0, maximum: 4_102_444_800_000 };
export const truth: Shape<boolean> = { type: 'boolean' };
export const nothing: Shape<null> = { type: 'null' };
export const orNull = <T>(shape: Shape<T>): Shape<T | null> => ({ anyOf: [shape, nothing] });
export const list = <T>(items: Shape<T>, most = 1_000_000): Shape<readonly T[]> => ({
  type: 'array',
  items,
  maxItems: most,
});
export const array = <T>(
  items: Shape<T>,
  keywords: Readonly<Record<string, unknown>> = {},
): Shape<readonly T[]> => ({
  type: 'array',
  ...keywords,
  items,
});
export const either = <const S extends readonly Shape[]>(...shapes: S): Shape<Of<S[number]>> => ({
  anyOf: shapes,
});
export const anything: Shape = {};
/**
 * Returns a shape of a value of several types, with one shape for each. Unlike in `either`, an error is that
 * of the value's type. The keywords of each shape must concern its type only, so none may have `enum`.
 */
export const mixed = <const S extends readonly Shape[]>(...shapes: S): Shape<Of<S[number]>> =>
  Object.assign({}, ...shapes, { type: shapes.map(({ type }) => type) });
export const map = <T>(
  values: Shape<T>,
  keywords: Readonly<Record<string, unknown>> = { maxProperties: 10_000 },
): Shape<Readonly<Record<string, T>>> => ({ type: 'object', ...keywords, additionalProperties: values });
export const optional = <T>(shape: Shape<T>): Optional<T> => ({ ...shape, [OPTIONAL]: true });
export const each = <const Name extends string, S extends Shape>(names: readonly Name[], shape: S) =>
  Object.fromEntries(names.map((name) => [name, shape])) as { readonly [K in Name]: S };
const required = (members: Shapes) =>
  Object.entries(members).flatMap(([name, shape]) => (OPTIONAL in shape ? [] : [name]));
/**
 * Returns a shape of a member that this kit always writes and that files of earlier kits may lack. Its type
 * is not optional, so who reads such files must not rely on it.
 */
export const added = <T>(shape: Shape<T>): Shape<T> => optional(shape);
/** Returns a shape of an object with these members; others are allowed. */
export const object = <S extends Shapes>(members: S): Shape<Members<S>> => {
  const names = required(members);
  return { type: 'object', ...(names.length > 0 && { required: names }), properties: members };
};
/**
 * Returns a shape of objects of several kinds, by their member `kind`. Members of one name have one shape in
 * all kinds.
 */
export const kinds = <S extends Readonly<Record<string, Shapes>>>(
  variants: S,
): Shape<{ [K in keyof S]: { readonly kind: K } & Members<S[K]> }[keyof S]> => ({
  type: 'object',
  properties: Object.assign({}, ...Object.values(variants)),
  anyOf: Object.entries(variants).map(([kind, members]) => ({
    required: ['kind', ...required(members)],
    properties: { kind: oneOf([kind]) },
  })),
});
export const closed = <S extends Shapes>(members: S): Shape<Members<S>> => ({
  ...object(members),
  additionalProperties: false,
});
export const refined = <T>(shape: Shape<T>, keywords: Readonly<Record<string, unknown>>): Shape<T> => ({
  ...shape,
  ...keywords,
});
/** Returns keywords for `refined`: a value that fits `condition` must fit `demand` too. */
export const implies = (condition: Shape, demand: Shape): Shape => ({
  if: condition,
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, which nothing awaits
  then: demand,
});
/**
 * Returns a shape with a description, which the published schema shows in place of any description of
 * `shape`.
 */
export const described = <S extends Shape>(description: string, shape: S): S =>
  Object.assign({ description }, shape, { description });
/** Returns the shape of a whole file, with the head that its published JSON Schema begins with. */
export const published = <T>(title: string, description: string | null, shape: Shape<T>): Shape<T> => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title,
  ...(description !== null && { description }),
  ...shape,
});
/** Returns a shape that checks only a part of the type `T`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller must ensure that type and shape agree
export const loose = <T>(shape: Shape): Shape<T> => shape as Shape<T>;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Formats = Readonly<Record<string, (text: string) => boolean>>;

/**
 * Returns a search for the first fault of a value: its path, such as `requirements.0.level`, or null. The
 * shape is compiled on first use.
 */
export function faultIn(shape: Shape, formats: Formats = {}): (value: unknown) => string | null {
  const check = once(() => new (library().Ajv2020)({ ...OPTIONS, verbose: false, formats }).compile(shape));
  return (value) => {
    if (check()(value)) return null;
    const { instancePath = '', params = {} } = check().errors?.[0] ?? {};
    const missing: unknown = params['missingProperty'];
    return [...instancePath.split('/').slice(1), ...(typeof missing === 'string' ? [missing] : [])].join('.');
  };
}

/** Returns a test of a value's shape, compiled on first use. */
export function has<T>(shape: Shape<T>, formats?: Formats): (value: unknown) => value is T {
  const faultOf = faultIn(shape, formats);
  return (value): value is T => faultOf(value) === null;
}

/** Returns a parser of JSON text with a shape; null for any other. */
export function reads<T>(shape: Shape<T>, formats?: Formats): (json: unknown) => T | null {
  const isIt = has(shape, formats);
  return (json) => {
    try {
      const value: unknown = typeof json === 'string' ? JSON.parse(json) : undefined;
      return isIt(value) ? value : null;
    } catch {
      return null;
    }
  };
}
