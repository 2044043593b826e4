import { LOG_SCHEMA_VERSION } from '../log/header-record.js';
import type { LogHeader, PreflightFacts } from '../log/record.js';

/** Its start, Unix ms. */
export const START = Date.parse('2026-11-20T10:00:00.000Z');

/** Header of a full run against a staging system, for tests to change. */
export const EXAMPLE_HEADER: LogHeader = {
  type: 'header',
  schemaVersion: LOG_SCHEMA_VERSION,
  run: '0badcafe',
  kit: { name: 'petstore-conformance', version: '1.0.0' },
  interface: { version: '1.0.0', removalDate: '2030-12-05' },
  contract: 'c'.repeat(64),
  ledger: '1'.repeat(64),
  target: {
    name: 'staging',
    baseUrl: 'https://staging.example.com/v1',
    windows: { minute: 60, day: 86_400 },
    production: false,
    exclusive: true,
    figures: {
      free: { perMinute: 60, perDay: 1_000 },
      pro: { perMinute: 300, perDay: 10_000 },
      business: { perMinute: 1_000, perDay: 100_000 },
      enterprise: { perMinute: 2_400, perDay: 500_000 },
    },
  },
  scope: {
    plans: ['free', 'pro', 'business', 'enterprise'],
    suiteKey: 'business',
    selection: null,
    selected: null,
    writes: true,
    asOf: '2026-11-20',
    includes: [],
  },
  startedAt: '2026-11-20T10:00:00.000Z',
  command: 'petstore-conformance run --target staging',
};

/** Parts of a run's header to replace. */
export interface HeaderChanges {
  readonly header?: Partial<LogHeader>;
  readonly target?: Partial<LogHeader['target']>;
  readonly scope?: Partial<LogHeader['scope']>;
}

/** Returns the example header with `own` facts of a test's runs, and with changes. */
export const headerWith = ({ header, target, scope }: HeaderChanges, own: Partial<LogHeader>): LogHeader => ({
  ...EXAMPLE_HEADER,
  ...own,
  target: { ...EXAMPLE_HEADER.target, ...target },
  scope: { ...EXAMPLE_HEADER.scope, ...own.scope, ...scope },
  ...header,
});

/** Facts that preflight found. */
export const EXAMPLE_PREFLIGHT: PreflightFacts = {
  reachableMs: 12,
  keyAccepted: true,
  plan: 'business',
  limitSeen: '1000',
  clockSkewMs: 300,
  animals: 48,
  animalsComplete: true,
  plannedRequests: 54,
  plannedSeconds: 4,
  remarks: [],
};
