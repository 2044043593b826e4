import { mostlyOf, type Named } from './value.js';
import { type ListingQuery, listingParameters } from '../../../base/interface/listing-query.js';

/** A query by its meaning in the interface: its parameters, or none (open). */
export type Query =
  | ({ readonly kind: 'within'; readonly written: QuerySpelling } & ListingQuery)
  | {
      readonly kind: 'open';
      readonly text: string;
      readonly row: 'list-limit-out-of-range' | 'list-status-unknown';
    };

/**
 * Spellings of a query within the interface. All mean the same: percent-encoded octets of unreserved
 * characters equal those characters (RFC 3986 section 6.2.2.2), and the interface sets no order of its
 * parameters.
 */
export const QUERY_SPELLINGS = [
  'plain',
  'in reverse order',
  'value percent-encoded',
  'name percent-encoded',
] as const;

export type QuerySpelling = (typeof QUERY_SPELLINGS)[number];

/** Limits at and around every likely boundary, all within the interface (part 8). */
export const LIMITS: readonly number[] = [
  1, 2, 3, 5, 7, 9, 10, 11, 15, 16, 19, 20, 21, 24, 25, 26, 30, 32, 33, 49, 50, 51, 63, 64, 65, 75, 90, 98,
  99, 100,
];

export const percentEncoded = (text: string): string =>
  text.replace(/[\s\S]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** With its question mark; empty for no parameters. */
export function queryText(query: Query): string {
  if (query.kind === 'open') return `?${query.text}`;
  const { written } = query;
  const parameters = listingParameters.flatMap((name) =>
    query[name] === undefined ? [] : [[name, String(query[name])] as const],
  );
  const ordered = written === 'in reverse order' ? parameters.toReversed() : parameters;
  const nameOf = (name: string): string => (written === 'name percent-encoded' ? percentEncoded(name) : name);
  const valueOf = (value: string): string =>
    written === 'value percent-encoded' ? percentEncoded(value) : value;
  const text = ordered.map(([name, value]) => `${nameOf(name)}=${valueOf(value)}`).join('&');
  return text === '' ? '' : `?${text}`;
}

/**
 * Returns classes of open queries from their names and texts, which have no blanks; the first text shows most
 * mistakes.
 */
const opened = (
  row: Extract<Query, { readonly kind: 'open' }>['row'],
  classes: Readonly<Record<string, string>>,
): readonly Named<Query>[] =>
  Object.entries(classes).map(([name, texts]) => {
    const [first = '', ...others] = texts.split(' ');
    return { name, ...mostlyOf((text: string): Query => ({ kind: 'open', text, row }))(first, ...others) };
  });

/**
 * Queries that the interface leaves open (part 7): limits outside the bounds or not in plain digits, other
 * statuses, repeated parameters, further parameters. Two responses count: a 5xx, which warns, and a success
 * that is no list of animals.
 */
export const OPEN_QUERIES: readonly Named<Query>[] = [
  ...opened('list-limit-out-of-range', {
    'limits near the bounds': 'limit=0 limit=101 limit=-1 limit=-100',
    'limits of many digits': `limit=2147483648 limit=4294967297 limit=9223372036854775808 limit=${'9'.repeat(40)}`,
    'limits in other notations': 'limit=1e1 limit=%2B5 limit=5.0 limit=05 limit=0x10 limit=%205',
    'invalid limits': 'limit= limit limit=null limit=NaN limit=Infinity limit=5; limit=%00',
    'a limit twice': 'limit=5&limit=5 limit=5&limit=50 limit[]=5 limit[a]=5',
  }),
  ...opened('list-status-unknown', {
    'statuses in another case': 'status=SOLD status=Available status=sold%20',
    'unknown statuses': 'status=null status status=all status=* status=%25 status=sol',
    'an empty status': 'status= status=%20',
    'statuses that break queries': `status=' status=%27%20OR%201=1-- status=%00 status={"$ne":null} status=%5B%5D`,
    'built-in object members': 'status=constructor status=__proto__ status=toString __proto__[status]=sold',
    'several statuses': 'status=sold,pending status=sold&status=pending status[]=sold status[$ne]=sold',
    'extra parameters': 'offset=5 page=2 sort=name q=% fields=id callback=x',
    'broken escapes': 'status=% status=%zz status=%c3%28 limit=%',
  }),
];
