import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suitesCost } from './cost.js';
import { plannedEmbedded } from './embedded.js';
import { planRun } from './plan-run.js';
import { rehearse } from './rehearse.js';
import { testedRows } from './select.js';

/** Largest relative error of an estimate. */
const NEAR = 0.1;

const target = plannedEmbedded({});

for (const suiteKey of ['free', 'enterprise'] as const)
  for (const [asOf, writes] of [
    ['2026-11-20', true],
    ['2026-11-20', false],
    ['2031-01-01', true],
    ['2031-01-01', false],
  ] as const)
    test(`the estimate for the ${suiteKey} key, ${asOf}, writes ${writes ? 'on' : 'off'}, equals a rehearsal`, async () => {
      const { request } = planRun({
        target: { ...target, suiteKey },
        asOf,
        readOnly: !writes,
        command: '',
        now: 0,
      });
      const estimate = await suitesCost(request);
      const rehearsal = await rehearse(request, testedRows(request));
      for (const part of ['withKey', 'withoutKey'] as const)
        assert.ok(
          Math.abs(estimate[part] - rehearsal[part]) <= NEAR * rehearsal[part],
          `${part}: ${estimate[part]} estimated, ${rehearsal[part]} sent`,
        );
    });
