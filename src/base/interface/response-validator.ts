import type Validator from 'openapi-response-validator';
import type { ErrorObject } from 'ajv';
import { createRequire } from 'node:module';
import { once } from '../kernel/config-file.js';
import { onceEach } from '../kernel/once-each.js';
import { plainJson } from '../kernel/json.js';
import { surelyFits } from './surely-fits.js';
import type { OperationName } from './types.js';
import type { Contract, OpenApiResponse } from './contract.js';

/** Resources in response bodies (part 2). */
type SchemaName = 'Pet' | 'Pets' | 'Error';

/** A difference of a body from the shape that its operation and status code promise. */
export interface Violation {
  /** Place as a JSON Pointer (RFC 6901): "" is the body, "/3/status" the status of the fourth animal. */
  readonly path: string;
  /** Description of the error, e.g. "must be integer". */
  readonly message: string;
  /** Resource with the fault: Pet for an animal in a listing, Pets only if the listing is no array. */
  readonly schema: SchemaName;
}

/** Loaded for the first body that may be unsound. */
const library = once(() => createRequire(import.meta.url)('openapi-response-validator') as typeof Validator);

type Check = (body: unknown) => readonly Violation[];

const MEDIA_TYPE = 'application/json';

export type ResponseValidator = ReturnType<typeof createResponseValidator>;

/**
 * The only adapter for openapi-response-validator. The library fills in defaults, ignores formats, and treats
 * unknown parts as "must be null"; the tests of this file pin each of these. Bodies that surely fit do not
 * reach it.
 */
export function createResponseValidator(contract: Contract) {
  const { paths, components } = contract.document;
  const shapes = new Map<SchemaName, Check>();
  const checkOf = (schema: SchemaName): Check => {
    const known = shapes.get(schema) ?? shapeCheck(schema, components);
    shapes.set(schema, known);
    return known;
  };
  // A shape is built at its first use: a run that cannot start needs at most one.
  const schemas = new Map<string, SchemaName>(
    Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ operationId, responses }) =>
        Object.entries(responses).map(([status, response]): [string, SchemaName] => [
          `${operationId} ${status}`,
          schemaOf(response),
        ]),
      ),
  );
  return {
    /**
     * Judges a body by the shape for an operation's status code. A 429 promises none, and is judged as Error
     * (a should, `rate-429-error-body`). Accepts values from JSON.parse or a lossless reader, and never
     * changes them. Judges only the shape: no int64 range, no headers, no media type. Throws RangeError for
     * an undeclared status code, which the caller must judge first.
     */
    validate: (operation: OperationName, status: number, body: unknown): readonly Violation[] => {
      const schema =
        schemas.get(`${operation} ${status}`) ??
        (contract.anyRequestStatuses.includes(status) ? 'Error' : undefined);
      if (!schema) throw new RangeError(`${operation} declares no body for status ${status}.`);
      return checkOf(schema)(body);
    },
  };
}

/** Throws if the library would silently expect null instead. */
function schemaOf({ content }: OpenApiResponse): SchemaName {
  const name = content?.[MEDIA_TYPE]?.schema.$ref?.replace('#/components/schemas/', '');
  if (name === 'Pet' || name === 'Pets' || name === 'Error') return name;
  throw new TypeError(`A response in the contract has no ${MEDIA_TYPE} with a known resource.`);
}

function shapeCheck(schema: SchemaName, components: Contract['document']['components']): Check {
  const $ref = `#/components/schemas/${schema}`;
  const isSound = surelyFits({ $ref }, components.schemas);
  const validator = once(
    () =>
      new (library().default)({
        responses: { default: { schema: { $ref } } },
        // Its types demand whole documents, but it reads only the schemas.
        components: { schemas: components.schemas as never },
        errorTransformer: (_, error) => violationOf(error, schema),
      }),
  );
  const validate = (body: unknown): readonly Violation[] =>
    (validator().validateResponse('default', body)?.errors ?? []) as readonly Violation[];
  return remembered((body) => {
    const plain = plainJson(body);
    if (isSound(plain)) return [];
    return unique(Array.isArray(plain) && schema === 'Pets' ? inParts(plain, validate) : validate(plain));
  });
}

/**
 * Animals per call: the library collects its results anew at every animal, so a megabyte of faults would take
 * minutes.
 */
const PART = 100;
/** Violations after which the judgement stops. */
const MOST_VIOLATIONS = 2_000;

function inParts(items: readonly unknown[], validate: Check): readonly Violation[] {
  const violations: Violation[] = [];
  for (let from = 0; from === 0 || (from < items.length && violations.length < MOST_VIOLATIONS); from += PART)
    for (const violation of validate(items.slice(from, from + PART)))
      violations.push({
        ...violation,
        path: violation.path.replace(/^\/(\d+)/, (_, at) => `/${Number(at) + from}`),
      });
  return violations;
}

/** Caches the violations, because several rows need those of one body. */
function remembered(check: Check): Check {
  const known = onceEach(check);
  return (body) => (typeof body === 'object' && body !== null ? known(body) : check(body));
}

/** Removes repetitions: an `allOf` finds one fault in each of its members. */
const unique = (violations: readonly Violation[]): readonly Violation[] => [
  ...new Map(violations.map((violation) => [`${violation.path} ${violation.message}`, violation])).values(),
];

/** Corrects the path: the library validates `{ response: body }`, so its paths include the wrapper. */
function violationOf(
  { instancePath, keyword, params, message = 'is not valid' }: ErrorObject,
  schema: SchemaName,
): Violation {
  const path = instancePath.replace(/^\/response/, '');
  const allowed = (params as { allowedValues?: readonly string[] }).allowedValues ?? [];
  return {
    path,
    message: keyword === 'enum' ? `must be one of ${allowed.join(', ')}` : message,
    schema: schema === 'Pets' && path !== '' ? 'Pet' : schema,
  };
}
