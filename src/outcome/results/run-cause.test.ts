import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import type { RequirementId } from '../../base/interface/types.js';
import type { Verdict } from '../../judge/verdict.js';
import type { PlanName } from '../../base/interface/names.js';
import { capital } from '../../base/kernel/format.js';
import { restartText } from '../../judge/limits/restart.js';
import { tooLarge } from '../../wire/exchange/answer-head.js';
import { otherUseText } from '../../judge/limits/other-use-text.js';
import { gather } from '../../log/gathered.test.support.js';
import type { LogRecord, SampleRow } from '../../log/record.js';
import { EXAMPLE_HEADER, START } from '../../report/example-header.test.support.js';
import { exampleExchange } from '../../report/example-run.test.support.js';
import { verdictText } from '../words/bounds.js';
import { resultsOf } from './results.js';

const { requirements: rows } = loadLedger();

const FIGURES = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 },
};

const series = (plan: PlanName, status: number, limit: number | null, amount = 4): LogRecord => ({
  type: 'series',
  profile: 'burst',
  plan,
  rows: Array.from({ length: amount }, (_, at): SampleRow => {
    const sentAt = START + 5_000 + at * 10;
    return ['listPets', sentAt, sentAt, sentAt + 5, status, limit, limit, null, null, null];
  }),
});

const listing = (at: number, isAnswered = true): LogRecord => {
  const exchange = exampleExchange({ id: `x${at}` });
  const none = { kind: 'none', code: 'refused', message: 'connect ECONNREFUSED' } as const;
  return {
    type: 'exchange',
    exchange: {
      ...exchange,
      sentAt: START + at * 10,
      latencyMs: 5,
      answer: isAnswered ? exchange.answer : none,
    },
    kept: [],
  };
};

/** Results of a complete run in which nothing was judged. */
function judged(records: readonly LogRecord[], keyPlaces?: typeof EXAMPLE_HEADER.target.keyPlaces) {
  const header = {
    ...EXAMPLE_HEADER,
    target: { ...EXAMPLE_HEADER.target, figures: FIGURES, ...(keyPlaces && { keyPlaces }) },
    scope: {
      ...EXAMPLE_HEADER.scope,
      plans: ['free', 'pro', 'business'] as const,
      suiteKey: 'business' as const,
    },
  };
  const open = rows.flatMap(({ id, judgedBy }): LogRecord[] =>
    judgedBy.kind === 'load'
      ? [
          {
            type: 'finding',
            finding: {
              kind: 'inconclusive',
              requirement: id,
              reason: { code: 'too-little-data', text: 'The pro plan got no 429' },
              exchanges: [],
            },
          },
        ]
      : [],
  );
  const footer: LogRecord = {
    type: 'footer',
    complete: true,
    reason: null,
    finishedAt: '2026-11-20T10:01:03.100Z',
  };
  return resultsOf(gather([header, ...records, ...open, footer] as LogRecord[]), rows);
}

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

const SOUND = [listing(1), series('free', 200, 60), series('business', 200, 1_000)];

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

const reasonFor = (requirement: RequirementId, text: string): LogRecord => ({
  type: 'finding',
  finding: { kind: 'inconclusive', requirement, reason: { code: 'transport', text }, exchanges: [] },
});

test('a restart during the load is named first, and is the reason of rows without a response', () => {
  const results = judged([
    ...SOUND,
    reasonFor('rate-window', `There seems to have been ${restartText(START)}.`),
    reasonFor('rate-not-early', 'The pro plan: 3 of 285 requests of the steady run got no usable response'),
  ]);
  assert.match(
    verdictText(results),
    /^There seems to have been a restart of the server \(.*10:00:00 UTC\), so \S+ has not been shown/,
  );
  assert.deepEqual(results.cause?.requirements, ['rate-window', 'rate-not-early']);
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

test('a server that stopped is the cause, with the moment and the number of responses', () => {
  const { cause } = judged([
    listing(1),
    listing(2),
    ...[3, 4, 5].map((at) => listing(at, false)),
    series('free', 0, null, 1),
  ]);
  assert.equal(cause?.code, 'server-stopped');
  assert.match(cause?.text ?? '', /^the server stopped responding at \d\d:\d\d:\d\d UTC, after 2 responses$/);
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

/** A load without responses at its end, in a run that was interrupted. */
const interrupted = (finishedAt: number) =>
  resultsOf(
    gather([
      EXAMPLE_HEADER,
      listing(1),
      series('free', 0, null),
      {
        type: 'finding',
        finding: {
          kind: 'inconclusive',
          requirement: 'rate-429',
          reason: { code: 'transport', text: 'The free plan: 4 of 4 requests got no response.' },
          exchanges: [],
        },
      },
      {
        type: 'footer',
        complete: false,
        reason: 'interrupted',
        finishedAt: new Date(finishedAt).toISOString(),
      },
    ] as LogRecord[]),
    rows,
  );

test('an interrupted run closes its connections: what it loses then shows no server that stopped', () => {
  const reasonOf = ({ requirements }: ReturnType<typeof interrupted>) =>
    requirements.find(({ id }) => id === 'rate-429')?.reason?.code;
  const soon = interrupted(START + 5_300);
  assert.deepEqual([soon.cause, reasonOf(soon)], [undefined, 'interrupted']);
  const late = interrupted(START + 25_000);
  assert.deepEqual([late.cause?.code, reasonOf(late)], ['server-stopped', 'server-stopped']);
});

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

test('a server that stopped in a wait of the run: both moments are named', () => {
  for (const [after, words] of [
    [150, /^the server stopped responding at \d\d:\d\d:\d\d UTC, after 2 responses$/],
    [
      3_100,
      /^no response came to the first request after a wait, at \d\d:\d\d:(\d\d) UTC; the last of 2 responses came at \d\d:\d\d:(?!\1)\d\d UTC$/,
    ],
  ] as const) {
    const { cause } = judged([
      listing(1),
      listing(2),
      ...[0, 1, 2].map((at) => listing(2 + after / 10 + at, false)),
    ]);
    assert.equal(cause?.code, 'server-stopped');
    assert.match(cause?.text ?? '', words);
  }
  const { cause } = judged([listing(1), ...[311, 312, 313].map((at) => listing(at, false))]);
  assert.match(cause?.text ?? '', /; the only response came at \d\d:\d\d:\d\d UTC$/);
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
