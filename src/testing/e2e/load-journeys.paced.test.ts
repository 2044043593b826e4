import assert from 'node:assert/strict';
import { test } from 'node:test';
import { late } from '../../proof/changes/animals.js';
import { on } from '../../proof/changes/requests.js';
import { against, wasTooSlow } from './support/loading.js';
import { resultsIn } from './support/results.js';

/** Returns a scenario in which every fourth arrival begins a journey. */
const scenario = (steps: string): string => `
name: small
phases: [{ name: hold, duration: 4s, rate: 10/s }]
operations:
  - { operation: listPets, weight: 3, query: { limit: 20 } }
  - { journey: adopt, weight: 1 }
journeys: [{ name: adopt, think: 300ms, steps: [${steps}] }]
keys: [enterprise]
`;
const UNTIL_SHOWN =
  'createPet, getPet, { operation: listPets, query: { limit: 100 }, until: shown, tries: 12 }';

test('journeys create, fetch what they created and list until it is shown, each step on time', async (t) => {
  const options = { variants: ['eventual-listings'] } as const;
  const { directory, server, code, stdout, stderr } = await against(t, scenario(UNTIL_SHOWN), options);
  assert.equal(code, wasTooSlow(directory) ? 3 : 0, stdout + stderr);
  const { capacity } = resultsIn(directory);
  const [phase = assert.fail()] = capacity?.phases ?? [];
  const [journey] = phase.journeys ?? [];
  // A busy machine may drop every arrival that begins one.
  if (journey === undefined) return assert.ok(phase.dropped > 0, stdout);
  assert.equal(journey.notShown, 0);
  assert.ok(
    journey.finished > 0 && journey.finished <= journey.started,
    `${journey.finished} of ${journey.started}`,
  );
  // Its listings show an animal after a second, so a journey thinks at least four times.
  assert.ok(journey.latencyMs.p50 >= 1000, `${journey.latencyMs.p50}`);
  const [created, fetched, listed] = journey.steps;
  assert.ok((created?.answered ?? 0) >= (fetched?.answered ?? 0));
  assert.ok((listed?.answered ?? 0) > journey.finished, 'a listing was repeated');
  // A journey's time holds several pauses and all its other steps.
  const ofStep = listed?.latencyMs.p50 ?? Infinity;
  assert.ok(ofStep < journey.latencyMs.p50 / 2, 'a step is measured from its own moment');
  assert.equal(phase.sent + phase.dropped, phase.intended);
  assert.ok(server.requests() >= phase.sent);
  assert.match(stdout, /adopt .*\n.*1\. createPet/);
});

/** Longer than any machine needs for two listings. */
const NEVER_MS = 600_000;

test('a journey that no listing shows in its tries ends there, and is no error', async (t) => {
  const steps = 'createPet, { operation: listPets, query: { limit: 100 }, until: shown, tries: 2 }';
  const { directory, stdout } = await against(t, scenario(steps), { change: late(NEVER_MS, on('listPets')) });
  const { capacity } = resultsIn(directory);
  const [phase = assert.fail()] = capacity?.phases ?? [];
  const [journey] = phase.journeys ?? [];
  if (journey === undefined) return assert.ok(phase.dropped > 0, stdout);
  assert.ok(journey.notShown > 0, JSON.stringify(journey));
  assert.equal(journey.finished, 0);
  assert.deepEqual([phase.errors, phase.violations], [0, 0]);
});

test('after a 429 no journey goes on with that key', async (t) => {
  const { directory, server } = await against(t, scenario(UNTIL_SHOWN), {
    plans: { enterprise: { perMinute: 20, perDay: 500 } },
  });
  const { capacity } = resultsIn(directory);
  const [journey] = capacity?.phases[0]?.journeys ?? [];
  assert.ok(journey && journey.finished < journey.started, JSON.stringify(journey));
  // One listing before the run, the 20 of its plan, and what was open at the first refusal.
  assert.ok(server.requests() <= 20 + 1 + 8, `${server.requests()} requests`);
});
