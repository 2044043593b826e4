import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerRecord } from '../../log/records.test.support.js';
import { doctorLines, type DoctorReport } from './doctor-lines.js';
import { paint } from './lines.js';
import { plainLook } from './look.js';

test('the requests of suites and load never run together, however many', () => {
  const examination = {
    looks: [],
    cost: {
      suites: { withKey: 65, withoutKey: 48 },
      load: { profiles: [{ key: 'enterprise', requests: 96_100_011 }], findings: [] },
      requests: 96_100_124,
      seconds: 60,
      more: { requests: 0, seconds: 0 },
    },
  } as unknown as DoctorReport['examination'];
  const header = { ...headerRecord, scope: { ...headerRecord.scope, suiteKey: 'enterprise' as const } };
  const lines = paint(
    doctorLines({ header, examination, reach: { judged: 84, all: 84 }, without: [], next: 'run' }),
    plainLook(false),
  );
  const at = lines.findIndex((text) => text.startsWith('would send'));
  assert.deepEqual(
    lines.slice(at, at + 3).map((text) => text.slice(15).trimEnd()),
    ['               suites        load', 'enterprise         65  96,100,011', 'without a key      48'],
  );
});
