import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, outOfScope } from '../../judge/findings/finding.js';
import { loadLedger } from '../../base/interface/ledger.js';
import type { OperationName } from '../../base/interface/types.js';
import { NOTHING_RUN, type KeySeries, type LimitRecord } from '../../judge/limits/series.js';
import { conclude } from './conclude.js';
import { NOTHING } from '../limits/cost.js';
import type { LoadPlan } from './plan-load.js';

const FIGURES = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };
const OPERATIONS: readonly OperationName[] = ['listPets', 'createPet', 'getPet'];

const IDLE: KeySeries = {
  key: 'free',
  figures: FIGURES,
  exclusive: true,
  aloneSince: 0,
  ...NOTHING_RUN,
};

/** One 429 without an Error body. */
const RECORD: LimitRecord = {
  keys: [IDLE],
  refusalBodies: [{ operation: 'listPets', error: false }],
  operations: OPERATIONS,
};

const PLAN: LoadPlan = {
  profiles: [{ profile: 'burst', key: 'free', requests: 61, seconds: 1, more: NOTHING }],
  requests: 61,
  seconds: 1,
  more: NOTHING,
  findings: [],
};

const row = loadLedger().byId('rate-429-error-body');

/** Returns the findings on the 429 if some operations are marked as unstable. */
const concluded = (marked: readonly OperationName[]) =>
  conclude(RECORD, PLAN, [row], false, {
    markers: Object.fromEntries(marked.map((operation) => [operation, 'beta' as const])),
  });

test('a violation under load fails unless all operations of its requirement are unstable', () => {
  for (const marked of [[], ['getPet'], ['listPets', 'getPet']] as const) {
    const [finding] = concluded(marked);
    assert.ok(finding?.kind === 'violated' && finding.warns === undefined, marked.join());
  }
  const [finding] = concluded(OPERATIONS);
  assert.ok(finding?.kind === 'violated' && finding.warns);
});

test('a row of a key that was asked and showed nothing is open, whatever was left out with other keys', () => {
  const parallel = loadLedger().byId('rate-concurrent');
  const plan: LoadPlan = {
    ...PLAN,
    profiles: [{ profile: 'window', key: 'free', requests: 66, seconds: 60, more: NOTHING }],
    findings: [about(parallel.id, outOfScope('no-key', 'the plan pro (no key was given)'))],
  };
  const open = conclude(RECORD, plan, [parallel], false, { markers: {} });
  assert.deepEqual(
    open.map(({ kind }) => kind),
    ['inconclusive'],
  );
  assert.deepEqual(conclude(RECORD, { ...plan, profiles: [] }, [parallel], false, { markers: {} }), []);
});
