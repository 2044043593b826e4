import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hundred, operation, phase, threshold } from '../../loadkit/thresholds.test.support.js';
import type { CapacityPhaseRecord } from '../../log/capacity-record.js';
import { knownRedacted } from '../../wire/exchange/redaction.js';
import { placed } from '../../wire/scenario/schedule.js';
import { capacityReporter } from './capacity-lines.js';
import { collector } from './reporter.test.support.js';

/** Returns the mark in front of a phase that is over, with a threshold on its errors. */
function markOf(record: CapacityPhaseRecord): string {
  const screen = collector({});
  using reporter = capacityReporter({
    stream: screen.stream,
    env: { LANG: 'C.UTF-8' },
    reporter: 'list',
    plan: {
      phases: placed([{ kind: 'closed', name: record.phase, seconds: 10, connections: 1 }]),
      scenario: { thresholds: [threshold('errors < 2%')] },
    },
  });
  reporter.record(knownRedacted(record));
  return screen.text().trim().slice(0, 1);
}

/** Returns a phase of a hundred requests. */
const of = (more: Parameters<typeof operation>[2]) => phase('a', [operation('listPets', hundred, more)]);

test('the mark of a phase is that of its thresholds and violations', () => {
  assert.equal(markOf(of({})), '✓');
  // Fewer errors than the threshold allows: the run is kept.
  assert.equal(markOf(of({ served: 99, errors: 1 })), '✓');
  assert.equal(markOf(of({ served: 97, errors: 3 })), '✗');
  assert.equal(markOf(of({ violations: 1 })), '✗');
});
