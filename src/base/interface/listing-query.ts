import { integerOf, readJson } from '../kernel/json.js';
import { visible } from '../kernel/visible.js';
import type { PetStatus } from './names.js';

/** Values of the listing's query parameters by name (part 4, listPets). */
interface Values {
  readonly limit: number;
  readonly status: PetStatus;
}

/** Query parameters of the listing, in the contract's order. A test compares them with the contract. */
export const listingParameters = ['limit', 'status'] as const satisfies readonly (keyof Values)[];

export type ListingParameter = (typeof listingParameters)[number];

/** Something for each parameter: where one is forgotten, the kit does not compile. */
export type ByParameter<T> = Readonly<Record<ListingParameter, T>>;

/** Query of a listing within the interface. */
export type ListingQuery = { readonly [Name in ListingParameter]?: Values[Name] };

/** Query of a listing as sent; also with values that the interface does not define. */
export type SentQuery = Partial<ByParameter<number | string>>;

/** Returns the query of an object with further members, in its order, such as that of a page. */
export const queryOf = <Query extends SentQuery>(
  values: Query,
): Pick<Query, keyof Query & ListingParameter> =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== undefined && listingParameters.some((known) => known === name),
    ),
  ) as Pick<Query, keyof Query & ListingParameter>;

export type Parameter =
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly values: readonly string[] };

/**
 * A fault of a query: a value that the interface excludes, or one that it leaves open (another notation, a
 * repeated or an undeclared parameter).
 */
interface QueryFault {
  readonly kind: 'open' | 'wrong';
  /** Null for an undeclared parameter. */
  readonly parameter: string | null;
  /** What it is, to follow "sent". */
  readonly what: string;
  readonly expected?: string;
  readonly value?: string;
}

/**
 * A query as the contract declares it. For the service, `open` and `wrong` are the same: the interface shows
 * no behaviour for either (part 7). A client must not send a wrong one.
 */
type ListingReading =
  | { readonly kind: 'within'; readonly query: ListingQuery }
  | { readonly kind: 'open' | 'wrong'; readonly faults: readonly QueryFault[] };

/** Pure; never throws. */
export function readListingQuery(query: URLSearchParams, declared: ByParameter<Parameter>): ListingReading {
  const faults = queryFaults(query, declared);
  if (faults.length > 0)
    return { kind: faults.some(({ kind }) => kind === 'wrong') ? 'wrong' : 'open', faults };
  const values = [...query].map(([name, text]) => [
    name,
    declared[name as ListingParameter].kind === 'integer' ? Number(text) : text,
  ]);
  return { kind: 'within', query: Object.fromEntries(values) };
}

/**
 * Returns the faults of a query with these parameters; an operation that declares none has an empty list of
 * them.
 */
export function queryFaults(
  query: URLSearchParams,
  declared: Readonly<Partial<Record<string, Parameter>>>,
): readonly QueryFault[] {
  const names = Object.keys(declared);
  const others = [...new Set(query.keys())].filter((name) => !names.includes(name));
  return [
    ...Object.entries(declared).flatMap(([name, parameter]) =>
      query.getAll(name).flatMap((text) => (parameter ? valueFaults(name, parameter, text) : [])),
    ),
    ...names
      .filter((name) => query.getAll(name).length > 1)
      .map((name) => open(name, `the parameter ${name} more than once`)),
    ...others.map((name) => open(null, `the undeclared query parameter ${visible(name)}`)),
  ];
}

const open = (parameter: string | null, what: string): QueryFault => ({ kind: 'open', parameter, what });

function valueFaults(name: string, parameter: Parameter, text: string): readonly QueryFault[] {
  const wrong = (expected: string): readonly QueryFault[] => [
    { kind: 'wrong', parameter: name, what: `${name}=${visible(text)}`, expected, value: text },
  ];
  if (parameter.kind === 'choice')
    return parameter.values.includes(text) ? [] : wrong(parameter.values.join(', '));
  const { min, max } = parameter;
  const value = readInteger(text);
  if (value === null || value < min || value > max) return wrong(`an integer from ${min} to ${max}`);
  return String(value) === text ? [] : [open(name, `${name} written as ${visible(text)}`)];
}

/**
 * Returns the integer of a parameter in any notation of JSON, also with leading zeros, a plus, or outer
 * blanks; else null.
 */
export function readInteger(text: string): bigint | null {
  const plain = text
    .trim()
    .replace(/^\+/, '')
    .replace(/^(-?)0+(?=\d)/, '$1');
  const reading = readJson(plain);
  return /^[\d-]/.test(plain) && reading.ok ? integerOf(reading.value) : null;
}
