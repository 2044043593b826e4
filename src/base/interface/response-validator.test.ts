import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import responseValidator from 'openapi-response-validator';
import { loadContract } from './contract.js';
import { createResponseValidator } from './response-validator.js';
import type { OperationName } from './types.js';

const { validate } = createResponseValidator(loadContract());
const pet = { id: 1, name: 'Rex', categoryId: 2, status: 'sold' };
const error = { code: 'not_found', message: 'No such animal', status: 404 };

const sound: readonly [string, OperationName, number, unknown][] = [
  ['an empty listing', 'listPets', 200, []],
  ['a listing', 'listPets', 200, [pet, { ...pet, id: 2 }]],
  ['an animal without status', 'createPet', 201, { id: 1, name: '', categoryId: 2 }],
  ['additional members', 'getPet', 200, { ...pet, tags: [null], response: { id: 'x' } }],
  ['an id of 1.0', 'getPet', 200, { ...pet, id: new LosslessNumber('1.0') }],
  ['an id beyond 2^53', 'getPet', 200, { ...pet, id: 9007199254740993n }],
  ['1e400 in an additional member', 'getPet', 200, { ...pet, weight: new LosslessNumber('1e400') }],
  ['an Error', 'getPet', 404, error],
  ['an Error with additional members', 'createPet', 400, { ...error, details: [] }],
  ['an Error with 429', 'listPets', 429, error],
];

for (const [name, operation, status, body] of sound) {
  test(`accepts ${name}`, () => assert.deepEqual(validate(operation, status, body), []));
}

const INTEGER = 'must be integer';
const broken: readonly [
  string,
  OperationName,
  number,
  unknown,
  path: string,
  message: RegExp | string,
  schema: string,
][] = [
  ['an envelope', 'listPets', 200, { pets: [] }, '', 'must be array', 'Pets'],
  ['null for a listing', 'listPets', 200, null, '', 'must be array', 'Pets'],
  ['no body', 'listPets', 200, undefined, '', 'must be array', 'Pets'],
  ['null in a listing', 'listPets', 200, [pet, null], '/1', 'must be object', 'Pet'],
  ['an animal without id', 'listPets', 200, [{ ...pet, id: undefined }], '/0', /'id'/, 'Pet'],
  ['an animal without name', 'getPet', 200, { id: 1, categoryId: 2 }, '', /'name'/, 'Pet'],
  ['an animal without categoryId', 'createPet', 201, { id: 1, name: 'Rex' }, '', /'categoryId'/, 'Pet'],
  ['null for an animal', 'getPet', 200, null, '', 'must be object', 'Pet'],
  ['a string as id', 'getPet', 200, { ...pet, id: '1' }, '/id', INTEGER, 'Pet'],
  ['an id with a fraction', 'getPet', 200, { ...pet, id: 1.5 }, '/id', INTEGER, 'Pet'],
  [
    'a fraction beyond 2^53',
    'getPet',
    200,
    { ...pet, id: new LosslessNumber('9007199254740993.5') },
    '/id',
    INTEGER,
    'Pet',
  ],
  ['1e400 as an id', 'getPet', 200, { ...pet, id: new LosslessNumber('1e400') }, '/id', INTEGER, 'Pet'],
  ['Infinity as an id', 'getPet', 200, { ...pet, id: Infinity }, '/id', INTEGER, 'Pet'],
  ['a boolean categoryId', 'getPet', 200, { ...pet, categoryId: true }, '/categoryId', INTEGER, 'Pet'],
  [
    'an object with number-like members as id',
    'getPet',
    200,
    { ...pet, id: { isLosslessNumber: true, value: '1' } },
    '/id',
    INTEGER,
    'Pet',
  ],
  ['null as name', 'getPet', 200, { ...pet, name: null }, '/name', 'must be string', 'Pet'],
  ['null as status', 'getPet', 200, { ...pet, status: null }, '/status', 'must be string', 'Pet'],
  [
    'a status in capitals',
    'getPet',
    200,
    { ...pet, status: 'SOLD' },
    '/status',
    /available, pending, sold/,
    'Pet',
  ],
  ['an empty object for an Error', 'listPets', 401, {}, '', /'code'/, 'Error'],
  [
    'an Error with a numeric code',
    'getPet',
    404,
    { ...error, code: 404 },
    '/code',
    'must be string',
    'Error',
  ],
  ['an Error without message', 'getPet', 404, { code: 'x', status: 404 }, '', /'message'/, 'Error'],
  [
    'an Error whose status is text',
    'createPet',
    400,
    { ...error, status: '400' },
    '/status',
    INTEGER,
    'Error',
  ],
  ['a 429 with a string as body', 'getPet', 429, 'slow down', '', 'must be object', 'Error'],
  ['inherited members', 'getPet', 200, Object.create(pet), '', /'id'/, 'Pet'],
];

for (const [name, operation, status, body, path, message, schema] of broken) {
  test(`rejects ${name}`, () => {
    const violations = validate(operation, status, body);
    const found = violations.some(
      (violation) =>
        violation.path === path &&
        violation.schema === schema &&
        (typeof message === 'string' ? violation.message === message : message.test(violation.message)),
    );
    assert.ok(found, JSON.stringify(violations));
  });
}

test('an error is reported only once', () => assert.equal(validate('listPets', 200, [null]).length, 1));

test('an undeclared status code throws a RangeError', () => {
  assert.throws(() => validate('listPets', 404, error), RangeError);
  assert.throws(() => validate('getPet', 500, error), RangeError);
});

test('validation accepts any JSON body and never changes it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      const before = JSON.stringify(body);
      for (const operation of ['listPets', 'getPet'] as const) validate(operation, 200, body);
      assert.equal(JSON.stringify(body), before);
    }),
  );
});

test('200,000 nested arrays in a member are valid and do not crash', () => {
  let nested: unknown = 1;
  for (let depth = 0; depth < 200_000; depth += 1) nested = [nested];
  assert.deepEqual(validate('getPet', 200, { ...pet, nested }), []);
});

test('an error in a late animal of a listing has its path', () => {
  const many = Array.from({ length: 301 }, (_, at) => ({ ...pet, id: at + 1 }));
  assert.deepEqual(
    validate('listPets', 200, many.with(250, { ...pet, id: 251, name: 1 as never })).map(({ path }) => path),
    ['/250/name'],
  );
});

/** If the work grew faster than the body, this would take minutes. */
const SOON = { timeout: 30_000 } as const;

for (const [what, item] of [
  ['numbers', 1],
  ['empty objects', {}],
] as const)
  test(`a listing of 400,000 ${what} is validated in time`, SOON, async () => {
    await Promise.resolve();
    assert.ok(
      validate(
        'listPets',
        200,
        Array.from({ length: 400_000 }, () => item),
      ).length > 0,
    );
  });

test('a response definition that the library misreads throws a TypeError', () => {
  const contract = loadContract();
  const withResponse = (response: object): Parameters<typeof createResponseValidator>[0] => ({
    ...contract,
    document: {
      ...contract.document,
      paths: { '/pets': { get: { operationId: 'listPets', responses: { '200': response } } } },
    },
  });
  const schema = { $ref: '#/components/schemas/Pets' };
  for (const response of [
    { $ref: '#/components/responses/Pets' },
    { content: { 'application/json': {} } },
    { content: { 'text/plain': { schema } } },
    { content: { 'application/json': { schema: { type: 'array' } } } },
  ]) {
    assert.throws(() => createResponseValidator(withResponse(response)), TypeError);
  }
  const { validate } = createResponseValidator(
    withResponse({
      content: { 'text/plain': { schema: { type: 'string' } }, 'application/json': { schema } },
    }),
  );
  assert.deepEqual(validate('listPets', 200, [pet]), []);
});

/** Validates with the library and without the kit, to detect changes in a new version. */
function library(schema: object, body: unknown, components: object = {}): unknown {
  const responses = { '200': { content: { 'application/json': { schema } } } };
  return new responseValidator.default({ responses: responses as never, components }).validateResponse(
    '200',
    body,
  );
}

test('library: fills in defaults, so that a missing required member is accepted', () => {
  const body: { id?: number } = {};
  const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer', default: 7 } } };
  assert.equal(library(schema, body), undefined);
  assert.equal(body.id, 7);
});

test('library: accepts 1e400 and numbers beyond int64 as integers', () => {
  assert.equal(library({ type: 'integer', format: 'int64' }, Infinity), undefined);
  assert.equal(library({ type: 'integer', format: 'int64' }, 2 ** 70), undefined);
});

test('library: reads a response reference, or content without schema, as "must be null"', () => {
  for (const response of [{ $ref: '#/components/responses/Pets' }, { content: { 'application/json': {} } }]) {
    const validator = new responseValidator.default({ responses: { '200': response } as never });
    assert.equal(validator.validateResponse('200', null), undefined);
    assert.notEqual(validator.validateResponse('200', []), undefined);
  }
});

test('library: checks only the first media type', () => {
  const content = {
    'text/plain': { schema: { type: 'string' } },
    'application/json': { schema: { type: 'array' } },
  };
  const validator = new responseValidator.default({ responses: { '200': { content } } as never });
  assert.notEqual(validator.validateResponse('200', []), undefined);
});

test('library: rejects null for a nullable reference', () => {
  const components = { schemas: { Word: { type: 'string' } } };
  assert.notEqual(
    library({ $ref: '#/components/schemas/Word', nullable: true }, null, components),
    undefined,
  );
});

test('library: throws on a boolean exclusiveMinimum', () => {
  assert.throws(() => library({ type: 'integer', minimum: 0, exclusiveMinimum: true }, 1));
});
