import type * as Ajv from 'ajv/dist/2020.js';
import type { AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv';
import { createRequire } from 'node:module';
import { nearestName } from './nearest-name.js';
import { withArticle } from './format.js';
import type { YamlPath, YamlSource } from './yaml-source.js';
import { ConfigError, together, type ConfigProblem } from './errors.js';
import { once } from './config-file.js';

/**
 * Validates values, not schemas, which tests check: compiling the meta schema would slow every command's start, and so would
 * optimizing code that runs a few times.
 */
const OPTIONS = {
  verbose: true,
  allowUnionTypes: true,
  validateSchema: false,
  meta: false,
  code: { optimize: false },
} as const;

/** Loaded when a file is checked: most commands read only what the build has checked. */
const library = once(() => createRequire(import.meta.url)('ajv/dist/2020.js') as typeof Ajv);

const compiled = new WeakMap<AnySchemaObject, ValidateFunction>();

/** Most mistakes of a file that one error names. */
const MOST_MISTAKES = 10;

/** Returns all mistakes of a value; without those of alternatives, of which only one has to fit. */
function allErrorsOf(schema: AnySchemaObject, value: unknown): readonly ErrorObject[] {
  const validate = new (library().Ajv2020)({ ...OPTIONS, allErrors: true }).compile(schema);
  if (validate(value) === true) return [];
  return (validate.errors ?? []).filter(({ schemaPath }) => !/\/(?:oneOf|anyOf|if|then|else)\b/.test(schemaPath));
}

function validatorOf(schema: AnySchemaObject): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const validator = new (library().Ajv2020)(OPTIONS).compile(schema);
  compiled.set(schema, validator);
  return validator;
}

/** Names that errors may quote: words, because a value may be in a name's place by mistake. */
const WORD = /^[A-Za-z][A-Za-z0-9_-]{0,40}$/;

/** Maps with keys: there even a word may be a key without its colon. */
const HOLDS_KEYS = /^\/keys(\/|$)/;

/**
 * Validates a file's value by its schema and returns it. Throws a ConfigError for the first difference, with its line, the
 * expected value, and the nearest known name; never with a found value.
 */
export function checkShape(source: YamlSource, value: unknown, schema: AnySchemaObject, hint: string): unknown {
  const validate = validatorOf(schema);
  if (validate(value)) return value;
  const error = validate.errors?.[0];
  if (!error) throw new TypeError('The schema check failed without an error.');
  const errorFor = (one: ErrorObject): ConfigError => {
    const path = pathOf(one);
    return new ConfigError({ ...problemOf(one, path), file: source.file, line: source.lineOf(path), hint });
  };
  const first = errorFor(error);
  const others = allErrorsOf(schema, value).map(errorFor);
  const seen = new Set([first.message]);
  const further = others.filter(({ message }) => !seen.has(message) && seen.add(message));
  throw together([first, ...further.slice(0, MOST_MISTAKES)], hint);
}

/** Path of the error: the unknown name, or the value that is wrong or incomplete. */
function pathOf({ instancePath, keyword, params }: ErrorObject): YamlPath {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keyword === 'additionalProperties' ? [...steps, String(params['additionalProperty'])] : steps;
}

function problemOf(
  error: ErrorObject,
  path: YamlPath,
): Pick<ConfigProblem, 'code' | 'message' | 'expected' | 'nearest'> {
  const { keyword, params, parentSchema, instancePath } = error;
  const where = describe(keyword === 'additionalProperties' ? path.slice(0, -1) : path);
  switch (keyword) {
    case 'additionalProperties': {
      const known = Object.keys((parentSchema?.['properties'] as object | undefined) ?? {});
      const name = String(params['additionalProperty']);
      const nearest = nearestName(name, known);
      const shown = WORD.test(name) && (nearest !== undefined || !HOLDS_KEYS.test(instancePath));
      const subject = shown ? `"${name}" is not known` : 'A name is not known';
      return {
        code: 'unknown-name',
        message: `${subject} in ${path.length === 1 ? 'the file' : where}.`,
        expected: `one of ${known.join(', ')}`,
        ...(nearest !== undefined && { nearest }),
      };
    }
    case 'required': {
      const name = String(params['missingProperty']);
      return { code: 'missing-field', message: `${where} lacks "${name}".`, expected: `"${name}"` };
    }
    case 'type': {
      const expected = [params['type']].flat().map(String).map(withArticle).join(' or ');
      return { code: 'wrong-type', message: `${where} has the wrong type.`, expected };
    }
    case 'enum': {
      const allowed = (params['allowedValues'] as readonly unknown[]).map(String);
      const nearest = typeof error.data === 'string' ? nearestName(error.data, allowed) : undefined;
      return {
        code: 'bad-value',
        message: `${where} has an unknown value.`,
        expected: allowed.length === 1 ? allowed.join() : `one of ${allowed.join(', ')}`,
        ...(nearest !== undefined && { nearest }),
      };
    }
    case 'minItems': {
      const least = Number(params['limit']);
      return {
        code: 'bad-value',
        message: least === 1 ? `${where} is empty.` : `${where} has fewer than ${least}.`,
        expected: `at least ${least === 1 ? 'one' : least}`,
      };
    }
    default:
      return {
        code: 'bad-value',
        message: `${where} ${error.message ?? 'is not valid'}.`,
        expected: error.message ?? '',
      };
  }
}

const describe = (path: YamlPath): string => (path.length === 0 ? 'The file' : `"${path.join('.')}"`);

declare const type: unique symbol;

/** Required shape of external data, as JSON Schema. `T` is the type of such data. */
export type Shape<T = unknown> = Readonly<Record<string, unknown>> & { readonly [type]?: T };
/** Type of the data that a shape describes. */
export type Of<S extends Shape> = S extends Shape<infer T> ? T : never;
export type Shapes = Readonly<Record<string, Shape>>;
const OPTIONAL = Symbol('optional');
/** Shape of a member that may be absent. */
export type Optional<T = unknown> = Shape<T> & { readonly [OPTIONAL]: true };
export type Members<S extends Shapes> = {
  readonly [K in keyof S as S[K] extends Optional ? never : K]: Of<S[K]>;
} & { readonly [K in keyof S as S[K] extends Optional ? K : never]?: Of<S[K]> };

/** Types of records that name their shape in the member `type`. */
export type Tagged<S extends Shapes> = { readonly [K in keyof S]: { readonly type: K } & Of<S[K]> };

/** Returns a shape of a text with a maximum number of characters. `T` names known texts; others pass, as newer kits add some. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- known texts are not checked
export const text = <T extends string = string>(most = 4000): Shape<T> => ({ type: 'string', maxLength: most });
/** Returns a shape of one of these values. */
export const oneOf = <const T>(values: readonly T[]): Shape<T> => ({ enum: values });
export const number: Shape<number> = { type: 'number' };
/** A count. Its maximum is above a day at a million per second. */
export const count: Shape<number> = { type: 'integer', minimum: 0, maximum: 100_000_000_000 };
/** Unix ms, up to the year 2100: a later time could make loops over seconds endless. */
export const moment: Shape<number> = { type: 'number', minimum: 0, maximum: 4_102_444_800_000 };
export const truth: Shape<boolean> = { type: 'boolean' };
/** Returns a shape that also allows null. */
export const orNull = <T>(shape: Shape<T>): Shape<T | null> => ({ anyOf: [shape, { type: 'null' }] });
/** Returns a shape of a list with a maximum length. */
export const list = <T>(items: Shape<T>, most = 1_000_000): Shape<readonly T[]> => ({
  type: 'array',
  items,
  maxItems: most,
});
/** Returns a shape of a map from names to values of one shape. */
export const map = <T>(values: Shape<T>): Shape<Readonly<Record<string, T>>> => ({
  type: 'object',
  additionalProperties: values,
  maxProperties: 10_000,
});
/** Returns a shape of a member that may be absent. */
export const optional = <T>(shape: Shape<T>): Optional<T> => ({ ...shape, [OPTIONAL]: true });
const required = (members: Shapes) =>
  Object.entries(members).flatMap(([name, shape]) => (OPTIONAL in shape ? [] : [name]));
/** Returns a shape of an object with these members; others are allowed. */
export const object = <S extends Shapes>(members: S): Shape<Members<S>> => ({
  type: 'object',
  required: required(members),
  properties: members,
});
/** Returns a shape of objects of several kinds, by their member `kind`. Members of one name have one shape in all kinds. */
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
/** Returns a shape of an object with these members only. */
export const closed = <S extends Shapes>(members: S): Shape<Members<S>> => ({
  ...object(members),
  additionalProperties: false,
});
/** Returns a shape with further keywords of JSON Schema. */
export const refined = <T>(shape: Shape<T>, keywords: Readonly<Record<string, unknown>>): Shape<T> => ({
  ...shape,
  ...keywords,
});
/** Returns a shape that checks only a part of the type `T`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller must ensure that type and shape agree
export const loose = <T>(shape: Shape): Shape<T> => shape as Shape<T>;

/** Tests of texts, by the name of their `format`. */
type Formats = Readonly<Record<string, (text: string) => boolean>>;

/** Returns a test of a value's shape, compiled on first use. */
export function has<T>(shape: Shape<T>, formats: Formats = {}): (value: unknown) => value is T {
  const check = once(() => new (library().Ajv2020)({ ...OPTIONS, verbose: false, formats }).compile(shape));
  return (value): value is T => check()(value);
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
