import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Sample } from '../judge/limits/sample.js';
import { gather } from './gathered.test.support.js';
import { rowToSample, sampleToRow } from './run-log.js';
import { exchangeRecord, footerRecord, headerRecord } from './records.test.support.js';
import type { LogRecord } from './record.js';
import type { ProfileName } from '../base/interface/names.js';

const time = fc.integer({ min: 0, max: 4e14 }).map((hundredths) => hundredths / 100);
const headerValue = fc.oneof(fc.nat(), fc.string(), fc.constant(null));
const sample: fc.Arbitrary<Sample> = fc.record(
  {
    operation: fc.constantFrom('listPets', 'createPet', 'getPet'),
    intendedAt: time,
    sentAt: time,
    answeredAt: time,
    status: fc.constantFrom(0, 200, 201, 401, 429),
    limit: headerValue,
    remaining: headerValue,
    reset: headerValue,
    retryAfter: fc.option(fc.string()),
    date: fc.option(fc.nat()),
  },
  { noNullPrototype: true },
);

test('a sample survives conversion to a row and back, rounded to 0.01 ms', () => {
  fc.assert(
    fc.property(sample, (original) => {
      const row = JSON.parse(JSON.stringify(sampleToRow(original))) as ReturnType<typeof sampleToRow>;
      assert.deepEqual(rowToSample(row), original);
    }),
  );
  assert.equal(sampleToRow({ ...SAMPLE, sentAt: 1.23456 })[2], 1.23);
});

const SAMPLE: Sample = {
  operation: 'listPets',
  intendedAt: 1,
  sentAt: 1,
  answeredAt: 2,
  status: 200,
  limit: 60,
  remaining: 59,
  reset: 61,
  retryAfter: null,
  date: null,
};

const series = (profile: ProfileName, plan: 'free' | 'pro', status: number): LogRecord => ({
  type: 'series',
  profile,
  plan,
  rows: [sampleToRow({ ...SAMPLE, status, answeredAt: status })],
});

test('records are grouped by kind in the order of the log', () => {
  const log = gather([
    headerRecord,
    { type: 'phase', phase: 'suites', at: 1 },
    exchangeRecord('x1'),
    exchangeRecord('x2'),
    { type: 'finding', finding: { kind: 'kept', requirement: 'list-ok', exchanges: ['x1'] } },
    { type: 'settled', requirement: 'list-ok' },
    { type: 'created', id: '49', name: 'conformance-0a1b2c3d 9f8e7d' },
    { type: 'waiting', what: 'Reset', until: 2 },
    series('burst', 'free', 200),
    series('burst', 'pro', 200),
    series('burst', 'free', 429),
    { type: 'tally', requirement: 'json-media-type', kept: 40, profile: 'burst', answers: ['getPet 404'] },
    footerRecord,
  ]);
  assert.deepEqual(
    log.exchanges.map(({ id }) => id),
    ['x1', 'x2'],
  );
  assert.deepEqual(
    log.findings.map(({ requirement }) => requirement),
    ['list-ok'],
  );
  assert.equal(log.kept.get('json-media-type'), 42);
  assert.deepEqual([...(log.shown.get('json-media-type') ?? [])], ['listPets 200', 'getPet 404']);
  assert.ok(log.settled.has('list-ok'));
  assert.deepEqual(log.created, [{ id: '49', name: 'conformance-0a1b2c3d 9f8e7d' }]);
  assert.deepEqual(
    log.series.map(({ profile, plan, moments }) => [
      profile,
      plan,
      moments.map(({ served, refused }) => [served, refused]),
    ]),
    [
      [
        'burst',
        'free',
        [
          [1, 0],
          [0, 1],
        ],
      ],
      ['burst', 'pro', [[1, 0]]],
    ],
  );
  assert.equal(log.footer, footerRecord);
});

test('a log without footer is incomplete, and one without header throws an error', () => {
  assert.equal(gather([headerRecord]).footer, null);
  assert.throws(() => gather([footerRecord]), /header/);
});
