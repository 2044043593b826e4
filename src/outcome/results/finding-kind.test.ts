import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../base/kernel/any-text.test.support.js';
import { exampleExchange, exampleResults, HOSTILE, violated } from '../../report/example-run.test.support.js';
import { startAltered } from '../../proof/index.js';
import { targetOf } from '../../proof/selftest/run-trial.js';
import { runWithoutPlaywright } from '../../drive/suite/plain-host.js';
import { loadLedger } from '../../base/interface/ledger.js';
import type { OperationName, RequirementId } from '../../base/interface/types.js';
import { judgementsOf } from '../../judge/findings/finding.js';
import { findingsOf } from '../../judge/checks/rate-headers.js';
import { rateFaults } from '../../judge/limits/headers/header-faults.js';
import { rateTally } from '../../judge/limits/headers/rate-tally.js';
import { limitValue } from '../../judge/limits/rate-limit-value.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import { resultsOf } from './results.js';
import { kindOfFinding, kindsBeyond, kindsOf } from './finding-kind.js';

const FREE = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

/**
 * Returns the kinds of a row's findings on a server with one flaw.
 *
 * @param beside rows whose requests a passive row judges
 */
async function found(
  row: RequirementId,
  flaw: string,
  animals = 25,
  beside: readonly RequirementId[] = [],
): Promise<readonly string[]> {
  await using server = await startAltered({ flaws: [flaw], animals, minuteSeconds: 2 });
  const log = await runWithoutPlaywright(targetOf(server, { minuteSeconds: 2 }), {
    selected: [row, ...beside],
  });
  const { requirements } = resultsOf(log, loadLedger().requirements);
  const result = requirements.find(({ id }) => id === row);
  assert.equal(result?.outcome, 'failed', `${flaw} fails ${row}`);
  return kindsOf(result) ?? [];
}

/** Returns the kinds of a finding whose texts and exchange quote a text. */
const quoting = (text: string) =>
  exampleResults({
    findings: [violated('list-ok', text)],
    exchanges: [exampleExchange({ text, header: 'x' })],
  })
    .requirements.filter(({ id }) => id === 'list-ok')
    .map(kindsOf);

const kindOfSeries = (what: readonly string[]): string =>
  kindOfFinding(
    { exchanges: [], measured: { most: 60, got: 119, what } },
    loadLedger().byId('rate-remaining-counts'),
    new Map(),
  );

describe('the kind of a finding', { concurrency: true }, () => {
  test('names operation, class of request and what was wrong', async () => {
    assert.deepEqual(await found('create-invalid-value', 'category-string-taken'), [
      'createPet categoryId="#": 201',
    ]);
    assert.deepEqual(
      await found('error-shape', 'refused-creation-without-body', 25, ['create-missing-field']),
      ['createPet: 400, empty body'],
    );
    assert.deepEqual(await found('get-unknown', 'greatest-id-fails'), ['getPet id=9223372036854775807: 500']);
  });

  test('differs between mistakes of one row, and stays for one mistake on other stores', async () => {
    const [text, word] = await Promise.all([
      found('create-invalid-value', 'category-string-taken'),
      found('create-invalid-value', 'status-number-taken'),
    ]);
    assert.notDeepEqual(text, word);
    assert.deepEqual(await found('create-invalid-value', 'category-string-taken', 9), text);
  });

  test('of a plain listing covers filtered ones, of which a larger store shows more', async () => {
    const [few, many] = await Promise.all([
      found('list-limit-default', 'default-limit-ten', 25),
      found('list-limit-default', 'default-limit-ten', 80),
    ]);
    assert.ok(many.some((kind) => !few.includes(kind)));
    assert.deepEqual(kindsBeyond(many, few), []);
    const [sold, pending] = ['listPets status=sold: 500', 'listPets status=pending: 500'];
    assert.deepEqual(kindsBeyond([sold], [pending, 'listPets']), [sold]);
  });

  test('says what became of a value: rounding is not wrapping', async () => {
    const [rounded, wrapped] = await Promise.all([
      found('pet-int64', 'category-as-double'),
      found('pet-int64', 'category-as-int32'),
    ]);
    assert.equal(rounded[0], 'createPet categoryId above 2^53: categoryId rounded');
    assert.ok(rounded.every((kind) => kind.endsWith('categoryId rounded')));
    assert.ok(wrapped.every((kind) => kind.endsWith('categoryId wrapped')));
    assert.deepEqual(kindsBeyond(wrapped, rounded), wrapped, 'a baseline of the one accepts not the other');
    const elsewhere = [
      'listPets limit: categoryId rounded',
      'listPets limit status=sold: categoryId rounded',
    ];
    const known = ['listPets limit=100: categoryId rounded'];
    assert.deepEqual(kindsBeyond(elsewhere, known), [], 'a larger store shows it on another page');
    const small = ['listPets limit=1: too many'];
    assert.deepEqual(kindsBeyond(small, ['listPets limit=100: too many']), small);
    const older = rounded.map((kind) => kind.replace(' rounded', ''));
    assert.deepEqual(kindsBeyond(wrapped, older), [], 'an entry of an earlier kit accepts what it did');
  });

  test('says in which form a Reset is wrong', async () => {
    const forms = ['milliseconds', 'seconds-to-go'].map((form) => `reset-in-${form}`);
    const [first = [], ...others] = await Promise.all(
      [...forms, 'reset-with-fraction', 'reset-as-date'].map((flaw) =>
        found('rate-headers-wellformed', flaw, 25, ['list-ok']),
      ),
    );
    let known = first;
    for (const kinds of others) {
      assert.deepEqual(kindsBeyond(kinds, known), kinds, `${kinds.join()} is beyond ${known.join()}`);
      known = [...known, ...kinds];
    }
  });

  test('says which Limit is not the plan’s, except where it varies, and not which operation showed it first', () => {
    const row = loadLedger().byId('rate-limit-value');
    const of = (limits: readonly number[], operation?: OperationName): string => {
      const samples = limits.map((limit) => sampleWith({ limit, remaining: 3 }));
      const [judged] = judgementsOf(limitValue('free', rateTally(samples, FREE, null), FREE));
      assert.ok(judged?.kind === 'violated');
      const shown = { ...exampleExchange(), ...(operation && { operation }) };
      const exchanges = operation ? [shown.id] : [];
      return kindOfFinding({ ...judged, exchanges }, row, new Map([[shown.id, shown]]));
    };
    assert.equal(of([100, 100]), 'series: all, 100, more');
    assert.equal(of([100, 5]), of([5, 100]));
    assert.equal(of([59, 58, 57]), 'series: all, varies, less');
    assert.equal(of([100], 'listPets'), 'any response: all, 100');
    assert.equal(of([100], 'createPet'), of([100], 'listPets'));
    assert.deepEqual(kindsBeyond([of([5])], [of([100])]), [of([5])], 'another limit is another fault');
    assert.deepEqual(kindsBeyond([of([5])], ['series: all, less']), [], 'as an earlier kit recorded it');
    assert.deepEqual(kindsBeyond([of([5], 'listPets')], ['createPet: all']), []);
    assert.deepEqual(kindsBeyond([of([5], 'listPets')], ['createPet: some']), [of([5], 'listPets')]);
    const scenario = ([limit, remaining]: readonly [number, number]): readonly string[] => {
      const sample = sampleWith({ limit, remaining });
      return findingsOf(rateFaults(sample, FREE, null), sample, []).flatMap((finding) =>
        finding.kind === 'violated' ? [kindOfFinding(finding, row, new Map())] : [],
      );
    };
    assert.deepEqual(scenario([100, 7]), ['series: limit, not-the-plans, 100']);
    assert.deepEqual(scenario([7, 7]), ['series: limit, not-the-plans'], 'it counts down');
    assert.deepEqual(kindsBeyond(scenario([5, 4]), scenario([100, 4])), scenario([5, 4]));
  });

  test('says which other status an Error has', async () => {
    const always = await found('error-status-matches', 'error-status-always-400', 25, ['get-unknown']);
    assert.deepEqual(always, ['getPet: 404, another status, 400']);
    assert.deepEqual(kindsBeyond(always, ['getPet: 404, another status, 500']), always);
    assert.deepEqual(
      kindsBeyond(always, ['getPet: 404, another status']),
      [],
      'as an earlier kit recorded it',
    );
  });

  test('says how a page is wrong: too few animals, with their number, are not too many or others', async () => {
    const [ten, more, beyond, unfiltered] = await Promise.all([
      found('list-limit-default', 'default-limit-ten', 30),
      found('list-limit-default', 'default-limit-twenty-five', 30),
      found('list-filter-with-limit', 'filter-with-limit-one-too-many'),
      found('list-filter-with-limit', 'filter-dropped-on-small-pages'),
    ]);
    assert.ok(ten.includes('listPets: too few, 10'), ten.join());
    assert.deepEqual(kindsBeyond(['listPets: too few, 15'], ten), ['listPets: too few, 15']);
    assert.deepEqual(kindsBeyond(more, ten), more);
    assert.ok(kindsBeyond(unfiltered, beyond).length > 0, unfiltered.join());
    const older = [...ten, ...more, ...beyond].map((kind) => kind.replace(/:.*/, ''));
    assert.deepEqual(
      kindsBeyond([...ten, ...more, ...beyond], older),
      [],
      'an earlier kit’s entry accepts any',
    );
  });

  test('of two filters names no listing: which come first is the store’s and the selection’s matter', async () => {
    const [few, many] = await Promise.all([
      found('list-status-filter', 'filter-ignored-and-echoed', 25),
      found('list-status-filter', 'filter-ignored-and-echoed', 25, ['list-limit-bounds', 'list-page-full']),
    ]);
    assert.deepEqual(few, ['listPets: two filters']);
    assert.deepEqual(many, few);
    assert.deepEqual(kindsBeyond(few, ['listPets limit=100 status=available: two filters']), []);
  });

  test('holds no name that is made up for a run', async () => {
    const twice = [1, 2].map(() => found('create-invalid-value', 'string-body-taken'));
    const [one, other] = await Promise.all(twice);
    assert.deepEqual(one, ['createPet a string: 201']);
    assert.deepEqual(other, one);
  });

  test('does not depend on sentences and values', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...HOSTILE), anyText()), (text) =>
        assert.deepEqual(quoting(text), [['listPets']]),
      ),
      { numRuns: 10 },
    );
  });

  test('names operations whole, and no day or month', () => {
    assert.equal(kindOfSeries(['createPet']), 'series: createPet, more');
    assert.equal(kindOfSeries(['Sat, 28 Nov 2026']), kindOfSeries(['Mon, 07 Dec 2027']));
  });

  test('does not depend on what hints at a cause', () => {
    assert.equal(kindOfSeries(['beyond', 'apart']), 'series: beyond, more');
    assert.equal(kindOfSeries(['beyond', 'apart']), kindOfSeries(['beyond']));
  });

  test('is unknown in results of an earlier kit', () => {
    assert.equal(kindsOf({ findings: [{ kind: 'listPets' }, {}] }), null);
    assert.deepEqual(kindsOf({ findings: [] }), []);
  });
});
