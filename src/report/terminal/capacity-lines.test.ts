import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hundred, operation, phase, threshold } from '../../loadkit/thresholds.test.support.js';
import type { CapacityPhaseRecord } from '../../log/capacity-record.js';
import type { LogRecord } from '../../log/record.js';
import { knownRedacted } from '../../wire/exchange/redaction.js';
import { placed } from '../../wire/scenario/schedule.js';
import { notStartedLines } from './capacity-closing.js';
import { capacityReporter } from './capacity-lines.js';
import { paint } from './lines.js';
import { lookOf } from './look.js';
import { collector } from './reporter.test.support.js';

/** Returns what the screen shows of a record, with a threshold on errors. */
function shownOf(record: CapacityPhaseRecord | LogRecord, name = 'a'): string {
  const screen = collector({});
  using reporter = capacityReporter({
    stream: screen.stream,
    env: { LANG: 'C.UTF-8' },
    reporter: 'list',
    plan: {
      phases: placed([{ kind: 'closed', name, seconds: 10, connections: 1 }]),
      scenario: { thresholds: [threshold('errors < 2%')] },
    },
  });
  reporter.record(knownRedacted(record));
  return screen.text();
}

/** Returns the mark in front of a phase that is over. */
const markOf = (record: CapacityPhaseRecord, planned = record.phase): string =>
  shownOf(record, planned).trim().slice(0, 1);

/** Returns a phase of a hundred requests. */
const of = (more: Parameters<typeof operation>[2]) => phase('a', [operation('listPets', hundred, more)]);

test('the mark of a phase is that of its thresholds and violations', () => {
  assert.equal(markOf(of({})), '✓');
  // Fewer errors than the threshold allows: the run is kept.
  assert.equal(markOf(of({ served: 99, errors: 1 })), '✓');
  assert.equal(markOf(of({ served: 97, errors: 3 })), '✗');
  assert.equal(markOf(of({ violations: 1 })), '✗');
});

test('a wait is told in full, whatever the width of the screen', () => {
  const what = 'the next window of the free plan: 9 of 60 requests are left, and the schedule needs 30';
  const shown = shownOf({ type: 'waiting', what, until: Date.now() + 60_000 });
  assert.ok(shown.replaceAll(/\s+/g, ' ').includes(what), shown);
});

test('a run that ended before anything was sent says why', () => {
  const look = lookOf(collector({}).stream, { LANG: 'C.UTF-8' });
  const shown = (reason: string | null) => paint(notStartedLines({}, reason, 'index.html'), look).join(' ');
  assert.match(shown('interrupted'), /ended before anything was sent: interrupted\./);
  assert.match(shown(null), /ended before anything was sent\./);
});

test('a step of a search has no mark of its own, because only the search judges it', () => {
  const saturated = { fromMs: 0, perSecond: 0, cpu: 0.1 };
  assert.equal(markOf({ ...of({}), saturated }), '!');
  assert.equal(markOf({ ...of({}), saturated }, 'another'), '·');
});
