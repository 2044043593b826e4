import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import requestValidator from 'openapi-request-validator';
import { judging } from '../../judge/checks/exchange.test.support.js';
import type { NewPet } from '../../base/interface/types.js';
import { INT64, integerOf, isNumber, isObject, member, readJson } from '../../base/kernel/json.js';
import {
  AWKWARD_TEXT,
  BIG_CATEGORY,
  longName,
  MUTATIONS,
  nameFor,
  namePrefix,
  petBody,
} from './creation-bodies.js';

const { document } = judging.contract;
const validator = new requestValidator.default({
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/NewPet' } } },
  },
  // The library's types require JSON Schema draft 4, but it accepts the contract's schemas by name.
  componentSchemas: document.components.schemas as never,
});

/** Judges a body with a validator that is not part of the kit. */
function isValid(body: string | undefined): boolean {
  if (body === undefined) return false;
  try {
    const parsed = JSON.parse(body) as unknown;
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return false;
    return (
      validator.validateRequest({ headers: { 'content-type': 'application/json' }, body: parsed }) ===
      undefined
    );
  } catch {
    return false;
  }
}

const PREFIX = namePrefix('0a1b2c3d');
const CONTROL: NewPet = { name: nameFor(PREFIX, 'a valid animal'), categoryId: '3', status: 'available' };

test('the independent validator accepts a valid body and rejects invalid ones', () => {
  assert.equal(isValid('{"name":"a","categoryId":1}'), true);
  assert.equal(isValid('{"name":1,"categoryId":1}'), false);
  assert.equal(isValid('{"name":"a"}'), false);
});

const CREATIONS: Readonly<Record<string, NewPet>> = {
  'the control body': CONTROL,
  'a body without status': { name: CONTROL.name, categoryId: '3' },
  'a name with special characters': {
    ...CONTROL,
    name: `${CONTROL.name} ${AWKWARD_TEXT}`,
    status: 'pending',
  },
  'a name of 100 characters': { ...CONTROL, name: longName(CONTROL.name), status: 'sold' },
  'a category beyond 2^53': { ...CONTROL, categoryId: BIG_CATEGORY },
};

for (const [what, pet] of Object.entries(CREATIONS))
  test(`${what} is valid under the interface`, () => {
    assert.ok(isValid(petBody(pet)));
    const { name, status } = JSON.parse(petBody(pet)) as NewPet;
    assert.deepEqual([name, status], [pet.name, pet.status]);
    assert.ok(petBody(pet).includes(`"categoryId":${pet.categoryId}`), 'digits are kept');
  });

/** The validator reads doubles, which cannot distinguish this number from int64's maximum. */
const BEYOND_DOUBLES = 'categoryId 2^63';

test(`${BEYOND_DOUBLES} (create-invalid-value) is invalid`, () => {
  const mutation = MUTATIONS.find(({ label }) => label === BEYOND_DOUBLES);
  const reading = readJson(mutation?.body(CONTROL) ?? '');
  assert.ok(reading.ok && isObject(reading.value));
  const category = member(reading.value, 'categoryId');
  assert.ok(isNumber(category));
  assert.equal(integerOf(category), INT64.max + 1n);
});

for (const { label, row, body } of MUTATIONS.filter(({ label }) => label !== BEYOND_DOUBLES))
  test(`${label} (${row}) is invalid`, () => assert.equal(isValid(body(CONTROL)), false));

for (const categoryId of ['0', '-3', `${2n ** 52n - 1n}`, `${2n ** 52n}`, `${2n ** 53n}`, `${-(2n ** 63n)}`])
  test(`a fraction is no integer for a reader of doubles, by category ${categoryId}`, () => {
    const mutation = MUTATIONS.find(({ label }) => label === 'categoryId with a fraction');
    const { categoryId: sent } = JSON.parse(mutation?.body({ ...CONTROL, categoryId }) ?? '') as {
      readonly categoryId: number;
    };
    assert.ok(!Number.isInteger(sent), String(sent));
  });

const count = (row: string): number => MUTATIONS.filter((mutation) => mutation.row === row).length;

test('every requirement has its invalid bodies, all different', () => {
  const bodies = MUTATIONS.map(({ body }) => body(CONTROL));
  assert.equal(new Set(bodies).size, MUTATIONS.length);
  assert.equal(new Set(MUTATIONS.map(({ label }) => label)).size, MUTATIONS.length);
  assert.deepEqual(
    ['create-missing-field', 'create-invalid-value', 'create-body-required', 'create-malformed-json'].map(
      count,
    ),
    [3, 15, 1, 2],
  );
});

test('each invalid body changes only one member', () => {
  const members = ['name', 'categoryId', 'status'] as const;
  for (const { label, body } of MUTATIONS) {
    const reading = readJson(body(CONTROL) ?? '');
    if (!reading.ok || typeof reading.value !== 'object' || reading.value === null) continue;
    const changed = members.filter(
      (member) =>
        JSON.stringify((reading.value as never)[member]) !== JSON.stringify(controlAsRead()[member]),
    );
    if (Array.isArray(reading.value) || label === 'an empty object') continue;
    assert.equal(changed.length, 1, label);
  }
});

function controlAsRead(): Record<string, unknown> {
  const reading = readJson(petBody(CONTROL));
  assert.ok(reading.ok);
  return reading.value as unknown as Record<string, unknown>;
}

test('the awkward and the long name have the properties stated in the ledger', () => {
  const awkward = `${CONTROL.name} ${AWKWARD_TEXT}`;
  assert.equal(longName(CONTROL.name).length, 100);
  assert.equal(awkward, awkward.trim());
  assert.ok(/[^\0-\x7f]/.test(awkward) && /\p{L}/u.test(awkward), 'letters beyond ASCII');
  assert.ok(
    Array.from(awkward).some((sign) => (sign.codePointAt(0) ?? 0) > 0xffff),
    'beyond the basic plane',
  );
  for (const sign of ['"', "'", '<', '&', '>']) assert.ok(awkward.includes(sign), sign);
  assert.doesNotMatch(awkward, /\p{Surrogate}/u, 'no half surrogates');
  assert.notEqual(awkward, awkward.normalize('NFC'), 'something that another normal form would change');
  // Some services accept at most 64 characters, which the interface allows.
  assert.ok(awkward.length <= 64);
});

test('every name is unique, starts with the run id and has a fixed length', () => {
  const labels = [
    ...MUTATIONS.map(({ label }) => label),
    ...Array.from({ length: 25 }, (_, at) => `filler ${at + 1}`),
  ];
  const names = labels.map((label) => nameFor(PREFIX, label));
  assert.equal(new Set(names).size, labels.length);
  fc.assert(
    fc.property(fc.string(), (label) => {
      assert.match(nameFor(PREFIX, label), /^conformance-0a1b2c3d N[0-9a-f]{6}$/);
    }),
  );
});
