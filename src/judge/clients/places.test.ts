import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordOf, sent, START } from './traffic.test.support.js';
import { judgeClient } from './judge-client.js';
import { outcomeOf } from '../verdict.js';
import { avoidsDeprecated } from './places.js';
import { testsOf, type Case } from './requests.test.support.js';

const CASES: readonly Case[] = [
  ['a key in the query', 'client-bearer-key', 'violated', { elsewhere: ['the query parameter api_key'] }],
  ['no key', 'client-bearer-key', 'violated', { key: { kind: 'none' }, bearer: false }],
  [
    'a health check without a key',
    'client-bearer-key',
    'kept',
    {},
    { target: '/v1/health', key: { kind: 'none' } },
  ],
  ['a masked key', 'client-bearer-key', 'not-shown', { key: { kind: 'masked', mask: '***' } }],
  ['a test with a wrong key', 'client-bearer-key', 'kept', {}, { key: { kind: 'other', nth: 1 } }],
  ['only a wrong key', 'client-bearer-key', 'violated', { key: { kind: 'other', nth: 1 } }],
  ['below the base path', 'client-base-path', 'kept', { target: '/v1/anything' }],
  ['outside the base path', 'client-base-path', 'violated', { target: '/pets' }],
  ['in another version', 'client-base-path', 'violated', { target: '/v2/pets' }],
  ['beside the base path', 'client-base-path', 'violated', { target: '/v1pets' }],
  [
    'an icon without a key',
    'client-base-path',
    'not-shown',
    { target: '/favicon.ico', key: { kind: 'none' } },
  ],
  ['the deprecated operation', 'client-not-deprecated', 'violated', {}, { target: '/v1/pets/7' }],
  ['only listings', 'client-not-deprecated', 'kept', {}],
  ['nothing', 'client-not-deprecated', 'not-shown'],
  [
    'a redirect not followed',
    'client-key-stays',
    'kept',
    { status: 307, headers: [['Location', 'http://127.0.0.1:9/v1/pets']] },
  ],
  [
    'a redirect within the origin',
    'client-key-stays',
    'not-shown',
    { status: 307, headers: [['Location', '/v1/pets']] },
  ],
  [
    'a key after a redirect to another origin',
    'client-key-stays',
    'violated',
    { status: 302, headers: [['Location', 'http://127.0.0.1:9/']] },
    { origin: 'http://127.0.0.1:9' },
  ],
  [
    'a key after a redirect without a scheme',
    'client-key-stays',
    'violated',
    { status: 302, headers: [['Location', '//127.0.0.1:9/']] },
    { origin: 'http://127.0.0.1:9' },
  ],
  [
    'a key at an origin to which nothing led',
    'client-key-stays',
    'not-shown',
    { status: 307, headers: [['Location', '/v1/pets']] },
    { origin: 'http://127.0.0.1:9' },
  ],
  [
    'no key at another origin',
    'client-key-stays',
    'kept',
    { status: 302, headers: [['Location', 'http://127.0.0.1:9/']] },
    { origin: 'http://127.0.0.1:9', key: { kind: 'none' } },
  ],
];

testsOf(CASES);

test('a call is dated by the record: it breaks a must after the removal, and warns before, whenever it is judged', () => {
  const after = Date.parse('2031-01-01T00:00:00Z') - START;
  for (const [at, outcome] of [
    [0, 'warned'],
    [after, 'failed'],
  ] as const) {
    const [finding] = judgeClient(
      [recordOf([sent({ target: '/v1/pets/7', at: [at, at + 1] })])],
      ['client-not-deprecated'],
    );
    assert.ok(finding);
    assert.equal(outcomeOf('must', finding), outcome);
  }
});

test('calls of the deprecated operation are counted in one place', () => {
  const call = sent({ target: '/v1/pets/7' });
  const [judgement] = avoidsDeprecated(recordOf([call, call]));
  assert.ok(judgement?.kind === 'violated');
  // Reports add in how many more requests: another count beside it would contradict it.
  assert.doesNotMatch(judgement.message, /\btimes?\b/);
  assert.equal(judgement.actual, '2 requests');
});
