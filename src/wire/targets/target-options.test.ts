import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { anyText } from '../../base/kernel/any-text.test.support.js';
import { targetFromOptions } from './target-options.js';
import { ConfigError } from '../../base/kernel/errors.js';

const baseUrl = 'http://127.0.0.1:8080/v1/';
const CANARY = 'canary-77e2';

test('a target is built from an address and keys', () => {
  const target = targetFromOptions({
    baseUrl,
    keys: ['free=a==', 'pro=${PRO}', 'sacrificial=s'],
    env: { PRO: 'p' },
  });
  assert.equal(target.name, '127.0.0.1-8080');
  assert.equal(target.baseUrl, 'http://127.0.0.1:8080/v1');
  assert.equal(target.keys.free?.reveal(), 'a==');
  assert.equal(target.keys.pro?.reveal(), 'p');
  assert.equal(target.sacrificial?.plan, 'free');
  assert.equal(target.suiteKey, 'pro');
});

const names: readonly [address: string, name: string][] = [
  ['https://Pets.example.com/v1', 'pets.example.com'],
  ['http://[::1]:9/v1', '1-9'],
  ['http://localhost', 'localhost'],
];

for (const [address, name] of names) {
  test(`the target of ${address} is named ${name}`, () => {
    assert.equal(targetFromOptions({ baseUrl: address, keys: ['free=x'], env: {} }).name, name);
  });
}

const faults: readonly [keys: readonly string[], code: string, nearest?: string][] = [
  [[], 'no-key'],
  [['sacrificial=x'], 'no-key'],
  [[CANARY], 'bad-key-option'],
  [[`${CANARY}==`], 'bad-key-option'],
  [[`=${CANARY}`], 'bad-key-option'],
  [[`fre=${CANARY}`], 'bad-key-option', 'free'],
  [[`FREE=${CANARY}`], 'bad-key-option', 'free'],
  [['free='], 'bad-key'],
  [['free=${GONE:-}'], 'bad-key'],
  [['free=${GONE}'], 'env-missing'],
  [[`free=${CANARY}\n`], 'bad-key'],
  [[`free=${CANARY}`, 'free=x'], 'bad-key-option'],
  [[`free=${CANARY}`, `pro=${CANARY}`], 'duplicate-key'],
  [[`enterprise=${CANARY}`], 'plan-figures'],
];

for (const [keys, code, nearest] of faults) {
  test(`--key ${keys.join(' ')} gives ${code}`, () => {
    assert.throws(
      () => targetFromOptions({ baseUrl, keys, env: {} }),
      (error) => {
        assert.ok(error instanceof ConfigError, String(error));
        assert.equal(error.code, code);
        assert.equal(error.nearest, nearest);
        assert.doesNotMatch(inspect(error), /77e2/);
        return true;
      },
    );
  });
}

test('an invalid address is rejected', () => {
  assert.throws(() => targetFromOptions({ baseUrl: 'x', keys: ['free=x'], env: {} }), { code: 'bad-url' });
});

test('any key is either accepted unchanged or rejected and not repeated', () => {
  fc.assert(
    fc.property(anyText({ minLength: 12 }), (key) => {
      fc.pre(!key.includes('${'));
      try {
        assert.equal(targetFromOptions({ baseUrl, keys: [`pro=${key}`], env: {} }).keys.pro?.reveal(), key);
      } catch (error) {
        assert.ok(error instanceof ConfigError);
        assert.equal(error.code, 'bad-key');
        assert.ok(!inspect(error).includes(key));
      }
    }),
  );
});
