import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import type { RequirementId } from '../../base/interface/types.js';
import { startReference } from '../../reference/index.js';
import { likelyCauses } from '../../report/causes/likely.js';
import { readProof } from '../../report/proof.js';
import { runWithoutPlaywright } from '../../drive/suite/plain-host.js';
import { resultsOf } from '../../outcome/results/results.js';
import { targetOf } from './run-trial.js';

const known = readProof()?.flaws ?? [];
const setting = { minuteSeconds: 60 };

/** Returns the mistakes named for a server: among all known ones, and without its own by measurement alone. */
async function named(
  start: NonNullable<Parameters<typeof startReference>[0]>,
  selected: readonly RequirementId[] | null = null,
) {
  const server = await startReference({ ...setting, ...start });
  try {
    const log = await runWithoutPlaywright(targetOf(server, setting), { selected });
    const results = resultsOf(log, loadLedger().requirements);
    const among = (flaws: typeof known): readonly string[] =>
      likelyCauses(results, log.exchanges, flaws).flatMap((cause) => cause.flaws.map(({ name }) => name));
    return { all: among(known), others: among(known.filter(({ name }) => !start.flaws?.includes(name))) };
  } finally {
    await server.close();
  }
}

const MISTAKES = [
  'default-limit-missing',
  'no-rate-headers-on-404',
  'category-as-int32',
  'created-id-string',
  'filter-ignored',
  'limit-one-refused',
  'error-status-string',
  'basic-accepted',
  'listing-wrapped',
] as const;

test('a known flaw is named on any store size; an unknown one is not misnamed', async () => {
  for (const [at, flaw] of MISTAKES.entries()) {
    const { all, others } = await named({ flaws: [flaw], animals: at % 2 === 0 ? 30 : 75 });
    assert.deepEqual(all, [flaw]);
    // The commonest mistakes are named by what was measured, known or not.
    assert.deepEqual(
      others.filter((name) => name !== flaw),
      [],
      `without ${flaw}`,
    );
  }
});

test('a selection of requirements names no wrong flaw', async () => {
  for (const flaw of [...MISTAKES, 'category-as-double']) {
    const { turns = [] } = known.find(({ name }) => name === flaw) ?? {};
    for (const row of turns) {
      const { all: names } = await named({ flaws: [flaw], animals: 30 }, [row]);
      assert.ok(names.length === 0 || names.includes(flaw), `${flaw}, ${row} only: ${names.join()}`);
    }
  }
});

test('only existing flaws are named if a server has several', async () => {
  const flaws = ['no-rate-headers-on-404', 'created-id-string', 'limit-one-refused', 'basic-accepted'];
  const { all: names } = await named({ flaws, animals: 30 });
  assert.deepEqual(
    names.filter((name) => !flaws.includes(name)),
    [],
  );
  assert.ok(names.length >= 3, names.join());
});
