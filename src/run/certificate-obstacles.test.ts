import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FULL_WINDOWS } from '../base/interface/plans.js';
import { certificateObstacles } from './certificate-obstacles.js';
import { describePlan } from './describe-plan.js';
import { plannedEmbedded } from './embedded.js';
import { planRun } from './plan-run.js';

const NOW = '2026-11-20T10:00:00.000Z';
const embedded = plannedEmbedded({});
const target = { ...embedded, windows: { ...embedded.windows, ...FULL_WINDOWS } };
const { free, pro } = target.keys;
assert.ok(free && pro);

type PlanOptions = Parameters<typeof planRun>[0];
type Given = 'target' | 'readOnly';
type Options = Partial<Pick<PlanOptions, Given>> & Omit<PlanOptions, Given | 'command' | 'now'>;

const planned = (changes: Options, baseline = false) =>
  planRun({
    target,
    readOnly: false,
    acceptance: { certificate: true, baseline },
    command: '',
    now: Date.parse(NOW),
    ...changes,
  });

const CASES: readonly (readonly [what: string, changes: Options, reason: RegExp, baseline?: boolean])[] = [
  [
    'one key',
    { target: { ...target, keys: { free }, suiteKey: 'free' } },
    /two plans, but only the free key is given\. Add a Pro or Business or Enterprise key\.$/,
  ],
  ['one plan', { plan: ['pro'] }, /only the pro key is given/],
  ['a shorter minute', { target: embedded }, /windows are .* not those of the interface, 60 s and 86,400 s/],
  [
    'a shorter day',
    { target: { ...target, windows: { ...target.windows, day: 600 } } },
    /windows are 60 s and 600 s/,
  ],
  ['shared keys', { target: { ...target, exclusive: false } }, /leave out exclusive: false/],
  ['no writes', { readOnly: true }, /Writes are off/],
  ['production', { target: { ...target, production: true } }, /--allow-load-on-production/],
  ['a selection', { only: 'suites' }, /Only a selection/],
  ['another day', { asOf: '2031-01-01' }, /as of 2031-01-01\. Leave out --as-of/],
  ['a baseline', {}, /Leave out --baseline/, true],
];

for (const [what, changes, reason, baseline] of CASES)
  test(`a certificate is known before the run to be impossible with ${what}`, () => {
    const { request } = planned(changes, baseline);
    const reasons = certificateObstacles(request, NOW);
    assert.ok(
      reasons.some((text) => reason.test(text)),
      reasons.join('\n'),
    );
    const without = { ...request, acceptance: { certificate: false, baseline: false } };
    assert.deepEqual(certificateObstacles(without, NOW), []);
  });

test('nothing stands in the way of two plans with real windows, on any clock of the operator', () => {
  const two = { ...target, keys: { free, pro }, suiteKey: 'pro' } as const;
  for (const asOf of ['2026-11-19', '2026-11-20', '2026-11-21'])
    assert.deepEqual(certificateObstacles(planned({ target: two, asOf }).request, NOW), [], asOf);
});

test('a dry run says all of them', async () => {
  const lines = await describePlan(planned({ target: { ...embedded, exclusive: false } }), false);
  const [first, second] = lines.filter((line) => line.includes('not from this run'));
  assert.match(first ?? '', /^certificate +not from this run: The windows/);
  assert.match(second ?? '', /^ +not from this run: The keys are shared/);
});
