import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import * as fc from 'fast-check';
import type { RequirementId } from '../../base/interface/types.js';
import type { Finding } from '../../judge/findings/finding.js';
import {
  exampleLog,
  exampleResults,
  fault,
  inconclusive,
  notApplicable,
  violated,
  type ExampleChanges,
} from '../../report/example-run.test.support.js';
import { boundsOf, risksLeft, verdictText } from './bounds.js';
import { loadLedger } from '../../base/interface/ledger.js';
import { historyRun } from '../acceptance/history.js';
import { resultsOf } from '../results/results.js';
import { requiredCountOf } from './required-count.js';
import { verdictClause } from './verdict-sentence.js';

const { scope, target } = exampleLog().header;
const ALL = requiredCountOf(exampleResults()).inScope;
const NAME = 'Pet Store Service Interface 1.0.0';
const selected = (...ids: readonly RequirementId[]): ExampleChanges => ({
  header: { scope: { ...scope, selection: { requirements: ids }, selected: ids } },
});

/** Returns a run whose baseline accepts violations of these rows. */
const accepting = (ids: readonly RequirementId[], changes: ExampleChanges = {}): ExampleChanges => ({
  ...changes,
  header: {
    acceptance: {
      certificate: false,
      baseline: true,
      accepted: ids.map((requirement, index) => ({
        requirement,
        outcome: 'failed' as const,
        reason: 'agreed',
        link: 'https://tracker.example.com/1',
        expires: `2026-12-2${index}`,
      })),
    },
  },
});

/** Returns a violation that only warns, as a 5xx where the interface is silent. */
const warning = (requirement: RequirementId): Finding => ({
  kind: 'violated',
  requirement,
  message: 'the target answers 500',
  warns: true,
  exchanges: ['x1'],
});

/** Returns the verdict of an interrupted run. */
const short = (findings: ExampleChanges['findings'] = []): string =>
  verdictClause(exampleResults({ footer: false, findings }));

describe('the verdict as one quotable sentence', () => {
  const cases: readonly (readonly [string, ExampleChanges, string])[] = [
    ['states that all hold', {}, `staging conforms to ${NAME}: all ${ALL} required behaviours in scope hold`],
    [
      'states one failure',
      { findings: [violated('list-ok')] },
      `staging does not conform to ${NAME}: 1 of ${ALL} required behaviours fails`,
    ],
    [
      'states two failures and one inconclusive requirement',
      { findings: [violated('list-ok'), violated('create-ok'), inconclusive('get-ok')] },
      `staging does not conform to ${NAME}: 2 of ${ALL} required behaviours fail, 1 could not be determined`,
    ],
    [
      'states one accepted deviation',
      accepting(['list-ok'], { findings: [violated('list-ok')] }),
      `staging conforms to ${NAME} with 1 accepted deviation (until 2026-12-20): ${ALL - 1} of ${ALL} required behaviours in scope hold`,
    ],
    [
      'states two accepted deviations with different dates',
      accepting(['list-ok', 'create-ok'], { findings: [violated('list-ok'), violated('create-ok')] }),
      `staging conforms to ${NAME} with 2 accepted deviations (the first until 2026-12-20): ${ALL - 2} of ${ALL} required behaviours in scope hold`,
    ],
    [
      'states one failure and one accepted deviation',
      accepting(['list-ok'], { findings: [violated('list-ok'), violated('create-ok')] }),
      `staging does not conform to ${NAME}: 1 of ${ALL} required behaviours fails, 1 deviates as accepted`,
    ],
    [
      'states one accepted deviation and one inconclusive requirement',
      accepting(['list-ok'], { findings: [violated('list-ok'), inconclusive('create-ok')] }),
      `staging does not conform to ${NAME}: 1 of ${ALL} required behaviours deviates as accepted, 1 could not be determined`,
    ],
    [
      'states one inconclusive requirement',
      { findings: [inconclusive('list-ok')] },
      `staging has not been shown to conform to ${NAME}: 1 of ${ALL} required behaviours could not be determined, and none of the others fails`,
    ],
    [
      'states a violation that only warns, without a cause: there are several',
      { findings: [warning('list-ok')] },
      `staging conforms to ${NAME}: ${ALL - 1} of ${ALL} required behaviours in scope hold, 1 has a warning`,
    ],
    [
      'states an error of the kit',
      { findings: [fault('list-ok')] },
      'staging has no verdict: the kit itself failed at list-ok, not the target',
    ],
    [
      'states the pass of one selected requirement',
      selected('list-ok'),
      `staging conforms to the selected part of ${NAME}: the one required behaviour that was selected holds`,
    ],
    [
      'states one failure in a selection',
      { ...selected('list-ok', 'get-ok'), findings: [violated('list-ok')] },
      `staging does not conform to ${NAME}: 1 of 2 selected required behaviours fails`,
    ],
    [
      'states one inconclusive requirement in a selection',
      { ...selected('list-ok', 'get-ok'), findings: [inconclusive('list-ok')] },
      `staging has not been shown to conform to the selected part of ${NAME}: 1 of 2 selected required behaviours could not be determined, and none of the others fails`,
    ],
    [
      'states a selection without "must" requirements',
      selected('list-order'),
      `staging has no violation in the selected part of ${NAME}, which has no required behaviour`,
    ],
  ];
  for (const [name, changes, expected] of cases)
    it(name, () => assert.equal(verdictClause(exampleResults(changes)), expected));

  it('first states that a run was interrupted, and never that it conforms', () => {
    assert.match(short(), /^The run was cut short, so staging has not been shown to conform to /);
    assert.match(
      short([violated('list-ok')]),
      /^The run was cut short, but it shows that staging does not conform to /,
    );
    assert.equal(
      verdictClause(exampleResults({ fault: 'TypeError: x is undefined' })),
      'The run was cut short, and staging has no verdict: the kit itself failed, not the target',
    );
    assert.match(short([fault('list-ok')]), /^The run was cut short, and staging has no verdict: /);
  });

  it('states that nothing could be judged', () => {
    const open = exampleResults().requirements.map(({ id }) => inconclusive(id));
    assert.match(
      verdictClause(exampleResults({ findings: open })),
      /: none of \d+ required behaviours could be determined$/,
    );
  });
});

describe('the limits of a verdict', () => {
  const everyPlan = { ...scope, plans: ['free', 'pro', 'business', 'enterprise'] as const };
  const bare = "not tested: bans and the day's quota (opt-in)";
  const cases: readonly (readonly [string, ExampleChanges, readonly string[]])[] = [
    ['name missing opt-ins', { header: { scope: everyPlan } }, [bare]],
    [
      'name plans without a key',
      {},
      ["not tested: the plans Pro and Enterprise (no key), bans and the day's quota (opt-in)"],
    ],
    [
      'name writes that were off',
      { header: { scope: { ...everyPlan, writes: false } } },
      ["not tested: creations (writes were off), bans and the day's quota (opt-in)"],
    ],
    [
      'name short windows',
      { header: { scope: everyPlan, target: { ...target, windows: { minute: 2, day: 60 } } } },
      ['tested with a 2-second rate window, not the real 60 s', bare],
    ],
    [
      'name a selection without plans that it does not need',
      selected('list-ok', 'get-ok'),
      [`only 2 of ${exampleResults().requirements.length} requirements were selected`],
    ],
    [
      'name a selection of plans',
      { header: { scope: { ...scope, plans: ['free'], selection: { plans: ['free'] } } } },
      ['only the plan Free was selected', bare],
    ],
    [
      'name a selection of requirements and plans',
      {
        header: {
          scope: {
            ...scope,
            plans: ['free', 'pro'],
            selection: { only: 'load', plans: ['free'] },
            selected: ['rate-429'],
          },
        },
      },
      [
        `only 1 of ${exampleResults().requirements.length} requirements and the plan Free were selected`,
        'not tested: endpoints (21 required behaviours)',
      ],
    ],
  ];
  for (const [name, changes, expected] of cases)
    it(name, () => assert.deepEqual(boundsOf(exampleResults(changes)), expected));

  it('follow the verdict as sentences', () => {
    assert.match(
      verdictText(exampleResults(selected('list-ok'))),
      /: the one required behaviour that was selected holds\. Only 1 of \d+ requirements was selected\.$/,
    );
  });
});

describe('the count of "must" requirements', () => {
  it('covers every outcome, in scope and out of scope', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(4)), (choices) => {
        const made = [violated, inconclusive, fault, notApplicable];
        const findings = exampleResults().requirements.flatMap(({ id }) => {
          const make = made[choices.next().value ?? 0];
          return make ? [make(id)] : [];
        });
        const results = exampleResults({ findings });
        const {
          inScope,
          outOfScope,
          passed,
          failed,
          inconclusive: open,
          warned,
          faults,
        } = requiredCountOf(results);
        assert.equal(passed + failed + open + warned + faults, inScope);
        assert.equal(
          inScope + outOfScope,
          results.requirements.filter(({ level }) => level === 'must').length,
        );
      }),
      { numRuns: 20 },
    );
  });
});

const withSkew = (clockSkewMs: number | null) =>
  resultsOf(
    {
      ...exampleLog(),
      preflight: {
        reachableMs: 1,
        keyAccepted: true,
        plan: 'free',
        limitSeen: '60',
        clockSkewMs,
        animals: 48,
        animalsComplete: true,
        plannedRequests: 54,
        plannedSeconds: 4,
        remarks: [],
      },
    },
    loadLedger().requirements,
  );

describe('a clock that is wrong', () => {
  it('by more than a minute is in the sentence and in the history', () => {
    for (const [skewMs, words] of [
      [301_400, "the target's clock is 5 min ahead"],
      [-7_200_000, "the target's clock is 2 h behind"],
    ] as const) {
      const results = withSkew(skewMs);
      assert.ok(boundsOf(results).includes(words), boundsOf(results).join());
      assert.match(verdictText(results), new RegExp(`The ${words.slice(4)}\\.`));
      assert.equal(historyRun('a', results).clock, words);
    }
  });

  it('by less is not', () => {
    for (const skewMs of [null, 0, 59_000, -60_000]) assert.equal(withSkew(skewMs).clockOffMs, undefined);
  });
});

describe('the largest gap', () => {
  const { requirements } = exampleResults();
  const OPT_IN = /^ban-|^rate-day-quota$/;
  const ofLoad = loadLedger().requirements.filter(({ judgedBy }) => judgedBy.kind === 'load');
  const without = (ids: readonly RequirementId[], selection: NonNullable<typeof scope.selection>) =>
    exampleResults({
      header: {
        scope: {
          ...scope,
          selection,
          selected: requirements.flatMap(({ id }) => (ids.includes(id) ? [] : [id])),
        },
      },
    });

  it('takes the rest of what was not tested into its clause', () => {
    const ids = ofLoad.map(({ id }) => id);
    const results = without(ids, { only: 'suites' });
    const bounds = boundsOf({ ...results, scope: { ...results.scope, writes: false } });
    const [words, ...more] = bounds.filter((bound) => bound.startsWith('not tested'));
    assert.match(
      words ?? '',
      /^not tested: the rate limit under load \(.*\), creations \(writes were off\)$/,
    );
    assert.deepEqual(more, []);
  });

  it('of a run of the suites is the rate limit under load, before anything smaller', () => {
    const results = without(
      ofLoad.map(({ id }) => id),
      { only: 'suites' },
    );
    const musts = ofLoad.filter(({ id, level }) => level === 'must' && !OPT_IN.test(id)).length;
    const words = `the rate limit under load (${musts} required behaviours)`;
    assert.equal(boundsOf(results)[1], `not tested: ${words}`);
    assert.equal(risksLeft(results)[0], words);
  });

  it('is not said of single requirements, whose number stands before it', () => {
    const ids = ofLoad.map(({ id }) => id);
    for (const some of [{ requirements: ['list-ok'] }, { lastFailed: true }]) {
      const bounds = boundsOf(without(ids, { only: 'suites', ...some }));
      assert.doesNotMatch(bounds.join(), /the rate limit under load/);
    }
  });

  it('of one requirement names it', () =>
    assert.ok(
      risksLeft(without(['environments-agree'], { requirements: ['list-ok'] })).includes(
        'versioning (environments-agree)',
      ),
    ));

  it('of a selection of requirements is named by part, the largest first', () => {
    const [first = '', second = ''] = risksLeft(
      without(
        requirements.flatMap(({ id }) => (id === 'list-ok' ? [] : [id])),
        { requirements: ['list-ok'] },
      ),
    );
    assert.match(first, /^endpoints \(\d+ required behaviours\)$/);
    assert.match(second, /^the rate limit \(\d+ required behaviours\)$/);
  });

  it('is none where everything was selected', () =>
    assert.doesNotMatch(verdictText(exampleResults()), /required behaviours\)/));
});

test('a label that says “build” is not called a build twice', () => {
  for (const [label, words] of [
    ['7', '(build 7)'],
    ['build 7', '(build 7)'],
    ['Build-7', '(Build-7)'],
    ['builder', '(build builder)'],
  ] as const)
    assert.ok(verdictText(exampleResults({ header: { label } })).includes(`staging ${words}`), label);
});

test('a web page in place of a listing fails its row in the text only if the row is selected', () => {
  const obstacle = { code: 'web-page', short: 'a page', message: 'A page.', hint: 'Correct it.' } as const;
  const textOf = (changes: ExampleChanges): string => {
    const log = exampleLog(changes);
    const footer = log.footer && { ...log.footer, complete: false, obstacle };
    return verdictText(resultsOf({ ...log, footer }, loadLedger().requirements));
  };
  assert.match(textOf({}), /so json-media-type fails\. Nothing else was judged\.$/);
  assert.match(textOf(selected('json-media-type', 'list-ok')), /so json-media-type fails\./);
  assert.match(textOf(selected('list-ok')), /Correct it\. Nothing was judged\.$/);
});
