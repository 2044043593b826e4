import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import { gather } from '../../log/gathered.test.support.js';
import { loadLedger } from '../../base/interface/ledger.js';
import { resultsOf } from '../results/results.js';
import { exampleExchange, exampleRecords } from '../../report/example-run.test.support.js';
import { keyWords, ownAnimals, ownAnimalsWords } from './remarks.js';

const store = (own: number, others: number): string =>
  JSON.stringify(
    Array.from({ length: own + others }, (_, id) => ({
      id,
      name: id < own ? `conformance-6dff676d-${id}` : `not a conformance-animal ${id}`,
      categoryId: 1,
    })),
  );

const wordsOf = (own: number, others: number, lost: readonly RequirementId[] = []) => {
  const log = gather(
    exampleRecords({
      exchanges: [
        exampleExchange({ text: store(own, others) }),
        exampleExchange({ id: 'x2', text: store(1, 0) }),
      ],
      findings: lost.map((requirement) => ({
        kind: 'not-applicable' as const,
        requirement,
        reason: {
          code: 'store-too-large' as const,
          text: 'the store holds more animals than one listing can show',
        },
      })),
    }),
  );
  return ownAnimalsWords(ownAnimals(resultsOf(log, loadLedger().requirements), log));
};

describe('animals left in a store by earlier runs', () => {
  test('are counted once each, by name', () =>
    assert.deepEqual(wordsOf(21, 48), [
      'The suites saw 21 animals named conformance-…, of 69 in the store.',
    ]));

  test('are mentioned in one sentence if they have no effect', () =>
    assert.deepEqual(wordsOf(1, 3).length, 1));

  test('are mentioned with their effect and the remedy', () => {
    const [count = '', cost = '', remedy = ''] = wordsOf(52, 48, [
      'create-rejected-leaves-nothing',
      'get-replacement',
    ]);
    assert.match(count, /^The suites saw 52 animals .* of at least 100 in the store/);
    assert.match(cost, /create-rejected-leaves-nothing and get-replacement are not tested\.$/);
    assert.match(remedy, /a new store/);
  });
});

for (const [status, words] of [
  [200, 'key accepted (free)'],
  [401, 'key refused (free)'],
  [403, 'key refused (free)'],
  [500, 'the first listing returned 500 (free)'],
  [307, 'the first listing returned 307 (free)'],
  [null, 'the first listing got no readable response (free)'],
  [undefined, 'key refused (free)'],
] as const)
  test(`a first listing with ${status} reads “${words}”`, () =>
    assert.equal(
      keyWords({ keyAccepted: status === 200, plan: 'free', ...(status !== undefined && { status }) }),
      words,
    ));
