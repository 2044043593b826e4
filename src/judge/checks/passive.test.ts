import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { exchangeOf, judging } from './exchange.test.support.js';
import { judgePassively, judgeRepeated, PASSIVE_ROWS, type PassiveContext } from './passive.js';
import { CASES, DECLARED, OPEN, type Outcome } from './passive-cases.test.support.js';
import { about } from '../findings/finding.js';
import { rateFactsOf } from './rate-headers.js';
import { answers } from './status.js';

const context: PassiveContext = {
  ...judging,
  rates: rateFactsOf({ plan: { perMinute: 60, perDay: 1000 }, windows: { minute: 60, day: 86_400 } }),
};

/** Judges an exchange by one row. */
function outcome(row: RequirementId, exchange: Exchange): Outcome {
  const { kept, findings } = judgePassively(exchange, context);
  const own = findings.filter(({ requirement }) => requirement === row);
  assert.ok(!(kept.includes(row) && own.length > 0), 'kept and found at once');
  if (kept.includes(row)) return 'kept';
  const [first] = own;
  if (!first) return 'not judged';
  if (first.kind === 'violated') return first.warns ? 'warns' : 'violated';
  assert.equal(first.kind, 'inconclusive');
  return 'inconclusive';
}

for (const [row, what, exchange, expected] of CASES)
  test(`${row}, ${what}: ${expected}`, () => assert.equal(outcome(row, exchange), expected));

test('every passive requirement has a kept and a violated case', () => {
  for (const row of PASSIVE_ROWS) {
    const seen = new Set(CASES.filter(([id]) => id === row).map(([, , , expected]) => expected));
    assert.ok(seen.has('kept') && seen.has('violated'), row);
  }
});

test('a request outside the operations or without response is not judged', () => {
  for (const exchange of [
    exchangeOf({ operation: null, status: 405, headers: [] }),
    exchangeOf({ none: 'timeout' }),
  ])
    assert.deepEqual(judgePassively(exchange, context), { kept: [], findings: [] });
});

test('every finding names its exchange', () => {
  const exchange = exchangeOf({ id: 'x99', intent: DECLARED, status: 500, headers: [] });
  const { findings } = judgePassively(exchange, context);
  assert.ok(findings.length >= 2);
  for (const finding of findings) assert.deepEqual('exchanges' in finding && finding.exchanges, ['x99']);
});

test('violations on an unstable operation are only warnings', () => {
  const unstable = { ...context, contract: { ...context.contract, markers: { listPets: 'beta' } as const } };
  const { findings } = judgePassively(exchangeOf({ text: '{}', headers: [] }), unstable);
  assert.ok(findings.length >= 2);
  for (const finding of findings) assert.equal(finding.kind === 'violated' && finding.warns, true);
});

/** Returns what is said of the status code of a response. */
const saidOf = (given: Parameters<typeof exchangeOf>[0]): readonly unknown[] =>
  judgePassively(exchangeOf(given), context).findings.flatMap((finding) =>
    finding.requirement === 'declared-status' && finding.kind === 'violated' ? [finding.message] : [],
  );

test('a wrong status code names its request, and under load its place does', () => {
  const probe = 'GET /pets?limit=7';
  const wrong = { intent: DECLARED, status: 504 };
  assert.deepEqual(saidOf({ ...wrong, probe }), ['“GET /pets?limit=7” got 504']);
  assert.deepEqual(saidOf({ ...wrong, probe: 'load 17' }), ['the target returned 504 instead of 200']);
  const open = { intent: OPEN, status: 500 };
  assert.deepEqual(saidOf({ ...open, probe }), ['“GET /pets?limit=7” got 500']);
  assert.deepEqual(saidOf({ ...open, probe: 'load 17' }), [
    'the target returned 500 to a request that the interface leaves open',
  ]);
});

const rowsOf = (operation: Exchange['operation'], status: number): readonly RequirementId[] =>
  judgeRepeated(exchangeOf({ operation, status })).map(({ requirement }) => requirement);

test('a repeated listing is judged by any wrong status code, a repeated fetch only by a server error', () => {
  for (const status of [206, 302, 404, 500]) assert.deepEqual(rowsOf('listPets', status), ['list-ok']);
  for (const status of [200, 401, 429, 503]) assert.deepEqual(rowsOf('listPets', status), []);
  assert.deepEqual([rowsOf('getPet', 404), rowsOf('getPet', 500)], [[], ['list-ok']]);
});

test('a repeated request with a server error says the same as the row that judges it', () => {
  const probe = 'POST /pets, without a name';
  const exchange = exchangeOf({
    probe,
    intent: { kind: 'expects', statuses: [400], chargedTo: 'create-missing-field' },
    status: 502,
  });
  const [finding = assert.fail()] = judgeRepeated(exchange);
  assert.deepEqual(finding, about('create-missing-field', answers('create-missing-field', exchange)));
});
