import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newConnectionReuse } from '../wire/exchange/connection-reuse.js';
import { now } from '../wire/exchange/connection.js';
import { memoryJournal } from '../log/journal.js';
import type { Phase } from '../wire/scenario/scenario.js';
import { placed } from '../wire/scenario/schedule.js';
import { WHOLE } from '../wire/scenario/slice.js';
import { Meter } from './meter.js';
import { recordPhase } from './phase-record.js';

const OPEN: Phase = { kind: 'open', name: 'hold', seconds: 10, from: 5, to: 5 };
const CLOSED: Phase = { kind: 'closed', name: 'flood', seconds: 10, connections: 5 };

const served = {
  operation: 'listPets',
  status: 200,
  outcome: 'served',
  violates: false,
  isShort: false,
  reveals: 0,
  latencyMs: 5,
  serviceMs: 5,
  leastMs: 5,
} as const;

/** Returns the remarks on a phase of which two connections died under a request. */
function remarksOn(phase: Phase, isGone: boolean): readonly string[] {
  const startAt = now() - 10_000;
  const [first = assert.fail()] = placed([phase]);
  const meter = new Meter(phase.name, Infinity, startAt);
  const stalls = { unreadIn: () => 0 };
  meter.sent('listPets', 'free');
  meter.silence.sent(startAt);
  meter.answered(served);
  meter.silence.answered(startAt + 5, stalls);
  for (let failed = isGone ? 5 : 0; failed > 0; failed -= 1)
    meter.silence.failed(startAt + 10, 'read ECONNRESET');
  const reuse = newConnectionReuse({ deaths: 2, closings: 0 });
  const { remarks } = recordPhase(
    first,
    { meter, remarks: [], stoodMs: 0, isWhole: true },
    {
      shared: { keys: new Map(), reuse, judge: { ofPhase: () => [] }, stalls },
      plan: { slice: WHOLE, keys: [] },
      journal: memoryJournal(),
      startAt,
      seconds: [],
      missedMs: 0,
    },
  );
  return remarks;
}

for (const phase of [OPEN, CLOSED])
  test(`a phase (${phase.kind} loop) says that each request had to open a connection, unless the server is gone`, () => {
    assert.match(remarksOn(phase, false).join(), /closes connections without notice/);
    assert.doesNotMatch(remarksOn(phase, true).join(), /closes connections/);
  });
