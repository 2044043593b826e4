import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  checkDraft,
  candidates,
  figuresOf,
  schemaFor,
  sourcesIn,
  sourcesOf,
  targetName,
} from './draft-target.js';
import { readAddress, readSource } from './init-questions.js';

const CANARY = 'sk_live_canary-51d0';

test('init offers set variables with matching names, the default name first', () => {
  const env = {
    MY_PRO_TOKEN: 'x',
    PETSTORE_PRO_KEY: 'x',
    PRODUCT_KEY: 'x',
    PRO: 'x',
    ACME_PRO_APIKEY: '',
    PRO_SECRET: 'x',
  };
  assert.deepEqual(candidates('pro', env), ['PETSTORE_PRO_KEY', 'MY_PRO_TOKEN', 'PRO_SECRET']);
  assert.deepEqual(candidates('free', env), []);
});

test('without options init uses the set key variables, or PETSTORE_FREE_KEY', () => {
  assert.deepEqual(sourcesIn({}), { free: '${PETSTORE_FREE_KEY}' });
  assert.deepEqual(sourcesIn({ PETSTORE_BUSINESS_KEY: 'x', PETSTORE_ENTERPRISE_KEY: 'x' }), {
    business: '${PETSTORE_BUSINESS_KEY}',
  });
  assert.deepEqual(sourcesIn({ PETSTORE_SACRIFICIAL_KEY: 'x' }), {
    free: '${PETSTORE_FREE_KEY}',
    sacrificial: '${PETSTORE_SACRIFICIAL_KEY}',
  });
});

test('options name variables and files; a literal key is rejected and not repeated', () => {
  assert.equal(sourcesOf({ plan: [], key: [] }), undefined);
  assert.deepEqual(sourcesOf({ plan: ['free', 'pro'], key: ['pro=file:keys/pro', 'business=${B:-}'] }), {
    free: '${PETSTORE_FREE_KEY}',
    pro: 'file:keys/pro',
    business: '${B:-}',
  });
  for (const key of [`free=${CANARY}`, `free=\${A:-${CANARY}}`, CANARY, `fre=${CANARY}`])
    assert.throws(
      () => sourcesOf({ plan: [], key: [key] }),
      (error) => !inspect(error).includes('51d0'),
      key,
    );
});

test('the prompt accepts a variable name but rejects a literal key', () => {
  const env = { mine: 'x' };
  for (const [answer, value] of [
    ['mine', '${mine}'],
    ['PETSTORE_FREE_KEY', '${PETSTORE_FREE_KEY}'],
    ['$PETSTORE_FREE_KEY', '${PETSTORE_FREE_KEY}'],
    ['${PETSTORE_FREE_KEY:-}', '${PETSTORE_FREE_KEY:-}'],
    ['file:keys/free', 'file:keys/free'],
    ['-', null],
  ] as const)
    assert.deepEqual(readSource(answer, env), { value }, answer);
  for (const answer of ['sk_live_1', 'ABCDEF0123456789', CANARY, 'file:', '', 'a b'])
    assert.ok('wrong' in readSource(answer, env), answer);
  assert.ok('wrong' in readAddress('staging.example.com/v1'));
  assert.deepEqual(readAddress('https://a.example/v1/'), { value: 'https://a.example/v1' });
});

test('Enterprise limits are two positive integers', () => {
  assert.deepEqual(figuresOf('2400/500000'), { perMinute: 2400, perDay: 500_000 });
  for (const text of ['2400', '0/5', '1/2/3', 'a/b', '1.5/2', ''])
    assert.throws(() => figuresOf(text), { code: 'bad-option' }, text);
});

test('the target name comes from the file name, or from the host for target.yaml', () => {
  assert.equal(targetName('conf/staging.yaml', 'https://a.example/v1'), 'staging');
  assert.equal(targetName('target.yaml', 'http://127.0.0.1:8080/v1'), '127.0.0.1-8080');
  assert.equal(targetName('.hidden', 'http://a.example/v1'), 'a.example');
});

test('the schema path is relative within the project and a URL elsewhere', () => {
  const schema = 'config/schemas/target.schema.json';
  const root = '/project/node_modules/petstore-conformance';
  assert.equal(schemaFor('/project/t.yaml', root), `./node_modules/petstore-conformance/${schema}`);
  assert.equal(schemaFor('/project/conf/t.yaml', root), `../node_modules/petstore-conformance/${schema}`);
  assert.equal(schemaFor('/kit/t.yaml', '/kit'), `./${schema}`);
  assert.equal(schemaFor('/kit/conf/t.yaml', '/kit'), `../${schema}`);
  assert.match(schemaFor('/elsewhere/t.yaml', root), /^https:\/\/unpkg\.com\/petstore-conformance@\d/);
  assert.match(schemaFor('/project/t.yaml', '/usr/lib/node_modules/petstore-conformance'), /^https:/);
});

test('two plans with the same variable are rejected before the file is written', () => {
  const draft = { name: 'a', baseUrl: 'http://a/v1', production: false, writes: true, schema: '' };
  assert.throws(() => checkDraft({ ...draft, keys: { free: '${A}', pro: '${A}' } }), {
    code: 'duplicate-key',
  });
  assert.throws(() => checkDraft({ ...draft, keys: { enterprise: '${A}' } }), { code: 'plan-figures' });
  assert.throws(() => checkDraft({ ...draft, baseUrl: 'a', keys: { free: '${A}' } }), { code: 'bad-url' });
  assert.doesNotThrow(() => checkDraft({ ...draft, keys: { free: 'file:gone', pro: '${A}' } }));
});
