import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gather } from '../../log/gathered.test.support.js';
import type { LogRecord, SampleRow } from '../../log/record.js';
import { EXAMPLE_HEADER, START } from '../../report/example-header.test.support.js';
import { endsItself } from './run-cause.js';

/** A series of requests without a response, sent every 10 ms from a moment on. */
const lost = (fromMs: number, amount: number): LogRecord => ({
  type: 'series',
  profile: 'burst',
  plan: 'free',
  rows: Array.from({ length: amount }, (_, at): SampleRow => {
    const sentAt = START + fromMs + at * 10;
    return ['listPets', sentAt, sentAt, sentAt + 5, 0, null, null, null, null, null];
  }),
});

const ENDED_AT_MS = 60_000;

const ended = (complete: boolean, ...series: readonly LogRecord[]) =>
  gather([
    EXAMPLE_HEADER,
    ...series,
    {
      type: 'footer',
      complete,
      reason: complete ? 'done' : 'interrupted',
      finishedAt: new Date(START + ENDED_AT_MS).toISOString(),
    },
  ] as LogRecord[]);

for (const [what, expected, log] of [
  ['lost requests only at its end', true, ended(false, lost(ENDED_AT_MS - 1_500, 100))],
  ['lost one before it was interrupted', false, ended(false, lost(10_000, 1), lost(59_000, 3))],
  [
    'lost one before it was interrupted, and very many afterwards',
    false,
    ended(false, lost(10_000, 1), lost(ENDED_AT_MS - 2_500, 240)),
  ],
  ['lost none', false, ended(false)],
  ['ran to its end', false, ended(true, lost(59_000, 3))],
] as const)
  test(`a run that ${what}: its interruption ${expected ? 'explains' : 'does not explain'} that`, () =>
    assert.equal(endsItself(log), expected));
