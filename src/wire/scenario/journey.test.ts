import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ConfigError } from '../../base/kernel/errors.js';
import { spendingOf } from '../../loadkit/allowance.js';
import { perArrivalOf } from './journey.js';
import type { Journey } from './journey-file.js';
import { parseScenario } from './scenario.js';
import { placed, turnsOf } from './schedule.js';

const SCENARIO = `name: some
phases: [{ name: hold, duration: 60s, rate: 60/min }]
operations:
  - { operation: listPets, weight: 3 }
  - { journey: adopt, weight: 1 }
journeys:
  - name: adopt
    think: 500ms
    steps: [createPet, getPet, { operation: listPets, query: { limit: 100, status: available }, until: shown, tries: 7 }]
`;

test('a journey is read with its steps, and an entry of operations stands for it', () => {
  const { journeys, operations } = parseScenario(SCENARIO, 's.yaml');
  assert.deepEqual(journeys, [
    {
      name: 'adopt',
      thinkMs: 500,
      steps: [
        { operation: 'createPet', until: 'once', tries: 1 },
        { operation: 'getPet', until: 'once', tries: 1 },
        { operation: 'listPets', limit: 100, status: 'available', until: 'shown', tries: 7 },
      ],
    },
  ]);
  assert.deepEqual(operations[1], {
    operation: 'createPet',
    journey: 'adopt',
    weight: 1,
    limits: [],
    statuses: [],
  });
});

const WRONG: readonly (readonly [what: string, from: string, to: string, message: RegExp])[] = [
  ['an unknown journey', 'journey: adopt,', 'journey: adobt,', /There is no journey "adobt"/],
  [
    'a journey that nothing sends',
    '  - { journey: adopt, weight: 1 }\n',
    '',
    /No entry of operations sends the journey/,
  ],
  [
    'a fetch before the creation',
    '[createPet, getPet,',
    '[getPet, createPet,',
    /fetches what the journey created/,
  ],
  ['a listing until it shows nothing', '[createPet, getPet,', '[listPets,', /Only a listing can show/],
  ['tries without until', 'until: shown, tries: 7', 'tries: 7', /A step without until is sent once/],
  [
    'a query of a creation',
    '[createPet,',
    '[{ operation: createPet, query: { limit: 1 } },',
    /createPet takes no query/,
  ],
  ['connections', 'rate: 60/min', 'connections: 3', /has connections, but a journey begins on a schedule/],
  [
    'an operation and a journey in one',
    '{ journey: adopt,',
    '{ operation: getPet, journey: adopt,',
    /names no request, or two/,
  ],
  ['an unknown step', '[createPet, getPet,', '[createPet, adoptPet,', /steps\.1" has another form/],
];
for (const [what, from, to, message] of WRONG)
  test(`a scenario with ${what} is rejected with its line`, () => {
    assert.ok(SCENARIO.includes(from));
    assert.throws(
      () => parseScenario(SCENARIO.replace(from, to), 's.yaml'),
      (error: unknown) =>
        error instanceof ConfigError && message.test(error.message) && error.line !== undefined,
    );
  });

const journeyOf = (tries: number): Journey => ({
  name: 'j',
  thinkMs: 0,
  steps: [{ operation: 'createPet', until: 'once', tries }],
});

test('no run of arrivals sends more with one key than the plan assumes', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 2, max: 12 }),
      fc.integer({ min: 1, max: 4 }),
      (single, weight, tries, keys) => {
        const share = { limits: [], statuses: [] };
        const operations = [
          { ...share, operation: 'listPets', weight: single },
          { ...share, operation: 'createPet', weight, journey: 'j' },
        ] as const;
        const { mean, more } = perArrivalOf(operations, [journeyOf(tries)], keys);
        const { at } = turnsOf(operations);
        for (let key = 0; key < keys; key += 1)
          for (let from = 0; from < 20; from += 1)
            for (let [length, sent] = [1, 0]; length <= 20; length += 1) {
              sent += at(key + (from + length - 1) * keys).journey === undefined ? 1 : tries;
              assert.ok(sent <= length * mean + more + 1e-6, `${sent} of ${length} at ${mean} and ${more}`);
            }
      },
    ),
    { numRuns: 40 },
  );
});

test('a plan that allows single requests of a rate refuses journeys at that rate', () => {
  const { phases, operations, journeys } = parseScenario(SCENARIO, 's.yaml');
  const given = {
    plan: 'free',
    figures: { perMinute: 62, perDay: 1000 },
    windows: { minute: 60, day: 86_400 },
    keys: 1,
    earlier: 2,
    overLimit: false,
  };
  assert.equal(placed(phases)[0]?.count, 60);
  assert.equal(spendingOf(phases, given).exceeds, null);
  const perArrival = perArrivalOf(operations, journeys, 1);
  assert.equal(perArrival.mean, 3);
  assert.match(
    spendingOf(phases, { ...given, perArrival }).exceeds ?? '',
    /with the free key, but its plan allows 62/,
  );
});
