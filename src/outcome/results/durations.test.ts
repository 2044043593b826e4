import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { RequirementId } from '../../base/interface/types.js';
import { loadLedger } from '../../base/interface/ledger.js';
import type { LogRecord } from '../../log/record.js';
import { gather } from '../../log/gathered.test.support.js';
import { exampleExchange, exampleProfile, exampleRecords } from '../../report/example-run.test.support.js';
import { durationsOf, resultsOf } from './results.js';

const ROWS = loadLedger().requirements;
const [HEADER] = exampleRecords();
const START = Date.parse('2026-11-20T10:00:00.000Z');
const FINISH = new Date(START + 3_100).toISOString();

const asked = (id: string, sentAt: number, latencyMs: number): LogRecord => ({
  type: 'exchange',
  exchange: { ...exampleExchange({ id }), sentAt: START + sentAt, latencyMs },
  kept: [],
});
const settled = (requirement: RequirementId): LogRecord => ({ type: 'settled', requirement });
const durations = (...records: readonly LogRecord[]) =>
  Object.fromEntries(
    [...durationsOf(gather([...(HEADER ? [HEADER] : []), ...records]), ROWS, FINISH)].map(
      ([id, { durationMs }]) => [id, durationMs],
    ),
  );

describe('the duration of a requirement', () => {
  test('ends with its own requests and is absent if others sent them', () =>
    assert.deepEqual(
      durations(
        asked('x1', 100, 20),
        asked('x2', 500, 80.4),
        settled('list-ok'),
        settled('pets-array'),
        asked('x3', 1_000, 10),
        settled('get-ok'),
      ),
      { 'list-ok': 580, 'get-ok': 3_100 - 580 },
    ));

  test('includes a load profile at its first requirement', () => {
    const summary = { ...exampleProfile(5), finishedAt: START + 3_000 };
    const first = ROWS.find(
      ({ judgedBy }) => judgedBy.kind === 'load' && judgedBy.profiles.includes('burst'),
    );
    assert.ok(first);
    assert.deepEqual(durations(asked('x1', 100, 100), settled('list-ok'), { type: 'profile', summary }), {
      'list-ok': 200,
      [first.id]: 2_900,
    });
  });

  test('is absent if no requirement was settled', () =>
    assert.deepEqual(durations(asked('x1', 100, 20)), {}));

  test('adds up to the duration of the run', () => {
    const times = fc.tuple(
      fc.integer({ min: -50, max: 4_000 }),
      fc.double({ min: 0, max: 900, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(times, { minLength: 1, maxLength: 30 }), (exchanges) => {
        const records = exchanges.flatMap(([at, took], index) => [
          asked(`x${index}`, at, took),
          ...(index % 3 === 0 ? [settled(ROWS[index % ROWS.length]?.id ?? 'list-ok')] : []),
        ]);
        const all = Object.values(durations(...records));
        assert.ok(all.every((ms) => Number.isInteger(ms) && ms > 0));
        assert.equal(
          all.reduce((sum, ms) => sum + ms, 0),
          3_100,
        );
      }),
    );
  });

  test('is part of results.json', () => {
    const { requirements } = resultsOf(gather(exampleRecords()), ROWS);
    assert.deepEqual(
      requirements.filter(({ durationMs }) => durationMs !== undefined).map(({ durationMs }) => durationMs),
      [3_100],
    );
  });
});
