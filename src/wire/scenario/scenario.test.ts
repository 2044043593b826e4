import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseScenario } from './scenario.js';
import { METRICS, parseCondition } from './threshold.js';
import { ConfigError } from '../../base/kernel/errors.js';

const WHOLE = `
name: evening
phases:
  - { name: warm,  duration: 30s, rate: { from: 60/min, to: 600/min } }
  - { name: hold,  duration: 2m,  rate: 1000/min }
  - { name: spike, duration: 10s, rate: 100/s }
  - { name: flood, duration: 20s, connections: 10 }
operations:
  - { operation: listPets, weight: 6, query: { limit: 20, status: [available, pending, sold] } }
  - { operation: getPet, weight: 3 }
  - { operation: createPet, weight: 1 }
keys: [business, enterprise]
thresholds:
  - p99 < 250ms
  - errors < 0.1%
  - violations = 0
  - dropped < 1%
  - { phase: hold, operation: listPets, p95: < 100ms }
abort: { when: errors > 20%, after: 10s }
`;

test('a complete scenario is parsed', () => {
  const scenario = parseScenario(WHOLE, 'evening.yaml');
  assert.deepEqual(scenario.phases[0], { kind: 'open', name: 'warm', seconds: 30, from: 1, to: 10 });
  assert.deepEqual(scenario.phases[3], { kind: 'closed', name: 'flood', seconds: 20, connections: 10 });
  assert.deepEqual(scenario.operations[0]?.statuses, ['available', 'pending', 'sold']);
  assert.deepEqual(scenario.operations[0]?.limits, [20]);
  assert.deepEqual(scenario.keys, ['business', 'enterprise']);
  const [p99, errors, , , hold] = scenario.thresholds;
  assert.deepEqual([p99?.bound, p99?.unit, errors?.bound, errors?.unit], [250, 'ms', 0.001, 'share']);
  assert.deepEqual(
    [hold?.phase, hold?.operation, hold?.text],
    ['hold', 'listPets', 'hold: listPets p95 < 100ms'],
  );
  assert.deepEqual([scenario.abort?.when.bound, scenario.abort?.afterSeconds], [0.2, 10]);
});

test('JSON is parsed as well', () => {
  const text = JSON.stringify({
    name: 'a',
    phases: [{ name: 'p', duration: '1s', rate: '5/s' }],
    operations: [{ operation: 'listPets' }],
  });
  assert.equal(parseScenario(text, 'a.json').operations[0]?.weight, 1);
});

for (const [given, expected] of [
  ['p99 < 250ms', ['p99 < 250ms', 'errors < 1%']],
  ['errors < 50%', ['errors < 50%']],
  ['{ phase: a, errors: < 5% }', ['a: errors < 5%', 'b: errors < 1%']],
  ['{ operation: listPets, errors: < 5% }', ['listPets errors < 5%', 'errors < 1%']],
  ['{ phase: a, errors: < 5% }, { phase: b, errors: = 0 }', ['a: errors < 5%', 'b: errors = 0']],
] as const)
  test(`every phase has a limit for errors, also with the thresholds [${given}]`, () => {
    const phases = '[{ name: a, duration: 1s, rate: 5/s }, { name: b, duration: 1s, rate: 5/s }]';
    const text = `name: n\nphases: ${phases}\noperations: [{ operation: listPets }]\nthresholds: [${given}]`;
    assert.deepEqual(
      parseScenario(text, 'a.yaml').thresholds.map((threshold) => threshold.text),
      expected,
    );
  });

const bad: readonly [
  what: string,
  from: string | RegExp,
  to: string,
  message: RegExp,
  line: number,
  nearest?: string,
][] = [
  ['no phases', /phases:[\s\S]*?operations:/, 'phases: []\noperations:', /phases/, 3],
  ['a rate of 0', '1000/min', '0/min', /rate of the phase "hold" is 0/, 5],
  ['a ramp from 0 to 0', '{ from: 60/min, to: 600/min }', '{ from: 0/s, to: 0/s }', /always 0/, 4],
  ['a negative rate', '1000/min', '-5/s', /negative/, 5],
  ['a rate of 1e9 a second', '1000/min', '1e9/s', /is too high/, 5],
  ['a rate without unit', '1000/min', '"1000"', /no valid rate/, 5],
  ['an unknown operation', 'operation: getPet,', 'operation: getPets,', /has an unknown value/, 10, 'getPet'],
  ['an unknown key', '[business, enterprise]', '[busines]', /has an unknown value/, 12, 'business'],
  ['an unknown member', 'weight: 3', 'wieght: 3', /"wieght" is not known/, 10, 'weight'],
  ['a threshold for an unknown phase', 'phase: hold, op', 'phase: holt, op', /no phase "holt"/, 18, 'hold'],
  ['a threshold for an unknown metric', 'p99 < 250ms', 'p98 < 250ms', /unknown metric "p98"/, 14, 'p90'],
  ['a threshold without unit', 'p99 < 250ms', 'p99 < 250', /has no unit/, 14],
  ['a threshold of two figures', 'p95: < 100ms', 'p95: < 100ms, p99: < 1s', /one metric/, 18],
  ['weights that are all 0', /weight: \d/g, 'weight: 0', /weights are 0/, 8],
  ['a duration of 0', '2m', '0s', /the duration 0/, 5],
  ['a duration of 40 days', '2m', '40d', /longer than a day/, 5],
  ['a total duration above one day', 'duration: 2m', 'duration: 24h', /longer than a day in total/, 3],
  ['an invalid duration', '2m', 'soon', /no valid duration/, 5],
  ['two phases with the same name', 'name: spike', 'name: hold', /the name "hold"/, 6],
  ['rate and connections', 'connections: 10', 'connections: 10, rate: 1/s', /both a rate and connections/, 7],
  ['neither rate nor connections', ', connections: 10', '', /neither a rate nor connections/, 7],
  ['a query for getPet', 'getPet, weight: 3', 'getPet, query: { limit: 1 }', /takes no query/, 10],
  ['a page that is too large', 'limit: 20', 'limit: 200', /limit/, 9],
  ['an unknown status', '[available, pending, sold]', 'solt', /not a status of an animal/, 9, 'sold'],
  ['an abort rule without condition', 'errors > 20%', 'soon', /abort|condition/, 19],
  ['invalid YAML', 'phases:', 'phases: [', /not well-formed/, 3],
];

for (const [what, from, to, message, line, nearest] of bad)
  test(`a scenario with ${what} is rejected with its line number`, () => {
    const text = WHOLE.replace(from, to);
    assert.notEqual(text, WHOLE);
    assert.throws(
      () => parseScenario(text, 'evening.yaml'),
      (error: unknown) => {
        assert.ok(error instanceof ConfigError, String(error));
        assert.match(error.message, message);
        assert.equal(error.nearest, nearest);
        assert.ok(error.code === 'yaml-syntax' || error.line === line, `line ${error.line}`);
        return true;
      },
    );
  });

for (const [member, from, to, example] of [
  ['rate', '1000/min', '1000', 'e.g. 1000/min'],
  ['duration', '2m', '120', 'e.g. 30s'],
] as const)
  test(`a ${member} as a bare number is rejected with an example of how to write it`, () =>
    assert.throws(
      () => parseScenario(WHOLE.replace(from, to), 'evening.yaml'),
      (error: unknown) => {
        assert.ok(error instanceof ConfigError, String(error));
        assert.equal(error.code, 'wrong-type');
        assert.ok(error.expected?.endsWith(example), error.expected);
        return true;
      },
    ));

test('a condition is parsed exactly as written', () => {
  const comparison = fc.constantFrom('<', '<=', '>', '>=', '=');
  fc.assert(
    fc.property(fc.constantFrom(...METRICS), comparison, fc.nat(100_000), (metric, sign, amount) => {
      const unit = metric.startsWith('p') && metric !== 'perSecond' ? 'ms' : metric === 'max' ? 'ms' : '';
      const parsed = parseCondition(` ${metric}${sign} ${amount}${unit} `);
      assert.ok(parsed.ok, JSON.stringify(parsed));
      assert.deepEqual(
        [parsed.value.metric, parsed.value.comparison, parsed.value.bound],
        [metric, sign, amount],
      );
    }),
  );
});

test('parseCondition never throws', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseCondition(text)));
});

test('all mistakes of a scenario are reported at once, each with its line', () => {
  const text = WHOLE.replace('duration: 2m', 'duration: 2 moons')
    .replace('operation: getPet, weight: 3', 'operation: getPet, query: { limit: 1 }')
    .replace('p99 < 250ms', 'p98 < 250ms')
    .replace('after: 10s', 'after: soon');
  assert.throws(
    () => parseScenario(text, 'evening.yaml'),
    (error) => {
      assert.ok(error instanceof ConfigError);
      const lines = [
        error.where + error.message,
        ...error.details.flatMap(([label, said]) => (label === 'also' ? [said] : [])),
      ];
      assert.deepEqual(
        lines.map((line) => line.replace(/: .*/s, '')),
        ['evening.yaml:5', 'evening.yaml:10', 'evening.yaml:14', 'evening.yaml:19'],
      );
      return true;
    },
  );
});
