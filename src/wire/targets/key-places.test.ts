import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { parseTarget } from './load-target.js';
import { targetFromOptions } from './target-options.js';

const folder = mkdtempSync(join(tmpdir(), 'key-places-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'key.txt'), 'k3\n', { mode: 0o600 });

const baseUrl = 'https://pets.example/v1';

test('the source of a key in a target file is recorded', () => {
  const env = { MINE: 'k1', ALIAS: 'k1', EMPTY: '', PETSTORE_BAN_KEY: 'k4', DIR: '.' };
  const keys = {
    free: '${MINE}',
    pro: '${EMPTY:-k2}',
    business: 'file:${DIR}/key.txt',
    sacrificial: '${PETSTORE_BAN_KEY}',
  };
  const { keyPlaces } = parseTarget(
    JSON.stringify({ name: 'mine', baseUrl, keys }),
    join(folder, 'a.yaml'),
    env,
  );
  assert.deepEqual(
    Object.keys(keyPlaces ?? {}),
    ['free', 'business', 'sacrificial'],
    'none for the default in clear',
  );
  const { free, business, sacrificial } = keyPlaces ?? {};
  assert.deepEqual(free, { variable: 'MINE' });
  assert.deepEqual(sacrificial, { variable: 'PETSTORE_BAN_KEY' });
  assert.equal(resolve(business && 'file' in business ? business.file : ''), join(folder, 'key.txt'));
});

const placesOf = (keys: readonly string[], env: Record<string, string>) =>
  targetFromOptions({ baseUrl, keys, env }).keyPlaces;

test('the source of a literal key is the variable with its value, default name first', () => {
  assert.deepEqual(placesOf(['free=k1'], { OTHER: 'k1', PETSTORE_FREE_KEY: 'k1' }), {
    free: { variable: 'PETSTORE_FREE_KEY' },
  });
  assert.deepEqual(placesOf(['free=k1', 'pro=k2'], { OTHER: 'k1' }), { free: { variable: 'OTHER' } });
  assert.deepEqual(placesOf(['pro=${PRO}'], { PRO: 'k2' }), { pro: { variable: 'PRO' } });
});
