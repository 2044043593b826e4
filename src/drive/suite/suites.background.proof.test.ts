import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { loadLedger } from '../../base/interface/ledger.js';
import { suiteCases } from './plain-host.js';
import type { Target } from '../../wire/targets/target.js';
import { loadedSuites } from './loaded-suites.js';
import { judge, remarkable, SIDE_BY_SIDE } from './suites.test.support.js';

test('each suite requirement is in exactly the spec file that the ledger names', async () => {
  const folder = join(import.meta.dirname, '../../../suites');
  const stated: string[] = [];
  loadedSuites.isPlain = true;
  for (const file of readdirSync(folder).filter((name) => /\.spec\.[jt]s$/.test(name))) {
    // Loaded again under another name, so that each file registers only its own cases.
    const url = `${pathToFileURL(join(folder, file)).href}?alone`;
    loadedSuites.cases.clear();
    await import(url);
    for (const [id, { row }] of loadedSuites.cases) {
      assert.ok(
        row.judgedBy.kind === 'suite' && file.startsWith(row.judgedBy.suite),
        `${id} stands in ${file}`,
      );
      assert.ok(!stated.includes(id), `${id} is stated twice`);
      stated.push(id);
    }
  }
  const rows = loadLedger().requirements.filter(({ judgedBy }) => judgedBy.kind === 'suite');
  assert.deepEqual(stated.toSorted(), rows.map(({ id }) => id).toSorted());
  assert.deepEqual((await suiteCases()).map(({ row }) => row.id).toSorted(), stated.toSorted());
});

/** Returns the default limit's row with a flaw. */
async function tried(flaw: string, variants: readonly string[], changes: Partial<Target> = {}) {
  const { results } = await judge({ variants, flaws: [flaw] }, {}, changes);
  return results.requirements.find(({ id }) => id === 'list-limit-default');
}

describe('a correct server', { concurrency: SIDE_BY_SIDE }, () => {
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

test('an ignored filter fails even on a store too small for a pass', async () => {
  assert.equal(await filterOnSmallStore([]), 'inconclusive: store-too-small');
  assert.equal(await filterOnSmallStore(['filter-ignored']), 'failed');
});
