import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchangeOf } from './exchange.test.support.js';
import { mayBeBlocked } from './firewall.js';

const answered = (status: number) =>
  exchangeOf({ intent: { kind: 'expects', statuses: [200], chargedTo: 'list-ok' }, status });

test('a bare 403 may block the run, and a 304 refuses nothing', () => {
  assert.equal(mayBeBlocked(answered(403), answered(200)), true);
  assert.equal(mayBeBlocked(answered(304), answered(200)), false);
});
