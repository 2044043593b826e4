import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import { gather } from '../../log/gathered.test.support.js';
import type { LogRecord } from '../../log/record.js';
import { EXAMPLE_HEADER } from '../../report/example-header.test.support.js';
import { CLIENT_LEFT, RECORD_ENDED, type ClientExchange } from '../../wire/exchange/client-exchange.js';
import { brokenInTraffic } from '../words/traffic.js';
import { resultsOf } from './results.js';

const exchange = (id: string, answer: ClientExchange['answer']): LogRecord => ({
  type: 'client-exchange',
  nth: 1,
  exchange: {
    id,
    credential: { key: { kind: 'none' }, bearer: false, elsewhere: [] },
    request: { method: 'GET', target: '/v1/pets', headers: [], body: { kind: 'empty' } },
    times: { kind: 'unknown' },
    answer,
  },
});

const brokenOf = (source: 'proxy' | 'har', answers: readonly ClientExchange['answer'][]) => {
  const { traffic } = resultsOf(
    gather([
      { ...EXAMPLE_HEADER, scope: { ...EXAMPLE_HEADER.scope, sides: ['service', 'client'] } },
      { type: 'traffic', nth: 1, facts: { source, basePath: '/v1', graceMs: 250 } },
      ...answers.map((answer, at) => exchange(`t${at}`, answer)),
      { type: 'footer', complete: true, finishedAt: EXAMPLE_HEADER.startedAt, reason: null },
    ]),
    loadLedger().requirements,
  );
  assert.ok(traffic);
  return brokenInTraffic(traffic);
};

test('a run behind the proxy says what the service left unanswered or cut short', () => {
  const whole = { kind: 'response', status: 200, headers: [], body: { kind: 'whole', text: '[]' } } as const;
  const cut = { ...whole, body: { kind: 'cut', text: '[', why: 'it ended early' } } as const;
  const none = { kind: 'none', why: 'nothing listens there' } as const;
  assert.equal(brokenOf('proxy', [whole]), null);
  assert.equal(
    brokenOf('proxy', [whole, none, none, cut]),
    '2 of 4 requests got no response from the service; 1 response ended early, or was too large to judge: ' +
      'no requirement judges that',
  );
  // The client's own doing, the end of the record, and what recorders leave out.
  for (const why of [CLIENT_LEFT, RECORD_ENDED])
    assert.equal(brokenOf('proxy', [{ kind: 'none', why }]), null);
  assert.equal(brokenOf('har', [cut]), null);
});
