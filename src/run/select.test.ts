import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { loadLedger } from '../contract/ledger.js';
import { needsLoad, needsSuites, rowsOfShard, selectRequirements } from './select.js';

const rows = loadLedger().requirements;

const CASES = [
  ['suites only', { only: 'suites' }, true, false],
  ['Limit requirement with suites only', { only: 'suites', requirements: ['rate-limit-value'] }, true, false],
  ['Limit requirement', { requirements: ['rate-limit-value'] }, false, true],
  ['load only', { only: 'load' }, false, true],
] as const;

for (const [what, selection, suites, load] of CASES)
  test(`${what}: Limit is judged ${suites ? 'by suite requests' : 'under load'}`, () => {
    const selected = selectRequirements(rows, selection);
    assert.ok(selected?.includes('rate-limit-value'));
    assert.equal(needsSuites(rows, { selected, selection }), suites);
    assert.equal(needsLoad(rows, { selected, selection }), load);
  });

for (const [profiles, load] of [
  [['explore'], false],
  [['explore', 'burst'], true],
] as const)
  test(`the profile ${profiles.join(' with ')} includes the suites${load ? '' : ' and no load'}`, () => {
    const selected = selectRequirements(rows, { profiles });
    for (const id of ['create-invalid-value', 'pet-shape'] as const) assert.ok(selected?.includes(id), id);
    assert.equal(selected?.includes('rate-429'), load);
    assert.equal(needsSuites(rows, { selected, selection: { profiles } }), true);
    assert.equal(needsLoad(rows, { selected, selection: { profiles } }), load);
  });

test('a replay needs neither suites nor load', () => {
  const selection = { replay: '7:5:0:1' };
  assert.equal(needsSuites(rows, { selected: null, selection }), false);
  assert.equal(needsLoad(rows, { selected: null, selection }), false);
});

const stated = (ids: readonly string[]): readonly string[] =>
  rows.filter(({ id, judgedBy }) => judgedBy.kind === 'suite' && ids.includes(id)).map(({ id }) => id);

test('each suite requirement is in exactly one part, and only the last part has load', () => {
  const all = stated(rows.map(({ id }) => id));
  fc.assert(
    fc.property(fc.integer({ min: 2, max: all.length }), (count) => {
      const parts = Array.from({ length: count }, (_, index) => rowsOfShard(rows, null, { index, count }));
      assert.deepEqual(parts.flatMap(stated), all);
      for (const [index, part] of parts.entries()) {
        assert.ok(stated(part).length > 0);
        const others = rows.filter(({ judgedBy }) => judgedBy.kind !== 'suite').map(({ id }) => id);
        assert.deepEqual(
          part.filter((id) => !all.includes(id)),
          others,
        );
        assert.equal(
          needsLoad(rows, { selected: part, selection: { part: `${index + 1}/${count}` } }),
          index === count - 1,
        );
      }
    }),
  );
});

test('a selection is divided among the parts, and too many parts are rejected', () => {
  const left = selectRequirements(rows, { requirements: ['get-*'] }) ?? [];
  const halves = [0, 1].map((index) => rowsOfShard(rows, left, { index, count: 2 }));
  assert.deepEqual(halves.flatMap(stated), stated(left));
  assert.throws(() => rowsOfShard(rows, left, { index: 0, count: left.length + 1 }), { code: 'bad-option' });
  assert.throws(
    () => rowsOfShard(rows, ['rate-429'], { index: 0, count: 2 }),
    /divides the 0 selected suite requirements, too few for 2 parts/,
  );
});
