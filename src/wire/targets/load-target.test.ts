import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { parseTarget, readTargetFile, targetNames } from './load-target.js';
import { planOf, type Target } from './target.js';
import { keyNames } from '../../base/interface/names.js';
import { ConfigError } from '../../base/kernel/errors.js';
import { packageRoot } from '../../base/kernel/package.js';

const CANARY = 'canary-9c41';
const folder = mkdtempSync(join(tmpdir(), 'petstore-target-'));
after(() => rmSync(folder, { recursive: true }));

const LEAST = 'name: mine\nbaseUrl: https://pets.example/v1/\nkeys:\n  free: free-key\n';
const parse = (text: string, env: Record<string, string> = {}): Target =>
  parseTarget(text, join(folder, 'a.yaml'), env);

/** Reveals a target's keys, to compare them. */
function revealed({ keys, sacrificial, ...rest }: Target): object {
  return {
    ...rest,
    keys: Object.fromEntries(Object.entries(keys).map(([plan, key]) => [plan, key.reveal()])),
    sacrificial: sacrificial && { plan: sacrificial.plan, key: sacrificial.key.reveal() },
  };
}

for (const name of targetNames())
  test(`the target ${name} takes a key of each plan`, () => {
    const text = readFileSync(join(packageRoot(), 'config', 'targets', `${name}.yaml`), 'utf8');
    const missing = keyNames.filter(
      (key) => !text.includes(`_${name.toUpperCase()}_${key.toUpperCase()}_KEY`),
    );
    assert.deepEqual(missing, []);
  });

test('the minimal file gets the documented defaults', () => {
  assert.deepEqual(revealed(parse(LEAST)), {
    name: 'mine',
    baseUrl: 'https://pets.example/v1',
    keys: { free: 'free-key' },
    sacrificial: undefined,
    suiteKey: 'free',
    plans: {
      free: { perMinute: 60, perDay: 1000 },
      pro: { perMinute: 300, perDay: 10_000 },
      business: { perMinute: 1000, perDay: 100_000 },
    },
    windows: { minute: 60, day: 86_400 },
    production: false,
    writes: true,
    exclusive: true,
    ban: { maxRequests: 60, perSecond: 10 },
    http: { timeoutMs: 10_000, maxBodyBytes: 1_048_576 },
    keyVariables: {},
    keyPlaces: {},
  });
});

const FULL = `
name: staging
baseUrl: https://\${HOST}/v1
keys:
  free: \${FREE}
  pro: '0123'
  business: \${GONE:-}
  enterprise: e
  sacrificial: { key: s, plan: pro }
suiteKey: pro
plans: { enterprise: { perMinute: '\${PER_MINUTE}', perDay: 500000 } }
windows: { minute: 2.5, day: 30 }
production: true
writes: false
exclusive: false
ban: { maxSeconds: 900, maxRequests: 5, perSecond: 1 }
http: { timeoutMs: 1, maxBodyBytes: 2, ca: ./ca.pem }
`;

test('every member of the file is read', () => {
  const ca = `${rootCertificates[0] ?? ''}\n`;
  writeFileSync(join(folder, 'ca.pem'), ca);
  const target = parse(FULL, { HOST: 'pets.example', FREE: 'f', PER_MINUTE: '2400' });
  assert.deepEqual(revealed(target), {
    name: 'staging',
    baseUrl: 'https://pets.example/v1',
    keys: { free: 'f', pro: '0123', enterprise: 'e' },
    sacrificial: { key: 's', plan: 'pro' },
    suiteKey: 'pro',
    plans: { ...parse(LEAST).plans, enterprise: { perMinute: 2400, perDay: 500_000 } },
    windows: { minute: 2.5, day: 30 },
    production: true,
    writes: false,
    exclusive: false,
    ban: { maxSeconds: 900, maxRequests: 5, perSecond: 1 },
    http: { timeoutMs: 1, maxBodyBytes: 2, ca },
    keyVariables: { free: 'FREE', business: 'GONE' },
    keyPlaces: { free: { variable: 'FREE' } },
  });
  assert.deepEqual(planOf(target, 'enterprise'), { name: 'enterprise', perMinute: 2400, perDay: 500_000 });
});

test('a plan without limits throws a RangeError', () => {
  assert.throws(() => planOf(parse(LEAST), 'enterprise'), RangeError);
});

test('JSON is read as well, with tabs and byte order mark', () => {
  const json = JSON.stringify(
    { name: 'mine', baseUrl: 'http://127.0.0.1:1/v1', keys: { pro: 'p' } },
    null,
    '\t',
  );
  assert.equal(parse(`\uFEFF${json.replaceAll('\n', '\r\n')}`).suiteKey, 'pro');
});

test('a sacrificial key is a Free key by default, and never used for suites', () => {
  assert.equal(parse(`${LEAST}  sacrificial: s`).sacrificial?.plan, 'free');
  assert.throws(() => parse(LEAST.replace('free:', 'sacrificial:')), { code: 'no-key' });
});

test('a sacrificial key from an unset variable is omitted', () => {
  assert.equal(parse(`${LEAST}  sacrificial: { key: '\${GONE:-}', plan: free }`).sacrificial, undefined);
});

const MISPLACED = { code: 'misplaced-key', line: 1 } as const;

const faults: readonly [
  name: string,
  text: string,
  expected: { readonly [Name in Exclude<keyof ConfigError, 'name'>]?: ConfigError[Name] | undefined },
][] = [
  ['an unknown name', `${LEAST}writs: false`, { code: 'unknown-name', line: 5, nearest: 'writes' }],
  [
    'an unknown name without a similar one',
    `${LEAST}zebra: false`,
    { code: 'unknown-name', line: 5, nearest: undefined },
  ],
  [
    'a name in the wrong case',
    `${LEAST}suitekey: free`,
    { code: 'unknown-name', line: 5, nearest: 'suiteKey' },
  ],
  ['an unknown plan', `${LEAST}  bussiness: x`, { code: 'unknown-name', line: 5, nearest: 'business' }],
  ['a key in place of a plan', `${LEAST}  ${CANARY}: x`, { code: 'unknown-name', line: 5 }],
  ['a key in place of a setting', `${LEAST}${CANARY}: x`, { code: 'unknown-name', line: 5 }],
  ['a key in place of an inner setting', `${LEAST}http: { ${CANARY}: 5 }`, { code: 'unknown-name', line: 5 }],
  [
    'a key in place of a setting, with its variable as the value',
    `${LEAST.replace('free-key', '${HELD}')}http: { ${CANARY}: "\${HELD}" }`,
    { code: 'misplaced-key', line: 5 },
  ],
  [
    'a forgotten space after a colon',
    `name: a\nbaseUrl: b\nkeys: { free:${CANARY} }`,
    { code: 'unknown-name', line: 3 },
  ],
  [
    'an unknown nested name',
    `${LEAST}http: { timeout: 5 }`,
    { code: 'unknown-name', line: 5, nearest: 'timeoutMs' },
  ],
  [
    'custom limits for Pro',
    `${LEAST}plans: { pro: { perMinute: 1, perDay: 2 } }`,
    { code: 'unknown-name', line: 5 },
  ],
  ['no name', LEAST.replace('name: mine\n', ''), { code: 'missing-field', line: 1, expected: '"name"' }],
  [
    'no keys',
    'name: a\nbaseUrl: http://a/v1',
    {
      code: 'missing-field',
      message: '"keys" is missing.',
      expected: '"keys", e.g. { free: ${PETSTORE_FREE_KEY} }',
    },
  ],
  [
    'no address',
    'name: a\nkeys: { free: x }',
    { code: 'missing-field', expected: '"baseUrl", e.g. https://staging.example.com/v1' },
  ],
  ['empty keys', 'name: a\nbaseUrl: http://a/v1\nkeys: {}', { code: 'no-key', line: 3 }],
  ['keys that are all unset', LEAST.replace('free-key', '${GONE:-}'), { code: 'no-key', line: 4 }],
  [
    'a name that is a path',
    LEAST.replace('mine', '../mine'),
    {
      code: 'bad-value',
      line: 1,
      expected: 'a letter or a digit, then at most 63 letters, digits, “.”, “_” or “-”',
    },
  ],
  [
    'a number as a key',
    LEAST.replace('free-key', '12345'),
    { code: 'wrong-type', line: 4, expected: 'a string in quotes or an object' },
  ],
  [
    'a key without value',
    LEAST.replace('free-key', ''),
    { code: 'wrong-type', line: 4, expected: 'a string or an object' },
  ],
  ['an empty key', LEAST.replace('free-key', "''"), { code: 'bad-key', line: 4 }],
  ['a key with a line break', LEAST.replace('free-key', `"${CANARY}\\n"`), { code: 'bad-key', line: 4 }],
  ['a key with non-ASCII characters', LEAST.replace('free-key', `${CANARY}é`), { code: 'bad-key', line: 4 }],
  ['a key with a space', LEAST.replace('free-key', `Bearer ${CANARY}`), { code: 'bad-key', line: 4 }],
  ['one key for two plans', `${LEAST}  pro: free-key`, { code: 'duplicate-key', line: 5 }],
  ['a plan’s key as sacrificial key', `${LEAST}  sacrificial: free-key`, { code: 'duplicate-key', line: 5 }],
  ['a sacrificial key without plan', `${LEAST}  sacrificial: { key: x }`, { code: 'missing-field', line: 5 }],
  [
    'a sacrificial key as a list',
    `${LEAST}  sacrificial: [x]`,
    { code: 'wrong-type', expected: 'a string or an object' },
  ],
  ['a suite key without a value', `${LEAST}suiteKey: pro`, { code: 'suite-key', line: 5 }],
  [
    'a suite key that is not a plan',
    `${LEAST}suiteKey: fre`,
    { code: 'bad-value', line: 5, nearest: 'free' },
  ],
  ['an Enterprise key without limits', `${LEAST}  enterprise: e`, { code: 'plan-figures' }],
  [
    'text as a boolean',
    `${LEAST}writes: nope`,
    { code: 'wrong-type', line: 5, expected: 'a boolean, true or false without quotes' },
  ],
  [
    '"yes" as a boolean',
    `${LEAST}production: yes`,
    { code: 'wrong-type', line: 5, expected: 'a boolean, true or false without quotes' },
  ],
  ['a window of 0 s', `${LEAST}windows:\n  minute: 0`, { code: 'bad-value', line: 6 }],
  ['a day shorter than a minute', `${LEAST}windows:\n  minute: 2\n  day: 1`, { code: 'bad-value', line: 7 }],
  [
    'a fractional number of requests',
    `${LEAST}ban: { maxRequests: 1.5 }`,
    { code: 'wrong-type', line: 5, expected: 'an integer' },
  ],
  ['a missing certificate', `${LEAST}http:\n  ca: ./gone.pem`, { code: 'bad-certificate', line: 6 }],
  ['an invalid certificate', `${LEAST}http:\n  ca: ./a.txt`, { code: 'bad-certificate', line: 6 }],
  ['an invalid address', LEAST.replace('https://', ''), { code: 'bad-url', line: 2 }],
  ['a missing variable', LEAST.replace('free-key', '${GONE}'), { code: 'env-missing', line: 4 }],
  [
    'a key’s variable in the name',
    LEAST.replace('free-key', '${HELD}').replace('mine', '${HELD}'),
    MISPLACED,
  ],
  [
    'a key’s variable with a default in the name',
    LEAST.replace('free-key', '${HELD}').replace('mine', 'a-${HELD:-b}'),
    MISPLACED,
  ],
  [
    'an unset variable of a key in the name',
    LEAST.replace('mine', '${GONE:-a}') + '  pro: ${GONE:-}',
    MISPLACED,
  ],
  [
    'another variable with a key as value in the name',
    LEAST.replace('mine', 'a${ALSO}b').replace('free-key', CANARY),
    MISPLACED,
  ],
  [
    'a key in the address',
    LEAST.replace('v1', '${ALSO}').replace('free-key', CANARY),
    { ...MISPLACED, line: 2 },
  ],
  [
    'a key in the host',
    LEAST.replace('pets', '${ALSO}').replace('free-key', CANARY.toUpperCase()),
    { ...MISPLACED, line: 2 },
  ],
  [
    'a key with escapes in the address',
    LEAST.replace('v1', 'canary%2D9c41').replace('free-key', CANARY),
    { ...MISPLACED, line: 2 },
  ],
  ['a literal key in the name', LEAST.replace('mine', CANARY).replace('free-key', CANARY), MISPLACED],
  ['a malformed placeholder', LEAST.replace('free-key', '${GONE'), { code: 'bad-placeholder', line: 4 }],
  ['an empty file', '', { code: 'wrong-type', line: 1, expected: 'an object' }],
  ['a list', '- a', { code: 'wrong-type', line: 1, expected: 'an object' }],
  ['broken YAML', `${LEAST}\n bad: [${CANARY}`, { code: 'yaml-syntax' }],
  ['a duplicate name', `${LEAST}name: b`, { code: 'yaml-syntax', line: 5 }],
  ['two documents', `${LEAST}---\n${LEAST}`, { code: 'yaml-syntax' }],
  ['a missing anchor', `${LEAST}suiteKey: *${CANARY}`, { code: 'yaml-syntax' }],
];

writeFileSync(join(folder, 'a.txt'), CANARY);

for (const [name, text, expected] of faults) {
  test(`${name} is rejected`, () => {
    assert.throws(
      () => parse(text, { HELD: CANARY, ALSO: CANARY }),
      (error) => {
        assert.ok(error instanceof ConfigError, String(error));
        for (const [field, value] of Object.entries(expected))
          assert.equal(error[field as 'code'], value, field);
        assert.equal(error.file, join(folder, 'a.yaml'));
        assert.ok((error.line ?? 0) >= 1);
        assert.notEqual(error.hint, '');
        assert.doesNotMatch(inspect(error), /9c41/);
        return true;
      },
    );
  });
}

test('the shipped targets are found by name and state their variable', () => {
  assert.deepEqual(targetNames(), ['embedded', 'production', 'staging']);
  const needs = {
    embedded: 'PETSTORE_EMBEDDED_URL',
    staging: 'PETSTORE_STAGING_URL',
    production: 'PETSTORE_PRODUCTION_URL',
  };
  for (const [name, variable] of Object.entries(needs)) {
    assert.throws(() => readTargetFile(name, {}), { code: 'env-missing', message: new RegExp(variable) });
  }
});

test('the shipped targets read address and keys from the environment', () => {
  const embedded = readTargetFile('embedded', {
    PETSTORE_EMBEDDED_URL: 'http://127.0.0.1:1/v1',
    ...Object.fromEntries(
      ['FREE', 'PRO', 'BUSINESS', 'ENTERPRISE', 'SACRIFICIAL'].map((key) => [
        `PETSTORE_EMBEDDED_${key}_KEY`,
        key,
      ]),
    ),
  });
  assert.deepEqual(Object.keys(embedded.keys), ['free', 'pro', 'business', 'enterprise']);
  assert.equal(embedded.windows.minute, 1.5);

  const staging = readTargetFile('staging', {
    PETSTORE_STAGING_URL: 'https://a/v1',
    PETSTORE_STAGING_ENTERPRISE_KEY: 'e',
    PETSTORE_STAGING_ENTERPRISE_PER_MINUTE: '10',
    PETSTORE_STAGING_ENTERPRISE_PER_DAY: '20',
  });
  assert.deepEqual(staging.plans.enterprise, { perMinute: 10, perDay: 20 });

  const production = readTargetFile('production', {
    PETSTORE_PRODUCTION_URL: 'https://a/v1',
    PETSTORE_PRODUCTION_FREE_KEY: 'f',
  });
  assert.deepEqual(
    [production.production, production.writes, production.plans.enterprise],
    [true, false, undefined],
  );
  assert.throws(() => readTargetFile('staging', { PETSTORE_STAGING_URL: 'https://a/v1' }), {
    code: 'no-key',
  });
});

test('a target file is found by its path', () => {
  const file = join(folder, 'mine.yaml');
  writeFileSync(file, LEAST);
  assert.equal(readTargetFile(file, {}).name, 'mine');
});

test('an unknown name suggests the nearest target, and a path states the reason', () => {
  assert.throws(() => readTargetFile('stagin', {}), { code: 'unknown-target', nearest: 'staging' });
  assert.throws(() => readTargetFile('zebra', {}), { code: 'unknown-target', nearest: undefined });
  assert.throws(() => readTargetFile(join(folder, 'gone.yaml'), {}), {
    code: 'unreadable-file',
    message: /the file does not exist/,
  });
  assert.throws(() => readTargetFile(folder, {}), { code: 'unreadable-file', message: /folder/ });
});

test('a file with another ending is named', () => {
  const mine = join(folder, 'mine.yaml');
  writeFileSync(mine, 'name: mine\n');
  for (const given of ['mine.yml', 'mine.json', 'mine'])
    assert.throws(
      () => readTargetFile(join(folder, given), {}),
      { code: 'unreadable-file', nearest: mine },
      given,
    );
  assert.throws(() => readTargetFile(join(folder, 'other.yml'), {}), { code: 'unreadable-file' });
});

test('further mistakes of a file stand in the order of their lines', () => {
  const text = `${LEAST}windows: 60\nplans: { fre: 1 }\nwrites: "no"\n`;
  assert.throws(
    () => parse(text),
    ({ details, where }: ConfigError) => {
      const also = details.flatMap(([label, what]) => (label === 'also' ? [what] : []));
      const lines = [where, ...also].map((place) => /:(\d+):/.exec(place)?.[1]);
      assert.deepEqual(
        lines,
        lines.toSorted((one, other) => Number(one) - Number(other)),
      );
      return true;
    },
  );
});
