import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTarget } from './load-target.js';
import { isKeySource, targetText, type TargetDraft } from './write-target.js';

const DRAFT: TargetDraft = {
  name: 'staging',
  baseUrl: 'https://staging.example.com/v1/',
  keys: { free: '${PETSTORE_FREE_KEY}' },
  production: false,
  writes: true,
  schema: './node_modules/petstore-conformance/config/schemas/target.schema.json',
};

const ENV = {
  PETSTORE_FREE_KEY: 'free-key',
  PETSTORE_PRO_KEY: 'pro-key',
  PETSTORE_BUSINESS_KEY: 'business-key',
  PETSTORE_ENTERPRISE_KEY: 'enterprise-key',
  PETSTORE_SACRIFICIAL_KEY: 'lamb',
};

const read = (text: string, env: Record<string, string> = ENV) => parseTarget(text, 'target.yaml', env);

test('the written target is read back, and its first line names the schema', () => {
  const text = targetText(DRAFT);
  assert.match(text, /^# yaml-language-server: \$schema=\.\/node_modules\/\S+\n/);
  const target = read(text, { PETSTORE_FREE_KEY: 'free-key' });
  assert.deepEqual(
    [target.name, target.baseUrl, target.keys.free?.reveal(), target.writes, target.production],
    ['staging', 'https://staging.example.com/v1', 'free-key', true, false],
  );
});

test('every active and commented line is valid, singly and all together', () => {
  const lines = targetText(DRAFT).split('\n');
  const settings = lines.flatMap((line, at) => (/^ *# [a-zA-Z]+: /.test(line) ? [at] : []));
  assert.equal(settings.length, 10, 'four keys and six settings');
  const without = (chosen: readonly number[]): string =>
    lines.map((line, at) => (chosen.includes(at) ? line.replace('# ', '') : line)).join('\n');
  const enterprise = settings.filter((at) => /enterprise/.test(lines[at] ?? ''));
  for (const at of settings)
    assert.doesNotThrow(() => read(without(enterprise.includes(at) ? enterprise : [at])), lines[at]);
  const all = read(without(settings));
  assert.deepEqual(Object.keys(all.keys), ['free', 'pro', 'business', 'enterprise']);
  assert.equal(all.ban.maxSeconds, 900);
  for (const line of lines.slice(1)) assert.ok(line.length <= 100, line);
});

test('values that YAML could misread are quoted', () => {
  const target = read(
    targetText({
      ...DRAFT,
      name: '127.0.0.1-8080',
      keys: { enterprise: '${PETSTORE_ENTERPRISE_KEY}', sacrificial: '${PETSTORE_SACRIFICIAL_KEY:-}' },
      enterprise: { perMinute: 1, perDay: 2 },
      production: true,
      writes: false,
    }),
  );
  assert.deepEqual(target.plans.enterprise, { perMinute: 1, perDay: 2 });
  assert.deepEqual([target.name, target.production, target.writes], ['127.0.0.1-8080', true, false]);
  assert.equal(target.sacrificial?.plan, 'free');
  assert.throws(() => read(targetText({ ...DRAFT, keys: { free: 'file:keys/# my key: 1' } })), {
    code: 'key-file',
    line: 12,
  });
});

test('a key source is distinguished from a key', () => {
  for (const source of ['${A}', '${PETSTORE_FREE_KEY:-}', 'file:a', 'file:/run/secrets/a b'])
    assert.ok(isKeySource(source), source);
  for (const key of ['', 'sk_live_1', '${A', '${A:-sk_live_1}', '$A', 'x${A}', 'file:'])
    assert.ok(!isKeySource(key), key);
});
