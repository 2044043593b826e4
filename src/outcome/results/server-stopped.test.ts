import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import { restartText } from '../../judge/limits/restart.js';
import { gather } from '../../log/gathered.test.support.js';
import type { LogRecord } from '../../log/record.js';
import { EXAMPLE_HEADER, START } from '../../report/example-header.test.support.js';
import { verdictText } from '../words/bounds.js';
import { resultsOf } from './results.js';
import { judged, listing, rows, series, SOUND } from './run-cause.test.support.js';

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

test('a server that drops requests whose outcome is not shown has not stopped', () => {
  const dropped = [3, 4, 5, 6].map((at): LogRecord => {
    const record = listing(at, false);
    if (record.type !== 'exchange') return record;
    return { ...record, exchange: { ...record.exchange, intent: { kind: 'open', row: 'get-malformed-id' } } };
  });
  assert.equal(judged([listing(1), listing(2), ...dropped]).cause, undefined);
  const both = judged([listing(1), ...dropped, ...[7, 8, 9].map((at) => listing(at, false))]);
  assert.equal(both.cause?.code, 'server-stopped');
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
