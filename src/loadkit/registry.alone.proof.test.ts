import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import pLimit from 'p-limit';
import { loadLedger } from '../base/interface/ledger.js';
import type { RequirementId } from '../base/interface/types.js';
import { flaws, mayTurn, startAltered, variants } from '../proof/index.js';
import { executeCapacity } from '../run/execute-capacity.js';
import { planCapacityRun } from '../run/plan-capacity-run.js';
import { targetOf } from '../proof/selftest/run-trial.js';
import { settingsOf } from '../proof/selftest/subjects.js';
import { resultsOf, type Results } from '../outcome/results/results.js';
import { parseScenario } from '../wire/scenario/scenario.js';

/** Uses every feature of a scenario, within the Business plan, in little more than a second. */
const SCENARIO = parseScenario(
  `
name: registry
phases:
  - { name: open, duration: 1200ms, rate: 60/s }
  - { name: closed, duration: 60ms, connections: 3 }
operations:
  - { operation: listPets, weight: 5, query: { limit: [20, 2, 5, 50], status: [available, pending, sold] } }
  - { operation: listPets, weight: 2, query: { status: [available, pending, sold] } }
  - { operation: listPets, weight: 2, query: { limit: [1, 20, 100] } }
  - { operation: listPets, weight: 1 }
  - { operation: getPet, weight: 3 }
  - { operation: createPet, weight: 2 }
keys: [business]
overLimit: allow
`,
  'registry.yaml',
);

type Subject = Parameters<typeof settingsOf>[0] & { readonly name: string };

/** Enough to fill the waits, few enough for each run to get its share of this process. */
const limit = pLimit(16);
const rows = loadLedger().requirements;

/** Runs the scenario on a server of the registry. */
const loaded = (subject: Subject, start: 'flaws' | 'variants'): Promise<Results> =>
  limit(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'petstore-load-registry-'));
    const setting = { ...settingsOf(subject), minuteSeconds: 60 };
    const server = await startAltered({ ...subject.options, minuteSeconds: 60, [start]: [subject.name] });
    try {
      const target = targetOf(server, { ...setting, suiteKey: 'business' });
      const { run, capacity } = planCapacityRun({
        target,
        scenario: SCENARIO,
        readOnly: false,
        command: 'test',
      });
      const log = await executeCapacity({
        ...run,
        plan: capacity,
        directory,
        signal: new AbortController().signal,
        onRecord: () => undefined,
      });
      return resultsOf(log, rows);
    } finally {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });

const violated = (results: Results): readonly RequirementId[] => [
  ...new Set((results.capacity?.violations ?? []).map(({ requirement }) => requirement)),
];

/** One flaw for each kind of check: status, label, JSON, shape, meaning, headers. */
const FLAWS: Readonly<Record<string, RequirementId>> = {
  'plain-listing-partial': 'list-ok',
  'limit-one-refused': 'list-limit-bounds',
  'created-with-200': 'create-ok',
  'fetch-answers-partial': 'get-ok',
  'fetch-gone': 'get-until-removal',
  'valid-key-refused-for-filters': 'auth-valid-key',
  'created-without-media-type': 'json-media-type',
  'bodies-in-latin-1': 'json-media-type',
  'listing-keyed-by-id': 'pets-array',
  'created-id-string': 'pet-shape',
  'ids-beyond-int64': 'pet-int64',
  'filter-ignored': 'list-status-filter',
  'filter-dropped-on-small-pages': 'list-filter-with-limit',
  'limit-below-default-ignored': 'list-limit-max-items',
  'default-limit-missing': 'list-limit-default',
  'animal-listed-twice': 'pet-id-unique',
  'created-ids-begin-again': 'pet-id-unique',
  'created-name-in-capitals': 'created-pet-echo',
  'fetched-old-neighbour': 'get-ok',
  'fetched-category-shifted': 'list-matches-get',
  'no-rate-headers-on-201': 'rate-headers-present',
  'limit-with-separator': 'rate-headers-wellformed',
};

/** The mix repeats itself four times: with this share of it lost, the request that shows a flaw may be, too. */
const LOST_SHARE = 0.25;

/** True if this machine was too busy to send much of the mix: then the run says so, and a flaw may not show. */
const isMuchLost = ({ capacity }: Results): boolean =>
  capacity?.phases.some(({ intended, dropped }) => dropped > LOST_SHARE * (intended ?? Infinity)) ?? false;

describe('a server with a known flaw', { concurrency: true }, () => {
  for (const [name, requirement] of Object.entries(FLAWS))
    test(`${name} violates ${requirement} under load and shows its exchange`, async () => {
      const flaw = flaws.find((each) => each.name === name);
      assert.ok(flaw);
      const results = await loaded(flaw, 'flaws');
      const found = violated(results);
      const isShown = found.includes(requirement);
      assert.ok(isShown || isMuchLost(results), `found: ${found.join(', ')}`);
      assert.deepEqual(
        found.filter((row) => !mayTurn(flaw).has(row)),
        [],
        'a row was charged that the flaw does not violate',
      );
      if (isShown) assert.equal(results.verdict, 'non-conformant');
      const known = new Set(results.exchanges.map(({ id }) => id));
      for (const { exchange, count } of results.capacity?.violations ?? [])
        assert.ok(known.has(exchange) && count > 0, 'a violation without its exchange');
    });
});

/** Refuses the names of a load. It sends no other ones that would show why: only the suites do. */
const REFUSES_NAMES = 'names-of-twenty-at-most';

describe('a correct server', { concurrency: true }, () => {
  // A load run uses the real date: variants with another date do not apply.
  for (const variant of variants.filter(({ name, asOf }) => asOf === undefined && name !== REFUSES_NAMES))
    test(`${variant.name} has no violations under load`, async () => {
      const results = await loaded(variant, 'variants');
      assert.deepEqual(
        results.capacity?.violations.map(({ requirement, message }) => `${requirement}: ${message}`) ?? [],
        [],
      );
      assert.notEqual(results.verdict, 'non-conformant');
    });

  test('a warning is no violation: its row warns, and no response counts against a threshold', async () => {
    const marked = variants.find(({ name }) => name === 'byte-order-mark');
    assert.ok(marked);
    const results = await loaded(marked, 'variants');
    const row = results.requirements.find(({ id }) => id === 'json-media-type');
    assert.equal(row?.outcome, 'warned');
    assert.match(row.findings[0]?.message ?? '', /byte order mark/);
    const counted = results.capacity?.phases.map(({ violations }) => violations) ?? [];
    assert.deepEqual(
      counted.filter((count) => count > 0),
      [],
    );
  });
});
