import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseScenario } from '../wire/scenario/scenario.js';
import { capacityOf } from './results.js';
import { operation, phase } from './thresholds.test.support.js';

const scenario = parseScenario(
  'name: small\nphases: [{ name: hold, duration: 10s, connections: 2 }]\noperations: [{ operation: listPets, weight: 1 }]',
  's.yaml',
);

/** Remarks on a phase during which this machine stood still. */
const remarksOf = (stoodMs: number) =>
  capacityOf(
    {
      scenario: {
        type: 'scenario',
        scenario,
        slice: { index: 0, count: 1 },
        keys: ['free'],
        leftOut: [],
        startAt: 0,
      },
      agents: null,
      seconds: [],
      phases: [phase('hold', [operation('listPets', [10, 20])], { intended: null, stoodMs })],
    },
    null,
  ).phases.flatMap(({ remarks }) => remarks);

test('a remark tells a whole standstill, and no rest of another phase’s', () => {
  assert.deepEqual(remarksOf(1500), ['this machine stood still for 1.5 s']);
  assert.deepEqual(remarksOf(15), []);
});
