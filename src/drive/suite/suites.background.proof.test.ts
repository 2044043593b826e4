import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import pLimit from 'p-limit';
import { loadLedger } from '../../base/interface/ledger.js';
import type { Requirement } from '../../base/interface/types.js';
import { loadPlans } from '../../base/interface/plans.js';
import { startAltered, type AlteredOptions } from '../../proof/index.js';
import { runWithoutPlaywright, suiteCases, type PlainRun } from './plain-host.js';
import { secret } from '../../wire/targets/secret.js';
import type { Target } from '../../wire/targets/target.js';
import { resultsOf, type Results } from '../../outcome/results/results.js';
import { loadedSuites } from './loaded-suites.js';

const BEFORE = '2026-11-20';
/** Most requests of the suites with a Free key: its minute. */
const ALLOWANCE = 60;
/** Most requests with the key of a larger plan, here Business: a quarter. */
const QUARTER = 250;

interface Outcome {
  readonly results: Results;
  /** Requests with a valid key as the server counted them. */
  readonly keyed: number;
  /** Creations that the server received, with any identity. */
  readonly creations: number;
  readonly created: readonly { readonly id: string; readonly name: string }[];
}

/** Runs the suites, or some rows, against a reference server. */
async function judge(
  server: Partial<AlteredOptions>,
  run: PlainRun = {},
  changes: Partial<Target> = {},
): Promise<Outcome> {
  const reference = await startAltered(server);
  const { free, pro, business } = loadPlans();
  const target: Target = {
    name: 'reference',
    baseUrl: reference.baseUrl,
    keys: { free: secret(reference.keys.free), business: secret(reference.keys.business) },
    suiteKey: 'business',
    plans: { free, pro, business },
    windows: { minute: 60, day: 86_400 },
    production: false,
    writes: true,
    exclusive: true,
    ban: { maxRequests: 60, perSecond: 10 },
    // At a low priority the process may stand still for longer than a user's timeout.
    http: { timeoutMs: 120_000, maxBodyBytes: 1_048_576 },
    ...changes,
  };
  try {
    const log = await runWithoutPlaywright(target, { asOf: BEFORE, ...run });
    const results = resultsOf(log, loadLedger().requirements);
    const creations = reference.requestsByPath()['POST /v1/pets'] ?? 0;
    return { results, keyed: reference.requestsByKey()[target.suiteKey], creations, created: log.created };
  } finally {
    await reference.close();
  }
}

/** Rows in scope with another outcome than passed or observed, with the reason's code. */
const remarkable = ({ requirements }: Results): Record<string, string> =>
  Object.fromEntries(
    requirements
      .filter(({ outcome, reason }) => {
        const isInScope = reason?.code !== 'not-selected' && reason?.code !== 'untestable';
        return isInScope && outcome !== 'passed' && outcome !== 'observed';
      })
      .map(({ id, outcome, reason }) => [id, reason ? `${outcome}: ${reason.code}` : outcome]),
  );

const NOT_YET = { 'get-after-removal': 'not-applicable: removal-date' };

/** Returns the rows that a file of the suites states. What this process loaded before stays as it was. */
async function statedBy(path: string): Promise<readonly Requirement[]> {
  const before = [...loadedSuites.cases];
  loadedSuites.isPlain = true;
  loadedSuites.cases.clear();
  try {
    // Under another name it is loaded again and registers all of its own.
    await import(`${pathToFileURL(path).href}?alone`);
    return [...loadedSuites.cases.values()].map(({ row }) => row);
  } finally {
    loadedSuites.cases.clear();
    for (const [id, loaded] of before) loadedSuites.cases.set(id, loaded);
  }
}

test('each suite requirement is in exactly the spec file that the ledger names', async () => {
  const folder = join(import.meta.dirname, '../../../suites');
  const stated: string[] = [];
  for (const file of readdirSync(folder).filter((name) => /\.spec\.[jt]s$/.test(name)))
    for (const { id, judgedBy } of await statedBy(join(folder, file))) {
      assert.ok(judgedBy.kind === 'suite' && file.startsWith(judgedBy.suite), `${id} stands in ${file}`);
      assert.ok(!stated.includes(id), `${id} is stated twice`);
      stated.push(id);
    }
  const rows = loadLedger().requirements.filter(({ judgedBy }) => judgedBy.kind === 'suite');
  assert.deepEqual(stated.toSorted(), rows.map(({ id }) => id).toSorted());
  assert.deepEqual((await suiteCases()).map(({ row }) => row.id).toSorted(), stated.toSorted());
});

/**
 * Stores that need the most requests: no status is frequent, each is just beyond a page, or a long name is
 * refused.
 */
const STORES: readonly (readonly [animals: number, ...variants: readonly string[]])[] = [
  [48, 'statuses-evenly-spread'],
  [48, 'statuses-evenly-spread', 'unknown-members-refused', 'long-names-refused'],
  [48, 'every-fourth-without-status'],
  [60, 'every-fourth-without-status', 'long-names-refused'],
  [48, 'most-without-status', 'long-names-refused'],
  [54, 'statuses-evenly-spread', 'unknown-members-refused', 'long-names-refused'],
  [57, 'statuses-evenly-spread', 'unknown-members-refused', 'long-names-refused'],
  [60, 'statuses-evenly-spread', 'long-names-refused'],
  [99, 'statuses-evenly-spread', 'long-names-refused'],
  [100, 'statuses-evenly-spread', 'long-names-refused'],
  [2000, 'statuses-evenly-spread', 'long-names-refused'],
];

/** Animals that a run adds at most. */
const MOST_ADDED = 25;
/** A page of the default limit, and one more. */
const PAGE_AND_ONE = 21;

/** Store sizes at which a Free plan leaves a part of the default limit untested, with pages of any size. */
const UNTESTED_AT: readonly number[] = [0, 1, 3, 10, 20, 101];

/** Fails unless the default limit's row passed and states what the plan did not allow to test. */
function expectUntestedPart({ requirements }: Results): void {
  const row = requirements.find(({ id }) => id === 'list-limit-default');
  assert.equal(row?.outcome, 'passed');
  assert.match(row.partly?.join() ?? '', /against more than 20 animals/);
}

/** Around an empty store, a page of 20 with a run's additions, one of 100, and far beyond. */
const SIZES = [0, 1, 3, 10, 19, 20, 21, 25, 99, 100, 101, 1000];
/** Sizes for servers with short pages: none, few, around the default limit, and more than a page. */
const FEWER_SIZES = [0, 3, 20, 21, 101];

/** Returns the default limit's row with a flaw. */
async function tried(flaw: string, variants: readonly string[], changes: Partial<Target> = {}) {
  const { results } = await judge({ variants, flaws: [flaw] }, {}, changes);
  return results.requirements.find(({ id }) => id === 'list-limit-default');
}

/** Parallel runs: each mostly waits for a short page to grow. */
const SIDE_BY_SIDE = 6;

describe('a correct server', { concurrency: SIDE_BY_SIDE }, () => {
  test('passes everything with a quarter of the key’s minute limit', async () => {
    const { results, keyed, created } = await judge({});
    assert.deepEqual(remarkable(results), NOT_YET);
    assert.equal(results.verdict, 'conformant');
    assert.ok(keyed <= QUARTER, `${keyed} requests with the key`);
    assert.equal(results.requests.byKey['business'], keyed);
    assert.ok(created.length > 0 && created.every(({ name }) => name.startsWith('conformance-')));
  });

  test('needs the same number of requests in any listing order', async () => {
    const [steady, ...others] = await Promise.all(
      [[], ['random-order'], ['newest-first']].map((variants) => judge({ variants })),
    );
    for (const { results, keyed } of others) {
      assert.deepEqual(remarkable(results), NOT_YET);
      assert.equal(keyed, steady?.keyed);
    }
  });

  for (const animals of [0, 3, 20, 48, 101])
    test(`stays within a Free minute with ${animals} animals if it refuses long names`, async () => {
      const { results, keyed } = await judge(
        { animals, variants: ['long-names-refused'] },
        {},
        { suiteKey: 'free' },
      );
      assert.equal(results.verdict, 'conformant');
      assert.ok(keyed <= ALLOWANCE, `${keyed} requests with the key`);
      expectUntestedPart(results);
    });

  for (const cap of [null, 'pages-of-ten', 'pages-of-twenty', 'pages-of-fifty-in-a-large-store'])
    test(`never exceeds the plan, nor the animals to add, with any store size: ${cap ?? 'full pages'}`, async () => {
      const settings = (cap === null ? SIZES : FEWER_SIZES).flatMap((animals) =>
        (
          [
            ['free', ALLOWANCE],
            ['business', QUARTER],
          ] as const
        ).map(([suiteKey, most]) => ({ animals, suiteKey, most })),
      );
      const limit = pLimit(SIDE_BY_SIDE);
      await Promise.all(
        settings.map(({ animals, suiteKey, most }) =>
          limit(async () => {
            const variants = cap === null ? [] : [cap];
            const { results, keyed, created } = await judge({ animals, variants }, {}, { suiteKey });
            assert.equal(results.verdict, 'conformant', `${animals} animals, ${suiteKey}`);
            assert.ok(keyed <= most, `${keyed} requests with the ${suiteKey} key at ${animals} animals`);
            assert.ok(created.length <= MOST_ADDED, `${created.length} animals added to ${animals}`);
            if (suiteKey === 'free' && UNTESTED_AT.includes(animals)) expectUntestedPart(results);
            if (suiteKey === 'business' && cap === null && animals <= PAGE_AND_ONE)
              assert.deepEqual(remarkable(results), NOT_YET, `${animals} animals`);
          }),
        ),
      );
    });

  test('passes with 2,000 animals, except for requirements that need a complete listing', async () => {
    const { results, keyed } = await judge({ animals: 2000 });
    assert.deepEqual(remarkable(results), {
      ...NOT_YET,
      'list-shows-created': 'not-applicable: store-too-large',
      'list-matches-created': 'not-applicable: store-too-large',
      'create-rejected-leaves-nothing': 'not-applicable: store-too-large',
    });
    assert.equal(results.verdict, 'conformant');
    assert.ok(keyed <= QUARTER, `${keyed} requests with the key`);
  });

  for (const [animals, ...variants] of STORES)
    test(`stays within a Free minute: ${animals} animals, ${variants.join(', ')}`, async () => {
      const { results, keyed } = await judge({ animals, variants }, {}, { suiteKey: 'free' });
      assert.equal(results.verdict, 'conformant');
      assert.ok(keyed <= ALLOWANCE, `${keyed} requests with the key`);
    });

  test('stays within a quarter of a larger plan on the stores that need the most requests', async () => {
    // A larger plan is far from its bound, so two of the stores show it.
    for (const [animals, ...variants] of STORES.slice(-2)) {
      const { results, keyed } = await judge({ animals, variants });
      assert.equal(results.verdict, 'conformant');
      assert.ok(keyed <= QUARTER, `${keyed} requests with the key`);
    }
  });

  test('is tested for the default limit with filters if the plan allows', async () => {
    for (const variant of ['statuses-evenly-spread', 'every-fourth-without-status', 'most-without-status']) {
      const found = await tried('default-limit-missing-with-filter', [variant]);
      assert.equal(found?.outcome, 'failed', variant);
    }
    const left = await tried('default-limit-missing-with-filter', ['most-without-status'], {
      suiteKey: 'free',
    });
    assert.equal(left?.outcome, 'passed');
    assert.match(left.partly?.join() ?? '', /the default with the filter available, pending and sold/);
  });

  test('gets no POST with writes off, and creation requirements are not applicable', async () => {
    const { results, created, creations } = await judge({}, {}, { writes: false });
    assert.equal(results.verdict, 'conformant');
    assert.deepEqual([created, creations], [[], 0]);
    for (const [id, outcome] of Object.entries(remarkable(results)))
      if (id !== 'get-after-removal') assert.equal(outcome, 'not-applicable: writes-off', id);
    assert.ok(['create-ok', 'create-missing-field'].every((id) => id in remarkable(results)));
  });

  test('with a wrong animal in GET /pets/{id} fails with writes off, too', async () => {
    const { results } = await judge({ flaws: ['fetched-old-neighbour'] }, {}, { writes: false });
    assert.equal(results.requirements.find(({ id }) => id === 'get-ok')?.outcome, 'failed');
  });

  test('that ignores a filter on small pages fails in a single-requirement run, too', async () => {
    const id = 'list-filter-with-limit';
    const { results } = await judge({ flaws: ['filter-dropped-on-small-pages-of-sold'] }, { selected: [id] });
    assert.equal(results.requirements.find((row) => row.id === id)?.outcome, 'failed');
  });

  test('with an empty store is inconclusive with writes off', async () => {
    const { results } = await judge({ animals: 0 }, {}, { writes: false });
    assert.equal(results.verdict, 'inconclusive');
    const outcomes = remarkable(results);
    for (const id of [
      'list-limit-max-items',
      'list-limit-default',
      'list-status-filter',
      'get-ok',
      'get-unknown',
    ])
      assert.equal(outcomes[id], 'inconclusive: store-too-small', id);
    assert.equal(outcomes['create-ok'], 'not-applicable: writes-off');
  });

  test('that keeps the deprecated operation after its removal fails only get-after-removal', async () => {
    const { results } = await judge({}, { asOf: '2031-01-01' });
    assert.equal(results.verdict, 'non-conformant');
    const { 'get-after-removal': after, ...others } = remarkable(results);
    assert.equal(after, 'failed');
    assert.ok(Object.values(others).every((outcome) => outcome === 'not-applicable: removal-date'));
    assert.ok(['get-ok', 'get-until-removal', 'get-replacement'].every((id) => id in others));
  });

  test('that has removed the deprecated operation conforms', async () => {
    const ahead = Date.parse('2031-01-01T12:00:00Z') - Date.now();
    const { results } = await judge({ now: () => Date.now() + ahead }, { asOf: '2031-01-01' });
    assert.equal(results.verdict, 'conformant');
    const row = results.requirements.find(({ id }) => id === 'get-after-removal');
    assert.equal(row?.outcome, 'passed');
  });

  test('is not judged on removal on the removal day', async () => {
    const { results } = await judge({}, { asOf: '2030-12-05' });
    assert.equal(results.verdict, 'conformant');
    for (const id of ['get-after-removal', 'get-until-removal', 'get-ok'])
      assert.equal(remarkable(results)[id], 'not-applicable: removal-date');
  });

  test('has the same outcome if each requirement runs alone', async () => {
    for (const {
      row: { id },
    } of await suiteCases()) {
      const { results } = await judge({}, { selected: [id] });
      const row = results.requirements.find((candidate) => candidate.id === id);
      const expected = id === 'get-after-removal' ? ['not-applicable'] : ['passed', 'observed'];
      assert.ok(row && expected.includes(row.outcome), `${id}: ${row?.outcome} ${row?.reason?.text ?? ''}`);
    }
  });
});

/** Returns the outcome of the filter's row on a store of one animal, without writes. */
async function filterOnSmallStore(flaws: readonly string[]): Promise<string | undefined> {
  const { results } = await judge(
    { animals: 1, flaws },
    { selected: ['list-status-filter'] },
    { writes: false },
  );
  return remarkable(results)['list-status-filter'];
}

/** Returns the exchange that the first finding about the default limit names. */
async function firstOfDefault(flaw: string) {
  const { results } = await judge({ flaws: [flaw] });
  const [first] = results.requirements.find(({ id }) => id === 'list-limit-default')?.findings ?? [];
  return results.exchanges.find(({ id }) => id === first?.exchanges[0]);
}

test('a limit that is kept for a connection is shown by two listings in succession, a wrong default by one', async () => {
  assert.equal((await firstOfDefault('limit-kept-on-connection'))?.after, '/v1/pets?limit=21');
  const plain = await firstOfDefault('default-limit-twenty-five');
  assert.ok(plain && plain.after === undefined);
});

test('an ignored filter fails even on a store too small for a pass', async () => {
  assert.equal(await filterOnSmallStore([]), 'inconclusive: store-too-small');
  assert.equal(await filterOnSmallStore(['filter-ignored']), 'failed');
});
