import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerIn } from '../../wire/exchange/headers.js';
import { answerOf, untilLate } from './step-answer.js';

const STEP = { kind: 'refuse', wait: { kind: 'date', seconds: 3 } } as const;
/** What the judge grants for a difference of clocks, and for a machine that is slow, ms. */
const GRANTED_MS = 250;

test('whenever a date is due, a client that rounds its rest down or to the nearest second is early', () => {
  for (let due = 1_800_000_000_000; due < 1_800_000_001_000; due += 1) {
    const at = due + untilLate(STEP, due);
    assert.ok(at < due + 1000);
    const retryAfter = headerIn(answerOf(STEP, at, '').headers.flat(), 'retry-after') ?? '';
    const restMs = Date.parse(retryAfter) - at;
    for (const round of [Math.floor, Math.round])
      assert.ok(round(restMs / 1000) * 1000 + GRANTED_MS < restMs, `${restMs} ms`);
  }
});
