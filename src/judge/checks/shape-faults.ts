import { isSuccess } from '../../base/interface/success.js';
import type { ResponseValidator, Violation } from '../../base/interface/response-validator.js';
import type { OperationName, RequirementId } from '../../base/interface/types.js';
import { grouped, listed } from '../../base/kernel/format.js';
import { isNumber, type Json } from '../../base/kernel/json.js';
import { describe } from '../findings/describe.js';
import type { Break } from './break.js';

/**
 * Returns the differences of a body from the shape that an operation promises with a status code.
 *
 * @param body undefined for a missing or unreadable one
 */
export function breaksOfShape(
  body: Json | undefined,
  { operation, status }: { readonly operation: OperationName; readonly status: number },
  validator: ResponseValidator,
): readonly Break[] {
  if (body === undefined)
    return [
      {
        layer: 'shape',
        charged: shapeRow(operation, status),
        message: 'the body is empty',
        expected: shapeName(operation, status),
        actual: 'an empty body',
        returned: 'an empty body',
        what: ['empty body'],
      },
    ];
  return onceEachFault(faultsOf(validator.validate(operation, status, body))).map((fault) =>
    shapeBreak(fault, body),
  );
}

/** A difference of one object from its shape: all missing members, or one wrong value. */
interface ShapeFault extends Violation {
  readonly lacks: readonly string[];
}

/**
 * Merges violations into one fault at each place: all missing members, or the narrowest rule that a value
 * breaks.
 */
const faultsOf = (violations: readonly Violation[]): readonly ShapeFault[] =>
  [
    ...grouped(violations, ({ path, message }) =>
      JSON.stringify([path, lackedIn(message) !== null]),
    ).values(),
  ].flatMap((together) => {
    const fault = together.find(({ message }) => ONE_OF.test(message)) ?? together[0];
    return fault ? [{ ...fault, lacks: together.flatMap(({ message }) => lackedIn(message) ?? []) }] : [];
  });

/** The narrowest rule: its value may have a wrong type too, which says less. */
const ONE_OF = /^must be one of /;

/** Reports a fault that several animals of a listing share only for the first. */
const onceEachFault = (faults: readonly ShapeFault[]): readonly ShapeFault[] =>
  [
    ...grouped(faults, ({ path, message, lacks }) =>
      JSON.stringify([path.replace(/^\/\d+/, '/*'), lacks.length > 0 ? lacks : message]),
    ).values(),
  ].flatMap(([first]) => first ?? []);

/** Name of a missing required member; null for another fault. */
const lackedIn = (message: string): string | null =>
  /^must have required property '(.*)'$/.exec(message)?.[1] ?? null;

const shapeRow = (operation: string, status: number): RequirementId =>
  !isSuccess(status) ? 'error-shape' : operation === 'listPets' ? 'pets-array' : 'pet-shape';

const shapeName = (operation: string, status: number): string =>
  !isSuccess(status) ? 'an Error' : operation === 'listPets' ? 'a JSON array of Pet' : 'a Pet';

/** Phrases a violation. The validator's sentence has only a path and a type. */
function shapeBreak({ path, message, schema, lacks }: ShapeFault, body: Json): Break {
  const charged =
    schema === 'Error' ? 'error-shape' : schema === 'Pets' && path === '' ? 'pets-array' : 'pet-shape';
  const [, index, member] = /^(?:\/(\d+))?(?:\/(.+))?$/.exec(path) ?? [];
  const subject =
    schema === 'Error'
      ? 'the Error'
      : index === undefined
        ? 'the body'
        : `animal ${Number(index) + 1} of the listing`;
  const wanted = message
    .replace(/^must be /, '')
    .replace(/^(?=(?:string|number|boolean)$)/, 'a ')
    .replace(/^(?=(?:integer|array|object)$)/, 'an ');
  const actual = describe(at(body, path));
  const what =
    lacks.length > 0 ? lacks.map((name) => `no ${name}`) : [`${member ?? 'body'} ${typeIn(at(body, path))}`];
  const broken = { layer: 'shape', charged, actual, what } as const;
  return lacks.length > 0
    ? {
        ...broken,
        message: `${subject} has ${listed(lacks.map((name) => `no ${name}`))}`,
        expected: `the ${lacks.length === 1 ? 'member' : 'members'} ${listed(lacks)}`,
        returned: `${schema === 'Error' ? 'an Error' : 'an animal'} without ${listed(lacks)}`,
      }
    : {
        ...broken,
        message: `${member === undefined ? subject : `the ${member} of ${subject}`} is not ${wanted}`,
        expected: wanted,
        returned: member === undefined ? actual : `${member} ${actual}`,
      };
}

/** Type of a value that breaks its rule; a value of the right type is out of range. */
const typeIn = (value: Json | undefined): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : isNumber(value) ? 'number' : typeof value;

function at(body: Json, path: string): Json | undefined {
  let value: unknown = body;
  for (const name of path.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value as Json | undefined;
}
