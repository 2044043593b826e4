import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import type { Verdict } from '../../judge/verdict.js';
import type { PlanName } from '../../base/interface/names.js';
import { capital } from '../../base/kernel/format.js';
import { tooLarge } from '../../wire/exchange/answer-head.js';
import { otherUseText } from '../../judge/limits/other-use-text.js';
import type { LogRecord } from '../../log/record.js';
import { START } from '../../report/example-header.test.support.js';
import { verdictText } from '../words/bounds.js';
import { judged, listing, series, SOUND } from './run-cause.test.support.js';

/** A request that this machine could not send, and a row that needed its response. */
const unsent = (at: number, message: string): readonly LogRecord[] => {
  const record = listing(at, false);
  if (record.type !== 'exchange') return [];
  const answer = { kind: 'none', code: 'exhausted', message } as const;
  const reason = { code: 'transport', text: `“GET /pets” got no response: ${message}` } as const;
  return [
    { ...record, exchange: { ...record.exchange, answer } },
    {
      type: 'finding',
      finding: { kind: 'inconclusive', requirement: 'list-ok', reason, exchanges: [record.exchange.id] },
    },
  ];
};

test('a limit of this machine in the middle of a run is the cause, and its remedy is named once', () => {
  const results = judged([
    ...SOUND,
    ...unsent(7, 'connect EMFILE 127.0.0.1:80 - Local (undefined:undefined)'),
  ]);
  assert.deepEqual(results.cause, {
    code: 'own-limit',
    text: 'this machine has no file descriptor left for a connection, so 1 request was not sent',
    hint: 'Raise `ulimit -n`, and run again.',
    requirements: ['list-ok'],
  });
  assert.match(verdictText(results), /^This machine has no file descriptor left/i);
  const other = results.requirements.find(({ id }) => id === 'rate-429');
  assert.equal(other?.reason?.code, 'too-little-data');
});

test('a key that only got 401 is the cause, by the name of its variable', () => {
  const results = judged([...SOUND, series('pro', 401, null, 1)], { pro: { variable: 'PETSTORE_PRO_KEY' } });
  assert.deepEqual(
    [results.cause?.code, results.cause?.text],
    ['key-refused', 'PETSTORE_PRO_KEY was refused (401)'],
  );
  assert.match(
    verdictText(results),
    /^PETSTORE_PRO_KEY was refused \(401\), so \S+ has not been shown to conform/,
  );
  const row = results.requirements.find(({ id }) => id === 'rate-429');
  assert.deepEqual(row?.reason, { code: 'key-refused', text: 'PETSTORE_PRO_KEY was refused (401)' });
  assert.ok(results.cause?.requirements.includes('rate-per-key'));
});

test('something else that used a key is named first, and is the reason of its rows', () => {
  const text = `${capital(otherUseText('pro', { requests: 6, pause: { from: START, to: START + 3_000 }, isSure: true }))}.`;
  const open = (requirement: RequirementId): LogRecord => ({
    type: 'finding',
    finding: { kind: 'inconclusive', requirement, reason: { code: 'rate-limited', text }, exchanges: [] },
  });
  const results = judged([listing(1), series('pro', 200, 300), open('rate-429'), open('rate-not-early')]);
  assert.match(
    verdictText(results),
    /^something else used the Pro key: 6 requests in a pause of 3 s, so \S+ has not been shown to conform/i,
  );
  assert.ok(results.cause?.requirements.includes('rate-not-early'));
});

test('keys with the limits of each other look swapped', () => {
  const { cause } = judged([
    listing(1),
    series('free', 200, 300),
    series('pro', 200, 60),
    series('business', 200, 1_000),
  ]);
  assert.equal(
    cause?.text,
    'the Free key has the limits of Pro, and the Pro key those of Free: are the keys of two plans swapped?',
  );
});

const RED = ['rate-limit-value', 'rate-429', 'rate-not-early'] as const;

const red = (requirement: RequirementId, plan: PlanName): LogRecord => ({
  type: 'finding',
  finding: { kind: 'violated', requirement, message: 'not of its plan', plan, exchanges: [] },
});

const SWAPPED = [
  listing(1),
  series('free', 200, 300),
  series('pro', 200, 60),
  series('business', 200, 1_000),
];

const verdicts: readonly (readonly [what: string, verdict: Verdict, records: readonly LogRecord[]])[] = [
  ['swapped keys', 'inconclusive', [...SWAPPED, ...RED.flatMap((id) => [red(id, 'free'), red(id, 'pro')])]],
  [
    'a Pro key served as Free',
    'non-conformant',
    [...SOUND, series('pro', 200, 60), ...RED.map((id) => red(id, 'pro'))],
  ],
  [
    'swapped keys, and a mistake with a third',
    'non-conformant',
    [...SWAPPED, red('rate-429', 'free'), red('rate-429', 'business')],
  ],
  [
    'swapped keys, and a mistake that they do not explain',
    'non-conformant',
    [...SWAPPED, red('rate-limit-value', 'free'), red('rate-retry-after-present', 'free')],
  ],
  [
    'two swapped keys, and a third with the limits of Free',
    'non-conformant',
    [
      listing(1),
      series('free', 200, 300),
      series('pro', 200, 60),
      series('business', 200, 60),
      red('rate-limit-value', 'business'),
    ],
  ],
];
for (const [what, verdict, records] of verdicts)
  test(`${what}: ${verdict}`, () => {
    const results = judged(records);
    assert.equal(results.verdict, verdict);
    if (verdict === 'inconclusive')
      for (const id of RED)
        assert.equal(results.requirements.find((row) => row.id === id)?.reason?.code, 'keys-swapped');
  });

test('one key with the limits of another plan is a question as well', () => {
  const { cause } = judged([...SOUND, series('pro', 200, 60)]);
  assert.equal(cause?.text, 'the Pro key has the limits of Free: are the keys of two plans swapped?');
});

const needed = (requirement: RequirementId, code: 'body-too-large' | 'prerequisite'): LogRecord => ({
  type: 'finding',
  finding: { kind: 'inconclusive', requirement, reason: { code, text: 'it was not read' }, exchanges: [] },
});

/** A body above the target file's limit, and rows that needed it. */
const unread = (at: number): readonly LogRecord[] => {
  const record = listing(at);
  if (record.type !== 'exchange') return [];
  const answer = { kind: 'none', ...tooLarge(1_048_576) } as const;
  return [
    { ...record, exchange: { ...record.exchange, answer } },
    needed('list-ok', 'body-too-large'),
    needed('auth-missing-key', 'prerequisite'),
  ];
};

test('bodies above the size limit are the cause of the rows that need them', () => {
  const { cause, requirements } = judged([listing(1), ...unread(2), ...unread(3)]);
  assert.equal(cause?.code, 'body-too-large');
  assert.equal(
    cause.text,
    '2 responses could not be read: the body is larger than the 1 MiB that http.maxBodyBytes allows',
  );
  assert.match(cause.hint, /^Set http\.maxBodyBytes in the target file above the size of these responses/);
  for (const row of ['list-ok', 'auth-missing-key'] as const) {
    assert.ok(cause.requirements.includes(row), row);
    assert.equal(requirements.find(({ id }) => id === row)?.reason?.code, 'body-too-large');
  }
});

/** The same, of a listing with a path. */
const unreadOf = (path: string): readonly LogRecord[] =>
  unread(2).map((record) =>
    record.type === 'exchange'
      ? { ...record, exchange: { ...record.exchange, request: { ...record.exchange.request, path } } }
      : record,
  );

test('a load that could read no listing of one animal shows no server that stopped', () => {
  const silent = [listing(1), series('free', 0, null, 4)];
  const { cause, requirements } = judged([...silent, ...unreadOf('/v1/pets?limit=1')]);
  assert.equal(cause?.code, 'body-too-large');
  assert.equal(requirements.find(({ id }) => id === 'rate-429')?.reason?.code, 'body-too-large');
  assert.equal(judged([...silent, ...unreadOf('/v1/pets?limit=100')]).cause?.code, 'server-stopped');
});

const causeless: readonly (readonly [string, readonly LogRecord[]])[] = [
  ['sound keys', [...SOUND, series('pro', 200, 300)]],
  ['one limit for every key', ['free', 'pro', 'business'].map((plan) => series(plan as PlanName, 200, 60))],
  ['a limit of the day', [...SOUND.slice(0, 1), series('free', 200, 1_000), series('business', 200, 1_000)]],
  [
    'a key that got 401 later, as banned ones do',
    [...SOUND, series('pro', 200, 300), series('pro', 401, null)],
  ],
  ['a response after silence', [listing(1), ...[2, 3, 4].map((at) => listing(at, false)), listing(9)]],
  [
    'a certificate that is not trusted',
    [
      listing(1),
      series('free', 0, null, 5),
      {
        type: 'finding',
        finding: {
          kind: 'inconclusive',
          requirement: 'rate-concurrent',
          reason: {
            code: 'untrusted',
            text: 'No trusted TLS connection in the profile concurrent: self-signed certificate.',
          },
          exchanges: [],
        },
      },
    ],
  ],
  ['two lost responses', [listing(1), listing(2, false), listing(3, false)]],
];
for (const [name, records] of causeless)
  test(`no cause of the run: ${name}`, () => assert.equal(judged(records).cause, undefined));
