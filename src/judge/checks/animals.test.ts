import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewPet } from '../../base/interface/types.js';
import { echoes, hasCategory, int64, newId, sameAnimal } from './animals.js';
import { createdOf, exchangeOf, kindOf, pet } from './exchange.test.support.js';
import type { Judgement } from '../findings/finding.js';
import { type Single, petView } from './pets.js';
import { readJson } from '../../base/kernel/json.js';

const SENT: NewPet = { name: 'é e\u0301 🐈 <b>&amp;', categoryId: '9007199254740993', status: 'sold' };
const SENT_NAME = JSON.stringify(SENT.name);
const answered = (members: string): Single => createdOf(`{"id":1,${members}}`);
const whole = answered(`"name":${SENT_NAME},"categoryId":9007199254740993,"status":"sold"`);
const plainest: NewPet = { name: 'Rex', categoryId: '1' };
const rex = (members: string): Single => createdOf(`{"id":7,"name":"Rex","categoryId":1${members}}`);
const BROKEN = createdOf('{"id":"7","name":"Rex","categoryId":1}');
const PREREQUISITE = 'inconclusive: prerequisite';

const CASES: readonly (readonly [what: string, judgement: Judgement, expected: string])[] = [
  ['all sent members', echoes(SENT, whole), 'kept'],
  [
    'digits lost beyond 2^53',
    echoes(SENT, answered(`"name":${SENT_NAME},"categoryId":9007199254740992,"status":"sold"`)),
    'violated',
  ],
  [
    'the same category in another notation',
    echoes(SENT, answered(`"name":${SENT_NAME},"categoryId":9007199254740993.0,"status":"sold"`)),
    'kept',
  ],
  [
    'a name in another normal form',
    echoes(
      SENT,
      answered(
        `"name":${JSON.stringify(SENT.name.normalize('NFC'))},"categoryId":9007199254740993,"status":"sold"`,
      ),
    ),
    'violated',
  ],
  [
    'another status',
    echoes(SENT, answered(`"name":${SENT_NAME},"categoryId":9007199254740993,"status":"pending"`)),
    'violated',
  ],
  [
    'no status although one was sent',
    echoes(SENT, answered(`"name":${SENT_NAME},"categoryId":9007199254740993`)),
    'violated',
  ],
  ['a status although none was sent', echoes(plainest, rex(',"status":"available"')), 'kept'],
  [
    'a difference in a member outside the comparison',
    echoes({ ...SENT, name: 'other' }, whole, ['status']),
    'kept',
  ],
  ['the wrong shape', echoes(plainest, BROKEN), PREREQUISITE],
  ['a failed creation', echoes(plainest, createdOf('{}', { status: 500 })), PREREQUISITE],

  ['the same members as created', sameAnimal(rex(''), rex('')), 'kept'],
  [
    'the same id in another notation',
    sameAnimal(createdOf('{"id":7.0,"name":"Rex","categoryId":1e0}'), rex('')),
    'kept',
  ],
  ['another id', sameAnimal(createdOf('{"id":8,"name":"Rex","categoryId":1}'), rex('')), 'violated'],
  [
    'an id without its last digits',
    sameAnimal(createdOf(pet(2n ** 60n)), createdOf(pet(2n ** 60n + 1n))),
    PREREQUISITE,
  ],
  [
    'another id beyond 2^53',
    sameAnimal(createdOf(pet(2n ** 61n)), createdOf(pet(2n ** 60n + 1n))),
    'violated',
  ],
  ['a default status that only its fetch shows', sameAnimal(rex(',"status":"available"'), rex('')), 'kept'],
  [
    'the status that was sent, though the 201 response had none',
    sameAnimal(rex(',"status":"sold"'), rex(''), { status: 'sold' }),
    'kept',
  ],
  [
    'another status than was sent, where the 201 response had none',
    sameAnimal(rex(',"status":"available"'), rex(''), { status: 'sold' }),
    'violated',
  ],
  ['no status any more', sameAnimal(rex(''), rex(',"status":"available"')), 'violated'],
  [
    'the sent name although the 201 response had another',
    sameAnimal(rex(''), createdOf('{"id":7,"name":"REX","categoryId":1}'), { name: 'Rex', categoryId: '1' }),
    'kept',
  ],
  [
    'neither the sent name nor the name of the 201 response',
    sameAnimal(rex(''), createdOf('{"id":7,"name":"REX","categoryId":1}'), { name: 'rex', categoryId: '1' }),
    'violated',
  ],
  ['a get response of the wrong shape', sameAnimal(BROKEN, rex('')), PREREQUISITE],
  ['a create response of the wrong shape', sameAnimal(rex(''), BROKEN), PREREQUISITE],

  ['an id not seen before', newId(rex(''), () => undefined), 'kept'],
  ['an id seen before', newId(rex(''), (id) => ({ place: `animal ${id} of “GET /pets”` })), 'violated'],
];

for (const [what, judgement, expected] of CASES)
  test(`an animal with ${what}: ${expected}`, () => {
    assert.equal(kindOf(judgement), expected);
    if (judgement.kind === 'violated') assert.ok(judgement.expected && judgement.actual);
  });

const view = (text: string) => {
  const reading = readJson(text);
  assert.ok(reading.ok);
  return petView(reading.value);
};

const INT64: readonly (readonly [id: string, categoryId: string, expected: string])[] = [
  ['1', '9223372036854775807', 'kept'],
  ['-9223372036854775808', '0', 'kept'],
  ['9223372036854775808', '1', 'violated'],
  ['1', '18446744073709551615', 'violated'],
  ['1e19', '1', 'violated'],
  ['1.5', '"1"', 'kept'],
  ['null', 'true', 'kept'],
];

for (const [id, categoryId, expected] of INT64)
  test(`int64 with id ${id} and categoryId ${categoryId}: ${expected}`, () => {
    const sound = view('{"id":1,"categoryId":1}');
    const judgement = int64(exchangeOf(), [sound, view(`{"id":${id},"categoryId":${categoryId}}`)]);
    assert.equal(kindOf(judgement), expected);
  });

test('a category that is not an integer cannot be compared', () => {
  assert.deepEqual(
    ['1', '1.0', '"1"', '1.5', 'null'].map((value) => hasCategory(view(`{"categoryId":${value}}`))),
    [true, true, false, false, false],
  );
  assert.equal(hasCategory(view('{"__proto__":{"categoryId":1}}')), false);
});
