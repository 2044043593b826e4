import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refused, sent, START } from '../judge/clients/traffic.test.support.js';
import type { LogRecord } from '../log/record.js';
import { recording } from './recording.js';

const facts = { source: 'reference', basePath: '/v1', graceMs: 250 } as const;
const ended = { endedAt: START + 9000, finished: true, graceMs: 250 };

test('a client that sends more than a record holds is only counted, and its record ends there', () => {
  const log: LogRecord[] = [];
  const record = recording({ append: (each) => void log.push(each) }, 1, facts, {
    exchanges: 2,
    room: 100,
  });
  const last = sent({ at: [700, 701] });
  const held = [refused('2', [0, 10]), sent({ at: [500, 501] }), last, last].map((each) => record.add(each));
  assert.deepEqual(held, [true, true, false, false]);
  const { exchanges, end } = record.end(ended, null);
  assert.deepEqual([exchanges.length, end], [2, { ...ended, endedAt: START + 700, finished: false }]);
  assert.deepEqual(
    log.map(({ type }) => type),
    ['traffic', 'client-exchange', 'client-exchange', 'left-out', 'traffic-end'],
  );
  assert.equal(record.add(last), false, 'the record is over');
  const whole = recording({ append: () => undefined }, 1, facts);
  whole.add(last);
  assert.deepEqual(whole.end(ended, null).end, ended);
});
