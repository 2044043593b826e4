import type { Exchange } from '../exchange/types.js';
import type { LogHeader, LogRecord } from './record.js';

/** Header of a full run against a local target. */
export const headerRecord: LogHeader = {
  type: 'header',
  schemaVersion: 1,
  run: '0a1b2c3d',
  kit: { name: 'petstore-conformance', version: '1.0.0' },
  interface: { version: '1.0.0', removalDate: '2030-12-05' },
  contract: 'c'.repeat(64),
  ledger: 'd'.repeat(64),
  target: {
    name: 'staging',
    baseUrl: 'http://127.0.0.1:8080/v1',
    windows: { minute: 60, day: 86_400 },
    production: false,
    exclusive: true,
    figures: { free: { perMinute: 60, perDay: 1000 } },
  },
  scope: {
    plans: ['free'],
    suiteKey: 'free',
    selection: null,
    selected: null,
    writes: true,
    asOf: '2026-11-20',
    includes: [],
  },
  startedAt: '2026-11-20T10:00:00.000Z',
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
    request: { method: 'GET', path: '/v1/pets', headers: [['Authorization', 'Bearer $PETSTORE_KEY']], body: null },
    sentAt: Date.parse('2026-11-20T10:00:01Z'),
    latencyMs: 12.5,
    attempts: 1,
    answer: { kind: 'response', status: 200, headers: [['Content-Type', 'application/json']], text: '[]' },
    ...changes,
  },
});
