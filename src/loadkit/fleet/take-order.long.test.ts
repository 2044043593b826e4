import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseTarget } from '../../wire/targets/load-target.js';
import type { Target } from '../../wire/targets/target.js';
import { jobFor } from './order.js';
import { jobOf, parseOrder, type SliceJob } from './messages.js';
import { seal, unseal } from './seal.js';
import { takeOrder, type Own } from './take-order.js';

const KEY = 'pk-some-key-of-an-agent-test';
const SECRET = 'a-secret-of-the-agents';
const KIT = '1.0.0';
const NOW = Date.UTC(2026, 10, 24);
const SCENARIO = `name: small
phases: [{ name: hold, duration: 2s, rate: 10/s }]
operations: [{ operation: listPets }]
abort: { when: errors > 20%, after: 2s }
`;

const target = (baseUrl = 'http://127.0.0.1:8080/v1'): Target =>
  parseTarget(
    `name: t\nbaseUrl: ${baseUrl}\nkeys: { business: "\${BUSINESS}" }\nhttp: { timeoutMs: 3000 }\n`,
    't.yaml',
    {
      BUSINESS: KEY,
    },
  );

const job = (changes: Partial<Parameters<typeof jobFor>[0]> = {}): SliceJob =>
  jobFor({
    kit: KIT,
    run: '0a1b2c3d',
    slice: { index: 1, count: 4 },
    keys: ['business'],
    target: target(),
    scenario: SCENARIO,
    readOnly: false,
    otlp: null,
    secret: null,
    issuedAt: NOW,
    expiresAt: NOW + 60_000,
    ...changes,
  });

const own = (changes: Partial<Own> = {}): Own => ({
  kit: KIT,
  secret: null,
  env: { BUSINESS: KEY },
  allowLoopback: true,
  now: NOW + 1000,
  ...changes,
});

/** Returns a job changed by someone with write access to Redis. */
const changed = (
  change: (order: { target: Record<string, unknown>; keys: Record<string, unknown>[] }) => void,
): SliceJob => {
  const given = job();
  const order = JSON.parse(given.order) as Parameters<typeof change>[0];
  change(order);
  return { ...given, order: JSON.stringify(order) };
};

/** Returns a job changed by someone with the secret. */
function sealed(change: Parameters<typeof changed>[0]): SliceJob {
  const given = job({ secret: SECRET });
  const order = JSON.parse(unseal(given.order, SECRET, '0a1b2c3d:1') ?? '') as Parameters<typeof change>[0];
  change(order);
  return { ...given, order: seal(JSON.stringify(order), SECRET, '0a1b2c3d:1') };
}

test('a job expands variables only in keys, never in names or addresses', () => {
  const members: readonly [name: string, text: (placeholder: string) => string][] = [
    ['name', (placeholder) => placeholder],
    ['baseUrl', (placeholder) => `http://127.0.0.1/${placeholder}/v1`],
  ];
  for (const [name, text] of members)
    for (const placeholder of ['${BUSINESS}', '${KEY_business}', '${KEY_business:-}']) {
      const taken = takeOrder(
        changed((order) => (order.target[name] = text(placeholder))),
        own(),
      );
      assert.ok(!JSON.stringify(taken).includes(KEY), name);
    }
});

test('a job does not contain the coordinator’s certificate authority', () => {
  const given = job({ target: { ...target(), http: { timeoutMs: 3000, maxBodyBytes: 1000, ca: 'PEM' } } });
  assert.ok(!given.order.includes('PEM'));
});

test('a scenario that contains a key is not stored in Redis unencrypted', () => {
  const scenario = SCENARIO.replace('small', KEY);
  assert.throws(() => job({ scenario }), /Redis would store as plain text/);
  assert.ok(!JSON.stringify(job({ scenario, secret: SECRET })).includes(KEY));
});

test('an accepted job equals the issued job, with the key from the agent’s environment', () => {
  const given = job();
  assert.ok(!JSON.stringify(given).includes(KEY.slice(0, 8)));
  const taken = takeOrder(given, own());
  assert.ok(taken.ok);
  assert.deepEqual(taken.order.slice, { index: 1, count: 4 });
  assert.equal(taken.target.keys.business?.reveal(), KEY);
  assert.equal(taken.target.baseUrl, 'http://127.0.0.1:8080/v1');
  assert.equal(taken.target.http.timeoutMs, 3000);
  assert.equal(taken.scenario.abort, null, 'the coordinator breaks off for all');
});

test('an encrypted job opens only with the same secret, run and slice', () => {
  const given = job({ secret: SECRET });
  assert.ok(!JSON.stringify(given).includes(KEY.slice(0, 8)));
  const taken = takeOrder(given, own({ secret: SECRET, env: {} }));
  assert.equal(taken.ok && taken.target.keys.business?.reveal(), KEY);
  for (const [moved, agent] of [
    [given, own({ secret: 'another-secret-of-agents' })],
    [given, own()],
    [{ ...given, index: 2 }, own({ secret: SECRET })],
    [{ ...given, run: 'ffffffff' }, own({ secret: SECRET })],
    [job(), own({ secret: SECRET })],
  ] as const) {
    const refused = takeOrder(moved, agent);
    assert.ok(!refused.ok);
    assert.match(refused.reason, /PETSTORE_AGENT_SECRET/);
  }
});

const REFUSED: readonly [what: string, job: () => SliceJob, own: Own, reason: RegExp][] = [
  [
    'from another kit version',
    () => job(),
    own({ kit: '1.0.1' }),
    /^has kit 1\.0\.1, but the run needs 1\.0\.0: install one version/,
  ],
  [
    'with metrics for an unknown collector',
    () => job({ otlp: 'http://collector.example.com:4318' }),
    own(),
    /^may not send metrics to http:\/\/collector\.example\.com:4318: add it to its PETSTORE_AGENT_TARGETS/,
  ],
  ['for another interface', () => ({ ...job(), interface: 0 }), own(), /^has kit/],
  ['whose key the agent lacks', () => job(), own({ env: {} }), /^has no business key: give it BUSINESS$/],
  [
    'whose key differs from the agent’s key',
    () => job(),
    own({ env: { BUSINESS: 'pk-another' } }),
    /^has another business key in BUSINESS/,
  ],
  [
    'for an address that is not allowed',
    () => job({ target: target('https://internal.example.com/v1') }),
    own(),
    /^may not send to https:\/\/internal\.example\.com\/v1: add it to its PETSTORE_AGENT_TARGETS/,
  ],
  [
    'for an address that only resembles loopback',
    () => job({ target: target('http://127.0.0.1.example.com/v1') }),
    own(),
    /^may not send to/,
  ],
  [
    'that requests another environment variable',
    () => changed(({ keys: [key] }) => key && (key['variable'] = 'AWS_SECRET')),
    own({ env: { BUSINESS: KEY, AWS_SECRET: 'very-secret' } }),
    /^has another business key in AWS_SECRET/,
  ],
  [
    'that requests a variable without a digest',
    () => changed(({ keys: [key] }) => key && ((key['variable'] = 'AWS_SECRET'), (key['digest'] = null))),
    own({ env: { AWS_SECRET: 'very-secret' } }),
    /^has another business key in AWS_SECRET/,
  ],
  [
    'for loopback if loopback is not allowed',
    () => job(),
    own({ allowLoopback: false }),
    /^may not send to http:\/\/127\.0\.0\.1:8080\/v1: add it to its PETSTORE_AGENT_TARGETS/,
  ],
  [
    'for loopback if only other addresses are allowed',
    () => job(),
    own({
      allowLoopback: false,
      env: { BUSINESS: KEY, PETSTORE_AGENT_TARGETS: 'https://staging.example.com/v1' },
    }),
    /^may not send to/,
  ],
  [
    'with a certificate authority',
    () => changed((order) => ((order.target['http'] as Record<string, unknown>)['ca'] = 'PEM')),
    own(),
    /job that this kit cannot read/,
  ],
  [
    'that has expired',
    () => job(),
    own({ now: NOW + 3_600_000 }),
    /^got a job of 2026-11-24T00:00:00\.000Z that is over/,
  ],
  ['from the future', () => job(), own({ now: NOW - 3_600_000 }), /^got a job .* not due by its clock/],
  [
    'that is encrypted and expired',
    () => job({ secret: SECRET }),
    own({ secret: SECRET, now: NOW + 3_600_000 }),
    /^got a job .* that is over/,
  ],
  [
    'with a file as a key',
    () => sealed((order) => order.keys[0] && (order.keys[0]['secret'] = 'file:/etc/hostname')),
    own({ secret: SECRET }),
    /^got a file as a key$/,
  ],
  [
    'without a time of issue',
    () => changed((order) => delete (order as { issuedAt?: number }).issuedAt),
    own(),
    /job that this kit cannot read/,
  ],
  ['for another slice', () => ({ ...job(), index: 2 }), own(), /job that this kit cannot read/],
  [
    'with an unknown member',
    () => changed((order) => (order.target['proxy'] = 'x')),
    own(),
    /job that this kit cannot read/,
  ],
  ['that is not JSON', () => ({ ...job(), order: '{' }), own(), /job that this kit cannot read/],
  [
    'with an invalid scenario',
    () => job({ scenario: SCENARIO.replace('10/s', '-1/s') }),
    own(),
    /^cannot use its job/,
  ],
];

for (const [what, given, agent, reason] of REFUSED)
  test(`an agent rejects a job ${what}`, () => {
    const taken = takeOrder(given(), agent);
    assert.ok(!taken.ok);
    assert.match(taken.reason, reason);
    assert.ok(!taken.reason.includes(KEY) && !taken.reason.includes('very-secret'));
  });

test('an agent accepts an address listed in its environment', () => {
  const given = job({ target: target('https://staging.example.com/v1') });
  const env = { BUSINESS: KEY, PETSTORE_AGENT_TARGETS: 'https://other/v1, https://staging.example.com/v1/' };
  assert.ok(takeOrder(given, own({ env })).ok);
});

test('a plain-text key is never sent without a secret', () => {
  const { keyVariables: _, ...clear } = target();
  assert.throws(() => job({ target: clear }), /is plain text in the target/);
});

test('any invalid job in Redis is rejected without an exception', () => {
  fc.assert(
    fc.property(fc.anything(), fc.string(), (value, text) => {
      assert.equal(jobOf(value), null);
      assert.equal(parseOrder(text), null);
      assert.equal(unseal(text, SECRET, 'x'), null);
    }),
  );
});

test('the same text encrypts to different bytes and decrypts to the same text', () => {
  const [one, other] = [seal('text', SECRET, 'p'), seal('text', SECRET, 'p')];
  assert.notEqual(one, other);
  assert.deepEqual([unseal(one, SECRET, 'p'), unseal(other, SECRET, 'p')], ['text', 'text']);
});
