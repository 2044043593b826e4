import { sha256 } from '../../base/kernel/config-file.js';
import type { NewPet } from '../../base/interface/types.js';

/** Returns a NewPet as JSON with the category's digits unchanged. */
export function petBody({ name, categoryId, status }: NewPet): string {
  const last = status === undefined ? '' : `,"status":${JSON.stringify(status)}`;
  return `{"name":${JSON.stringify(name)},"categoryId":${BigInt(categoryId)}${last}}`;
}

/** Returns the prefix of created names, for finding the animals: the interface cannot remove them. */
export const namePrefix = (run: string): string => `conformance-${run}`;

/**
 * Returns the name for a creation by its label. Labels are distinct, to trace a listed animal to its request.
 * Names have one length, so none is refused for that. A capital letter shows a loss of letter case.
 */
export const nameFor = (prefix: string, label: string): string => `${prefix} N${traceOf(label)}`;

/** Traces of labels: a run names each creation again whenever it recalls it. */
const traces = new Map<string, string>();

function traceOf(label: string): string {
  const trace = traces.get(label) ?? sha256(label).slice(0, 6);
  traces.set(label, trace);
  return trace;
}

/**
 * Characters of real names that are often mangled: quotes, a backslash, markup, letters of both cases, two
 * blanks in a row, composed and decomposed accents, other scripts, and characters beyond the basic plane. No
 * half surrogates, no outer blanks. Short, because the interface does not say how long a name may be.
 */
export const AWKWARD_TEXT = `"'\\<B>&amp;é  E\u0301ß猫ع🐈👩‍🚀%41\u{20BB7}`;

/** Pads a name to the length of created-pet-echo, with characters that show where it was cut. */
export const longName = (name: string): string => `${name} `.padEnd(100, '0123456789');

/** First integer that a double cannot hold: a server that reads doubles returns other digits. */
export const BIG_CATEGORY = '9007199254740993';

/** One change to a valid creation that demands a refusal. */
export interface Mutation {
  readonly label: string;
  readonly row:
    | 'create-missing-field'
    | 'create-invalid-value'
    | 'create-body-required'
    | 'create-malformed-json';
  readonly body: (control: NewPet) => string | undefined;
}

const fields = ({ name, categoryId, status }: NewPet): Record<string, string | undefined> => ({
  name: JSON.stringify(name),
  categoryId,
  status: status && JSON.stringify(status),
});

const object = (members: Record<string, string | undefined>): string =>
  `{${Object.entries(members)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${JSON.stringify(name)}:${value}`]))
    .join(',')}}`;

/** Replaces or leaves out one member of the control. */
const replaced = (
  label: string,
  name: keyof NewPet,
  value: string | ((control: NewPet) => string) | undefined,
  row: Mutation['row'] = 'create-invalid-value',
): Mutation => ({
  label,
  row,
  body: (control) =>
    object({ ...fields(control), [name]: typeof value === 'function' ? value(control) : value }),
});

const whole = (label: string, row: Mutation['row'], body: Mutation['body']): Mutation => ({
  label,
  row,
  body,
});

/**
 * Returns a category with a fraction: the control's, so that a server that drops the fraction accepts it.
 * From 2^52 on, a double drops it from the text itself, and a server may read a number with a point as a
 * double (RFC 8259, 6).
 */
const withFraction = (categoryId: string): string => {
  const text = `${categoryId}.5`;
  return Number.isInteger(Number(text)) ? '1.5' : text;
};

/** Every creation that part 4 demands to refuse, each a single change to the control (ledger: create-*). */
export const MUTATIONS: readonly Mutation[] = [
  replaced('without name', 'name', undefined, 'create-missing-field'),
  replaced('without categoryId', 'categoryId', undefined, 'create-missing-field'),
  whole('an empty object', 'create-missing-field', () => '{}'),
  replaced('name null', 'name', 'null'),
  replaced('name a number', 'name', '42'),
  replaced('categoryId null', 'categoryId', 'null'),
  replaced('categoryId a string', 'categoryId', ({ categoryId }) => `"${categoryId}"`),
  replaced('categoryId true', 'categoryId', 'true'),
  replaced('categoryId with a fraction', 'categoryId', ({ categoryId }) => withFraction(categoryId)),
  replaced('categoryId 2^63', 'categoryId', (2n ** 63n).toString()),
  replaced('status an unknown word', 'status', '"borrowed"'),
  replaced('status SOLD', 'status', '"SOLD"'),
  replaced('status null', 'status', 'null'),
  replaced('status a number', 'status', '1'),
  whole('an empty array', 'create-invalid-value', () => '[]'),
  whole(
    'the fields as an array',
    'create-invalid-value',
    ({ name, categoryId }) => `[${JSON.stringify(name)},${categoryId},"available"]`,
  ),
  whole('a string', 'create-invalid-value', ({ name }) => JSON.stringify(name)),
  whole('null', 'create-invalid-value', () => 'null'),
  whole('no body', 'create-body-required', () => undefined),
  whole('broken JSON', 'create-malformed-json', (control) => petBody(control).slice(0, -1)),
  whole('JSON followed by more', 'create-malformed-json', (control) => `${petBody(control)}{`),
];
