import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../base/interface/ledger.js';
import { flaws, rareFlaws, startAltered, variants } from './index.js';

const ids = new Set(loadLedger().requirements.map(({ id }) => id));

test('names are unique, in kebab-case, and titles are sentences', () => {
  for (const registry of [[...flaws, ...rareFlaws], variants]) {
    const names = registry.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
    for (const { name, title } of registry) {
      assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assert.match(title, /^\S.*\.$/s);
    }
  }
});

const count = (registry: readonly { readonly needs: string }[], half: string): number =>
  registry.filter(({ needs }) => needs === half).length;

test('the number of flaws and variants does not shrink', () => {
  const least = [
    ['flaws of the suites', count(flaws, 'suites'), 334],
    ['flaws of load', count(flaws, 'load'), 80],
    ['rare flaws', rareFlaws.length, 136],
    ['variants of the suites', count(variants, 'suites'), 126],
    ['variants of load', count(variants, 'load'), 34],
  ] as const;
  for (const [what, there, expected] of least) assert.ok(there >= expected, `${there} ${what}`);
});

test('every named id is in the ledger, and every flaw violates a requirement', () => {
  for (const { name, turns, families, also } of [...flaws, ...rareFlaws]) {
    assert.notEqual(turns.length + families.length, 0, name);
    for (const id of [...turns, ...also]) assert.ok(ids.has(id), `${name}: ${id}`);
    assert.deepEqual(
      also.filter((id) => turns.includes(id)),
      [],
      name,
    );
  }
  for (const { name, warns, clouds } of variants) {
    for (const id of [...warns, ...clouds]) assert.ok(ids.has(id), `${name}: ${id}`);
  }
});

/** Rows that one server cannot break by itself. */
const BEYOND = ['environments-agree'];

test('every "must" and "should" requirement with an automated check has a flaw', () => {
  const broken = new Set(flaws.flatMap(({ turns }) => turns));
  const unbroken = loadLedger()
    .requirements.filter(
      ({ level, judgedBy }) => ['must', 'should'].includes(level) && judgedBy.kind !== 'nobody',
    )
    .map(({ id }) => id)
    .filter((id) => !broken.has(id) && !BEYOND.includes(id));
  assert.deepEqual(unbroken, []);
});

test('an unknown name is an error that suggests the nearest name', async () => {
  for (const [options, message, hint] of [
    [{ flaws: ['limit-one-ower'] }, 'There is no flaw "limit-one-ower".', /mean limit-one-over\?/],
    [{ variants: ['gzipp'] }, 'There is no variant "gzipp".', /mean gzip\?/],
  ] as const)
    await assert.rejects(startAltered(options), { code: 'unknown-name', message, hint });
});
