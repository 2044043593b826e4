import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { ValidateFunction } from 'ajv';
import type { RequirementId } from './types.js';
import { configPath } from '../kernel/config-file.js';
import { publishedCheck } from '../../testing/published-check.js';
import { loadLedger } from './ledger.js';

const compiled = new Map<string, ValidateFunction>();

function compile(name: string): ValidateFunction {
  const validate = compiled.get(name) ?? publishedCheck(name);
  compiled.set(name, validate);
  return validate;
}

for (const file of readdirSync(configPath('schemas'))) {
  test(`${file} is a JSON Schema`, () => assert.ok(compile(file.replace('.schema.json', ''))));
}

const exchange = {
  id: 'x1',
  probe: 'listing',
  operation: 'listPets',
  intent: { kind: 'declared', statuses: [200] },
  credential: { kind: 'valid', plan: 'free' },
  request: {
    method: 'GET',
    path: '/v1/pets',
    headers: [['Authorization', 'Bearer $PETSTORE_KEY']],
    body: null,
  },
  sentAt: 1.5,
  latencyMs: 2,
  attempts: 1,
  answer: { kind: 'response', status: 200, headers: [], text: '[]' },
};

const results = {
  schemaVersion: 1,
  verdict: 'non-conformant',
  kit: { name: 'petstore-conformance', version: '1.0.0' },
  interface: { version: '1.0.0' },
  target: {
    name: 'staging',
    baseUrl: 'https://staging.example.com/v1',
    windows: { minute: 60, day: 86_400 },
  },
  scope: { plans: ['free', 'pro'], selection: null, writes: true, asOf: '2026-11-20' },
  startedAt: '2026-11-20T10:00:00.000Z',
  finishedAt: '2026-11-20T10:00:03.100Z',
  durationMs: 3100,
  complete: true,
  counts: { passed: 0, failed: 1, warned: 0, observed: 1, 'not-applicable': 1, inconclusive: 0, error: 0 },
  requests: { total: 3, byKey: { free: 2, anonymous: 1 } },
  requirements: [
    {
      ...row('list-limit-default'),
      outcome: 'failed',
      findings: [{ message: 'The listing holds too much.', expected: '20', actual: '25', exchanges: ['x1'] }],
    },
    {
      ...row('list-order'),
      outcome: 'observed',
      observed: [{ value: 'by id', exchanges: ['x1'] }],
      findings: [],
    },
    {
      ...row('get-after-removal'),
      outcome: 'not-applicable',
      reason: { code: 'removal-date', text: 'not before 2030-12-05' },
      findings: [],
    },
  ],
  exchanges: [exchange, { ...exchange, id: 'x2', answer: { kind: 'none', code: 'reset', message: 'reset' } }],
  load: [{ profile: 'burst', plan: 'free', sent: 61 }],
};

function row(id: RequirementId): object {
  const { level, part, statement } = loadLedger().byId(id);
  return { id, level, part, statement };
}

const baseline = {
  schemaVersion: 1,
  accepted: [
    {
      requirement: 'list-ok',
      outcome: 'failed',
      reason: 'Known.',
      link: 'https://a/1',
      expires: '2027-01-31',
    },
  ],
};

test('valid documents are accepted', () => {
  const validate = compile('results');
  assert.ok(validate(results), JSON.stringify(validate.errors));
  assert.ok(compile('baseline')(baseline));
  assert.ok(compile('baseline')({ schemaVersion: 1, accepted: [] }));
});

/** Replaces the value at a path of names and indices; undefined removes it. */
function changed(value: unknown, [step, ...rest]: readonly (string | number)[], to: unknown): unknown {
  if (step === undefined) return to;
  if (Array.isArray(value))
    return value.map((item: unknown, at) => (at === step ? changed(item, rest, to) : item));
  const members = value as Readonly<Record<string, unknown>>;
  const next = { ...members, [step]: changed(members[step], rest, to) };
  return JSON.parse(JSON.stringify(next)) as unknown;
}

const faults: readonly [schema: 'results' | 'baseline', path: readonly (string | number)[], to: unknown][] = [
  ['results', ['extra'], 1],
  ['results', ['schemaVersion'], 2],
  ['results', ['verdict'], 'passed'],
  ['results', ['complete'], undefined],
  ['results', ['startedAt'], 'yesterday'],
  ['results', ['scope', 'asOf'], '2026-13-01'],
  ['results', ['scope', 'plans', 0], 'anonymous'],
  ['results', ['counts', 'warned'], undefined],
  ['results', ['counts', 'skipped'], 1],
  ['results', ['requests', 'byKey', 'gold'], 1],
  ['results', ['requests', 'byKey', 'free'], 1.5],
  ['results', ['requirements', 0, 'part'], 10],
  ['results', ['requirements', 0, 'outcome'], 'skipped'],
  ['results', ['requirements', 0, 'findings'], []],
  ['results', ['requirements', 0, 'findings', 0, 'message'], undefined],
  ['results', ['requirements', 0, 'level'], 'should'],
  ['results', ['requirements', 2, 'reason'], undefined],
  ['results', ['exchanges', 0, 'answer', 'status'], undefined],
  ['results', ['exchanges', 0, 'request', 'headers', 0], ['Authorization']],
  ['results', ['load', 0, 'profile'], undefined],
  ['baseline', ['accepted', 0, 'outcome'], 'passed'],
  ['baseline', ['accepted', 0, 'expires'], '2027-1-31'],
  ['baseline', ['accepted', 0, 'expires'], undefined],
  ['baseline', ['accepted', 0, 'link'], 'javascript:alert(1)'],
  ['baseline', ['accepted', 0, 'note'], 'x'],
  ['baseline', ['extra'], true],
];

for (const [schema, path, to] of faults) {
  test(`${schema}: ${path.join('.')} must not be ${to === undefined ? 'missing' : JSON.stringify(to)}`, () => {
    assert.equal(compile(schema)(changed(schema === 'results' ? results : baseline, path, to)), false);
  });
}
