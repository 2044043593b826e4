import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import responseValidator from 'openapi-response-validator';
import { loadContract } from './contract.js';
import { surelyFits } from './surely-fits.js';

const { schemas } = loadContract().document.components;
const NAMES = ['Pet', 'Pets', 'Error'] as const;

/** The library on its own. */
const fits = (name: (typeof NAMES)[number]): ((body: unknown) => boolean) => {
  const validator = new responseValidator.default({
    responses: { default: { schema: { $ref: `#/components/schemas/${name}` } } },
    components: { schemas: schemas as never },
  });
  return (body) => validator.validateResponse('default', structuredClone(body)) === undefined;
};

const sure = (name: (typeof NAMES)[number]) => surelyFits({ $ref: `#/components/schemas/${name}` }, schemas);

/** Values near the edge of each type. */
const anyValue = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    '',
    'sold',
    'SOLD',
    0,
    -0,
    1.5,
    2 ** 53,
    Infinity,
    Number.NaN,
    true,
    [],
    {},
    ['sold'],
  ),
  fc.jsonValue(),
);
const sound = fc.record(
  {
    id: fc.integer(),
    name: fc.string(),
    categoryId: fc.integer(),
    status: fc.constantFrom('available', 'pending', 'sold'),
  },
  { requiredKeys: ['id', 'name', 'categoryId'] },
);
const members = ['id', 'name', 'categoryId', 'status', 'code', 'message', 'more', '__proto__'];
/** A sound animal with one member replaced. */
const nearly = fc
  .tuple(sound, fc.constantFrom(...members), anyValue)
  .map(([pet, name, value]) => Object.assign(Object.create(null) as object, pet, { [name]: value }));
const errorLike = fc.record({ code: anyValue, message: anyValue, status: anyValue }, { requiredKeys: [] });
const body = fc.oneof(sound, nearly, errorLike, anyValue, fc.array(fc.oneof(sound, nearly)));

for (const name of NAMES) {
  const [isSure, isFit] = [sure(name), fits(name)];
  test(`what surely fits ${name}, the validator accepts`, () =>
    fc.assert(
      fc.property(body, (value) => {
        if (isSure(value)) assert.ok(isFit(value));
      }),
      { numRuns: 1000 },
    ));
}

test('sound bodies surely fit', () =>
  fc.assert(
    fc.property(fc.array(sound), fc.string(), (pets, text) => {
      assert.ok(sure('Pets')(pets));
      assert.ok(pets.every(sure('Pet')));
      assert.ok(sure('Error')({ code: text, message: text, status: 404, more: null }));
    }),
  ));

const PET = { id: 1, name: 'Rex', categoryId: 2 };
for (const [what, value] of [
  ['an id as text', { ...PET, id: '1' }],
  ['a fraction', { ...PET, id: 1.5 }],
  ['no name', { id: 1, categoryId: 2 }],
  ['another status', { ...PET, status: 'lost' }],
  ['null as status', { ...PET, status: null }],
  ['a list', [PET]],
] as const)
  test(`an animal with ${what} is not sure`, () => assert.ok(!sure('Pet')(value)));

test('a schema with a keyword that this file does not know is never sure', () => {
  for (const more of [
    { maxLength: 5 },
    { nullable: true },
    { additionalProperties: false },
    { type: 'number' },
  ])
    assert.ok(!surelyFits({ type: 'string', ...more }, {})('Rex'), JSON.stringify(more));
  assert.ok(!surelyFits({ $ref: '#/components/schemas/None' }, {})('Rex'));
});
