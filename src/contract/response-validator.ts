import type { ErrorObject } from 'ajv';
import responseValidator from 'openapi-response-validator';
import { onceEach } from './once-each.js';
import { plainJson } from './plain-json.js';
import type { OperationName } from './types.js';
import type { Contract, OpenApiResponse } from './contract.js';

/** The resources that bodies of answers are made of (part 2). */
export type SchemaName = 'Pet' | 'Pets' | 'Error';

/** One way in which a body differs from the shape that its operation and status promise. */
export interface Violation {
  /** Where, as a JSON Pointer (RFC 6901): "" is the body itself, "/3/status" the status of the fourth animal. */
  readonly path: string;
  /** Description of the error, e.g. "must be integer". */
  readonly message: string;
  /** The resource that is broken: Pet for an animal in a listing, Pets only where the listing is no array. */
  readonly schema: SchemaName;
}

/** Holds bodies against the shapes of the contract. */
export interface ResponseValidator {
  /**
   * Holds a body against the shape that a status of an operation promises; none is promised for 429, which is held
   * against Error (a should, `rate-429-error-body`). Takes values as JSON.parse or a lossless reader give them, and
   * never changes them. Judges the shape alone: not the int64 range, not headers, not the media type.
   * Throws RangeError for a status that the operation does not declare: its caller has to have judged that first.
   */
  readonly validate: (operation: OperationName, status: number, body: unknown) => readonly Violation[];
}

type Check = (body: unknown) => readonly Violation[];

const MEDIA_TYPE = 'application/json';

/**
 * The one adapter over openapi-response-validator, which fills in defaults, overlooks formats and takes what it does
 * not understand as "must be null"; the tests beside this file pin each of these. Building takes some 10 ms a shape.
 */
export function createResponseValidator(contract: Contract): ResponseValidator {
  const { paths, components } = contract.document;
  const shapes = new Map<SchemaName, Check>();
  const checkOf = (schema: SchemaName): Check => {
    const known = shapes.get(schema) ?? shapeCheck(schema, components);
    shapes.set(schema, known);
    return known;
  };
  // A shape is built when the first body is held against it: a run that cannot start sees one of them at most.
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
    validate: (operation, status, body) => {
      const schema =
        schemas.get(`${operation} ${status}`) ?? (contract.anyRequestStatuses.includes(status) ? 'Error' : undefined);
      if (!schema) throw new RangeError(`${operation} declares no body for status ${status}.`);
      return checkOf(schema)(body);
    },
  };
}

/** The resource that a response carries. Throws where the library would quietly expect null in its place. */
function schemaOf({ content }: OpenApiResponse): SchemaName {
  const name = content?.[MEDIA_TYPE]?.schema.$ref?.replace('#/components/schemas/', '');
  if (name === 'Pet' || name === 'Pets' || name === 'Error') return name;
  throw new TypeError(`A response of the contract holds no ${MEDIA_TYPE} with a known resource.`);
}

function shapeCheck(schema: SchemaName, components: Contract['document']['components']): Check {
  const validator = new responseValidator.default({
    responses: { default: { schema: { $ref: `#/components/schemas/${schema}` } } },
    // Its types know whole documents only; the schemas are all that it reads.
    components: { schemas: components.schemas as never },
    errorTransformer: (_, error) => violationOf(error, schema),
  });
  const validate = (body: unknown): readonly Violation[] =>
    (validator.validateResponse('default', body)?.errors ?? []) as readonly Violation[];
  return remembered((body) => {
    const plain = plainJson(body);
    return unique(Array.isArray(plain) && schema === 'Pets' ? inParts(plain, validate) : validate(plain));
  });
}

/** The library gathers what it finds anew at every animal: a listing of a megabyte of faults would keep it busy for minutes. */
const PART = 100;
/** After so many violations nobody needs another. */
const MOST_VIOLATIONS = 2_000;

/** A listing's violations, part by part. */
function inParts(items: readonly unknown[], validate: Check): readonly Violation[] {
  const violations: Violation[] = [];
  for (let from = 0; from === 0 || (from < items.length && violations.length < MOST_VIOLATIONS); from += PART)
    for (const violation of validate(items.slice(from, from + PART)))
      violations.push({ ...violation, path: violation.path.replace(/^\/(\d+)/, (_, at) => `/${Number(at) + from}`) });
  return violations;
}

/** Several rows ask for the violations of one body. */
function remembered(check: Check): Check {
  const once = onceEach(check);
  return (body) => (typeof body === 'object' && body !== null ? once(body) : check(body));
}

/** An `allOf` finds the same fault in each of its members. */
const unique = (violations: readonly Violation[]): readonly Violation[] => [
  ...new Map(violations.map((violation) => [`${violation.path} ${violation.message}`, violation])).values(),
];

/** The library validates `{ response: body }`, so that its own paths confuse the wrapper with a member of that name. */
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
