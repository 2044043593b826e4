import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import {
  array,
  closed,
  described,
  integer,
  mixed,
  nothing,
  optional,
  string,
  type Shape,
} from '../base/kernel/shape.js';
import { jsonSchemaOf } from './json-schema.js';

const place = closed({
  street: string({ minLength: 1 }),
  number: integer(1, 9999),
  floor: mixed(integer(0), nothing),
});
const person = closed({ name: string(), home: place, work: optional(described('Where they work.', place)) });
const SHAPE = closed({
  first: person,
  others: array(described('Who follows.', person)),
  best: described('The best.', person),
});

test('a part that occurs several times is printed once, with the description of each use', () => {
  const { $defs, properties } = jsonSchemaOf(SHAPE) as {
    $defs: Record<string, Shape>;
    properties: Record<string, Shape>;
  };
  assert.deepEqual(Object.keys($defs), ['first', 'home']);
  assert.deepEqual(properties['best'], { description: 'The best.', $ref: '#/$defs/first' });
  assert.deepEqual($defs['first']?.['properties'], {
    name: { type: 'string' },
    home: { $ref: '#/$defs/home' },
    work: { description: 'Where they work.', $ref: '#/$defs/home' },
  });
});

test('the printed schema accepts what the shape accepts', () => {
  const [ofShape, ofSchema] = [SHAPE, jsonSchemaOf(SHAPE)].map((schema) =>
    new Ajv2020({ strict: false }).compile(schema),
  );
  const aPlace = fc.record({
    street: fc.constantFrom('a', '', 5),
    number: fc.constantFrom(1, 0, 'x'),
    floor: fc.constantFrom(null, 0, -1),
  });
  const aPerson = fc.record(
    { name: fc.constantFrom('a', null), home: aPlace, work: aPlace },
    { requiredKeys: ['name'] },
  );
  fc.assert(
    fc.property(
      fc.record({ first: aPerson, others: fc.array(aPerson, { maxLength: 2 }), best: aPerson }),
      (value) => assert.equal(ofSchema?.(value), ofShape?.(value)),
    ),
  );
});
