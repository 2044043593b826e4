import { createHash } from 'node:crypto';
import type { Judging } from '../checks/layers.js';
import { hasStatus, petView } from '../checks/pets.js';
import { integerOf, isNumber, readJson } from '../contract/json.js';
import type { NewPet } from '../contract/types.js';
import type { Exchange } from '../exchange/types.js';

/** NewPet as JSON, with the category's digits as they are. */
export const petBody = ({ name, categoryId, status }: NewPet): string =>
  `{"name":${JSON.stringify(name)},"categoryId":${BigInt(categoryId)}${status === undefined ? '' : `,"status":${JSON.stringify(status)}`}}`;

/** What a creation's body holds of a NewPet, as far as it is one. */
export function sentIn({ request }: Exchange, { contract }: Judging): Partial<NewPet> {
  const reading = readJson(request.body ?? '');
  const pet = petView(reading.ok ? reading.value : null);
  const category = isNumber(pet.categoryId) ? integerOf(pet.categoryId) : null;
  const status = contract.statuses.find((known) => hasStatus(pet, known));
  return {
    ...(typeof pet.name === 'string' && { name: pet.name }),
    ...(category !== null && { categoryId: category.toString() }),
    ...(status !== undefined && { status }),
  };
}

/** Created animals are found by this and the run's id: the interface has no way to remove them again. */
export const namePrefix = (run: string): string => `conformance-${run}`;

/**
 * The name of an animal, by what is special about its creation: no two are alike, so that an animal in a listing can be
 * traced to the request that added it, and all are of one length, so that none is refused for that. A capital letter shows
 * where its case is lost.
 */
export const nameFor = (prefix: string, label: string): string =>
  `${prefix} N${createHash('sha256').update(label).digest('hex').slice(0, 6)}`;

/**
 * What names are made of in the world and gets mangled on the way: quotes, a backslash, markup, letters of both cases,
 * two blanks in a row, accents composed and in one piece, other scripts, and characters beyond the basic plane. No half surrogates, no blanks at the ends. Short,
 * because the interface does not say how long a name may be.
 */
export const AWKWARD_TEXT = `"'\\<B>&amp;é  E\u0301ß猫ع🐈👩‍🚀%41\u{20BB7}`;

/** As long as created-pet-echo says; padded with characters that show where a name was cut. */
export const longName = (name: string): string => `${name} `.padEnd(100, '0123456789');

/** One more than a double can hold exactly: a server that reads it as one gives back other digits. */
export const BIG_CATEGORY = '9007199254740993';

/** One change to a sound creation that makes it one that has to be refused. */
export interface Mutation {
  readonly label: string;
  readonly row: 'create-missing-field' | 'create-invalid-value' | 'create-body-required' | 'create-malformed-json';
  readonly body: (control: NewPet) => string | undefined;
}

const fields = ({ name, categoryId, status }: NewPet): Record<string, string> => ({
  name: JSON.stringify(name),
  categoryId,
  status: JSON.stringify(status),
});

const object = (members: Record<string, string | undefined>): string =>
  `{${Object.entries(members)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${JSON.stringify(name)}:${value}`]))
    .join(',')}}`;

/** The control with one member's JSON replaced, or left out. */
const replaced = (
  label: string,
  name: keyof NewPet,
  value: string | ((control: NewPet) => string) | undefined,
  row: Mutation['row'] = 'create-invalid-value',
): Mutation => ({
  label,
  row,
  body: (control) => object({ ...fields(control), [name]: typeof value === 'function' ? value(control) : value }),
});

const whole = (label: string, row: Mutation['row'], body: Mutation['body']): Mutation => ({ label, row, body });

/** Every creation that part 4 wants refused, each a single change to the control (ledger: create-*). */
export const MUTATIONS: readonly Mutation[] = [
  replaced('without name', 'name', undefined, 'create-missing-field'),
  replaced('without categoryId', 'categoryId', undefined, 'create-missing-field'),
  whole('an empty object', 'create-missing-field', () => '{}'),
  replaced('name null', 'name', 'null'),
  replaced('name a number', 'name', '42'),
  replaced('categoryId null', 'categoryId', 'null'),
  replaced('categoryId a string', 'categoryId', ({ categoryId }) => `"${categoryId}"`),
  replaced('categoryId true', 'categoryId', 'true'),
  replaced('categoryId with a fraction', 'categoryId', ({ categoryId }) => `${categoryId}.5`),
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
