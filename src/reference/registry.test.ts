import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../contract/ledger.js';
import { flaws, rareFlaws, startReference, variants } from './index.js';

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

const count = (registry: readonly { needs: string }[], half: string) =>
  registry.filter(({ needs }) => needs === half).length;

test('there are as many as the proof asks for', () => {
  assert.ok(count(flaws, 'suites') >= 120, `${count(flaws, 'suites')} functional flaws`);
  assert.ok(count(flaws, 'load') >= 30, `${count(flaws, 'load')} limiter flaws`);
  assert.ok(count(variants, 'suites') >= 40, `${count(variants, 'suites')} functional variants`);
  assert.ok(rareFlaws.length >= 60, `${rareFlaws.length} rare flaws`);
  assert.ok(count(variants, 'load') >= 12, `${count(variants, 'load')} limiter variants`);
});

test('every id that is named stands in the ledger, and no flaw turns nothing red', () => {
  for (const { name, turns, also } of [...flaws, ...rareFlaws]) {
    assert.notEqual(turns.length, 0, name);
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

test('every must and every should that a program judges has a flaw that breaks it', () => {
  const broken = new Set(flaws.flatMap(({ turns }) => turns));
  const unbroken = loadLedger()
    .requirements.filter(({ level, judgedBy }) => ['must', 'should'].includes(level) && judgedBy.kind !== 'nobody')
    .map(({ id }) => id)
    .filter((id) => !broken.has(id) && !BEYOND.includes(id));
  assert.deepEqual(unbroken, []);
});

test('a name that is in no registry is an error that knows the nearest', async () => {
  await assert.rejects(startReference({ flaws: ['limit-one-ower'] }), {
    code: 'unknown-name',
    kind: 'flaw',
    given: 'limit-one-ower',
    nearest: 'limit-one-over',
  });
  await assert.rejects(startReference({ variants: ['gzipp'] }), { kind: 'variant', nearest: 'gzip' });
});
