import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import { SCENARIOS, type Scenario } from './scenarios.js';

/** Is true if a client has to rest in a scenario (part 8, "Exceeding the limit", 2). */
const hasRest = ({ steps }: Scenario): boolean =>
  steps.some((step) => (step.kind === 'refuse' || step.kind === 'ban') && (step.wait?.seconds ?? 0) > 0);

test('each scenario with a rest shows whether the client waits, however it is selected', () => {
  const resting = SCENARIOS.filter(hasRest).map(({ name }) => name);
  for (const id of ['client-waits', 'client-does-not-hammer']) {
    const row = loadLedger().ofClients.find((one) => one.id === id);
    const judged = row?.judgedBy.kind === 'client' ? row.judgedBy.scenarios : [];
    assert.deepEqual([...judged].sort(), [...resting].sort(), id);
  }
});
