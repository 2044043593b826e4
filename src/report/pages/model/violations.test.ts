import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanName, RequirementId } from '../../../base/interface/types.js';
import type { Finding } from '../../../judge/findings/finding.js';
import { renderPage } from '../render-page.js';
import { wholeLoad } from '../synthetic/load.test.support.js';
import { inputOf } from '../synthetic/run.test.support.js';
import { drawnViolations, withViolations } from './violations.js';
import { chartsOf } from './window.js';

const broken = (requirement: RequirementId, plan: PlanName, message: string): Finding => ({
  kind: 'violated',
  requirement,
  message,
  plan,
  exchanges: [],
});

const input = inputOf({
  load: wholeLoad(),
  findings: [
    broken('rate-concurrent', 'free', 'The free plan gets more than its allowance with parallel requests.'),
    broken('rate-retry-after-honoured', 'pro', 'The pro plan is refused after Retry-After.'),
    broken('rate-per-key', 'business', 'The business plan gets less.'),
  ],
});

test('a violation is drawn only at its own profile, time and plan', () => {
  const drawn = chartsOf(input.log, 'window').map((chart) => {
    const violations = drawnViolations(chart, input.log, input.document.rows);
    const marks = withViolations(chart, violations).marks.filter(({ kind }) => kind === 'violation');
    return [
      chart.plan,
      violations.map(({ id, profile }) => `${id} ${profile.profile}`),
      marks.length,
    ] as const;
  });
  assert.deepEqual(drawn, [
    ['free', ['rate-concurrent concurrent'], 1],
    ['pro', ['rate-retry-after-honoured recovery'], 1],
    // No single time shows it, and it gets none of the burst's marks.
    ['business', ['rate-per-key burst'], 0],
    ['enterprise', [], 0],
  ]);
});

test('the page shows a violation in the sentence and in the plot', () => {
  const limits = /<section id="limits">.*?<\/section>/s.exec(renderPage(input))?.[0] ?? '';
  assert.equal(limits.match(/glyph-failed/g)?.length, 5, 'three sentences and two rows of tables');
  assert.match(limits, /class="mark mark-violation"/);
  assert.doesNotMatch(
    /<section id="limits">.*?<\/section>/s.exec(renderPage(inputOf({ load: wholeLoad() })))?.[0] ?? '',
    /glyph-failed|mark-violation/,
  );
});
