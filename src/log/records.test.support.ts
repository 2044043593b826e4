import type { Exchange } from '../wire/exchange/types.js';
import { EXAMPLE_HEADER } from '../report/example-header.test.support.js';
import type { LogHeader, LogRecord } from './record.js';

export const headerRecord: LogHeader = {
  ...EXAMPLE_HEADER,
  run: '0a1b2c3d',
  ledger: 'd'.repeat(64),
  target: {
    ...EXAMPLE_HEADER.target,
    baseUrl: 'http://127.0.0.1:8080/v1',
    figures: { free: { perMinute: 60, perDay: 1000 } },
  },
  scope: { ...EXAMPLE_HEADER.scope, plans: ['free'], suiteKey: 'free' },
  command: 'petstore-conformance run',
};

export const footerRecord = {
  type: 'footer',
  complete: true,
  reason: null,
  finishedAt: '2026-11-20T10:00:05.000Z',
} as const satisfies LogRecord;

/** Makes a successful plain listing. */
export const exchangeRecord = (id: string, changes: Partial<Exchange> = {}): LogRecord => ({
  type: 'exchange',
  kept: ['json-media-type'],
  exchange: {
    id,
    probe: 'GET /pets',
    operation: 'listPets',
    intent: { kind: 'expects', statuses: [200], chargedTo: 'list-ok' },
    credential: { kind: 'valid', plan: 'free' },
    request: {
      method: 'GET',
      path: '/v1/pets',
      headers: [['Authorization', 'Bearer $PETSTORE_KEY']],
      body: null,
    },
    sentAt: Date.parse('2026-11-20T10:00:01Z'),
    latencyMs: 12.5,
    attempts: 1,
    answer: { kind: 'response', status: 200, headers: [['Content-Type', 'application/json']], text: '[]' },
    ...changes,
  },
});
