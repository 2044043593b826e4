import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequirementId } from '../base/interface/types.js';
import { exchangeOf } from '../judge/checks/exchange.test.support.js';
import { violated, type Finding } from '../judge/findings/finding.js';
import type { CapacityResults } from './capacity-shape.js';
import { foundAgain } from './found-again.js';
import { capacityVerdict } from './results.js';

const MISSING: Finding = { requirement: 'get-ok', ...violated([], 'does not find an animal') };
const shown = (): never => assert.fail('nobody asks for the exchange');

/** Status codes of fetches, each sent at its first time and answered at its second, ms. */
type Fetches = readonly (readonly [id: string, status: number, sentAt: number, answeredAt: number])[];

const CASES: readonly (readonly [name: string, fetches: Fetches, charged: number])[] = [
  [
    'never found again: others may have removed it',
    [
      ['1', 404, 0, 1],
      ['1', 404, 2, 3],
      ['1', 410, 4, 5],
    ],
    0,
  ],
  [
    'found by a later request',
    [
      ['1', 404, 0, 1],
      ['1', 404, 2, 3],
      ['1', 200, 4, 5],
    ],
    2,
  ],
  [
    'found by a request that was under way at the same time',
    [
      ['1', 404, 0, 3],
      ['1', 200, 2, 5],
    ],
    0,
  ],
  [
    'found a second time',
    [
      ['1', 404, 0, 1],
      ['1', 200, 2, 3],
      ['1', 200, 4, 5],
    ],
    1,
  ],
  [
    'another animal is found',
    [
      ['1', 404, 0, 1],
      ['2', 200, 2, 3],
    ],
    0,
  ],
  [
    'refused in between',
    [
      ['1', 404, 0, 1],
      ['1', 429, 2, 3],
      ['1', 200, 4, 5],
    ],
    1,
  ],
];

describe('a fetch that does not find a listed animal', () => {
  for (const [name, fetches, charged] of CASES)
    test(name, () => {
      let count = 0;
      const { fetched: take } = foundAgain(() => void (count += 1));
      let revealed = 0;
      for (const [id, status, sentAt, answeredAt] of fetches) {
        const findings = status === 200 || status === 429 ? [] : [MISSING];
        const taken = take(id, { status, findings, sentAt, answeredAt, shown });
        assert.deepEqual(taken.findings, []);
        revealed += taken.reveals;
      }
      assert.deepEqual([count, revealed], [charged, charged]);
    });

  test('counts at once where the response says something else', () => {
    const { fetched: take } = foundAgain(() => assert.fail('charged later'));
    const other: Finding = { requirement: 'json-media-type', ...violated([], 'has no media type') };
    const fetch = { findings: [MISSING, other], sentAt: 0, answeredAt: 1, shown };
    assert.deepEqual(take('1', { ...fetch, status: 405 }).findings, [MISSING, other]);
    assert.deepEqual(take('1', { ...fetch, status: 404 }).findings, [other]);
  });
});

/** Fetches of so many animals, all with one status. */
const fetches = (count: number, status = 404) =>
  Array.from({ length: count }, (_, nth) => [String(nth), status] as const);

describe('a first fetch that does not find a listed animal', () => {
  const GONE: Finding = { requirement: 'get-until-removal', ...violated([], 'as if it were removed') };
  const exchange = exchangeOf({ operation: 'getPet', path: '/v1/pets/1', status: 404 });

  /** Plays fetches one after the other; returns the rows charged at once or later, and those revealed. */
  const play = (all: readonly (readonly [id: string, status: number])[]) => {
    const charged: RequirementId[] = [];
    let revealed = 0;
    const { fetched: take } = foundAgain(({ requirement }) => void charged.push(requirement));
    for (const [at, [id, status]] of all.entries()) {
      const findings = status === 200 ? [] : [GONE];
      const fetch = { status, findings, sentAt: 2 * at, answeredAt: 2 * at + 1, shown: () => exchange };
      const taken = take(id, fetch);
      charged.push(...taken.findings.map(({ requirement }) => requirement));
      revealed += taken.reveals;
    }
    return { charged, revealed };
  };

  test('is not charged while others may have removed just that animal', () => {
    assert.deepEqual(play([['1', 404]]), { charged: [], revealed: 0 });
    assert.deepEqual(play([...fetches(4), ...fetches(4), ['9', 200]]), { charged: [], revealed: 0 });
  });

  test('is charged to get-ok once the animal is found', () => {
    const found = play([...fetches(1), ...fetches(1, 200)]);
    assert.deepEqual(found, { charged: ['get-ok'], revealed: 1 });
  });

  test('is charged to get-until-removal once too many animals are missing and none was found', () => {
    const { charged, revealed } = play([...fetches(6, 410), ...fetches(1, 410)]);
    assert.deepEqual(new Set(charged), new Set(['get-until-removal']));
    assert.deepEqual([charged.length, revealed], [7, 4]);
  });
});

describe('a fetch that does not find an animal, and a listing that shows it', () => {
  const GONE: Finding = { requirement: 'get-until-removal', ...violated([], 'as if it were removed') };
  const exchange = exchangeOf({ operation: 'getPet', path: '/v1/pets/1', status: 404 });

  /** Plays a fetch of each status, then a listing of animal 1; returns the rows charged. */
  const play = (statuses: readonly number[], listedAt: number, shows = '1') => {
    const charged: RequirementId[] = [];
    const { fetched, listed } = foundAgain(({ requirement }) => void charged.push(requirement));
    for (const [nth, status] of statuses.entries()) {
      const findings = status === 200 ? [] : [GONE];
      fetched(String(nth), { status, findings, sentAt: 0, answeredAt: 1, shown: () => exchange });
    }
    assert.equal(listed(new Set([shows]), listedAt), charged.length);
    return charged;
  };

  test('in a store of four animals or fewer: the operation is gone', () => {
    assert.deepEqual(play([404, 404], 2001), ['get-until-removal']);
  });

  test('where the operation serves others: the animal is missing', () => {
    assert.deepEqual(play([200, 404], 2001), ['get-ok']);
  });

  test('soon after the fetch: a cache may show it still', () => {
    assert.deepEqual(play([404, 404], 1999), []);
  });

  test('that shows others: others may have removed it', () => {
    assert.deepEqual(play([404, 404], 2001, '9'), []);
  });
});

const verdictWith = (byStatus: Readonly<Record<string, number>>): string =>
  capacityVerdict(
    { phases: [{ served: 70, byStatus }], thresholds: [], violations: [] } as unknown as CapacityResults,
    true,
  );

test('a run in which listed animals stay away is inconclusive: nothing shows that others removed them', () => {
  assert.equal(verdictWith({ 200: 70 }), 'conformant');
  assert.equal(verdictWith({ 200: 70, 404: 20 }), 'inconclusive');
  assert.equal(verdictWith({ 200: 70, 410: 1 }), 'inconclusive');
});
