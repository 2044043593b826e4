import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { comparisonSentence } from '../../report/comparison-sentence.js';
import type { Finding } from '../../judge/findings/finding.js';
import type { RequirementId } from '../../base/interface/types.js';
import { exampleLog, exampleResults, inconclusive, violated } from '../../report/example-run.test.support.js';
import { requiredCountOf } from '../words/required-count.js';
import { compareResults, hasNewFailure } from './compare.js';

/** Returns a run of a night in which a server passed, apart from these findings. */
const night = (day: number, findings: readonly Finding[]) =>
  exampleResults({ header: { startedAt: `2026-11-0${day}T03:00:00.000Z` }, findings });

/** Returns a run in which list-ok passed, apart from parts that were not tried. */
const passed = (...parts: readonly string[]) =>
  exampleResults({
    findings: [
      { kind: 'kept', requirement: 'list-ok', exchanges: ['x1'] },
      ...parts.map((what): Finding => ({ kind: 'untried', requirement: 'list-ok', what })),
    ],
  });

const at = (startedAt: string) => exampleResults({ header: { startedAt } });

/** Returns the kinds of the changes of one row. */
const kindsOf = (id: RequirementId, ...[before, after, more]: Parameters<typeof compareResults>) =>
  compareResults(before, after, more).changes.flatMap((change) => (change.id === id ? [change.kind] : []));

describe('a row is compared with its own last judged outcome', () => {
  const [green, dead] = [night(1, []), night(2, [inconclusive('list-ok'), inconclusive('get-ok')])];
  const earlier = () => [green];

  test('in a run before the one that could not judge it', () => {
    const bug = night(3, [violated('list-ok')]);
    const comparison = compareResults(dead, bug, { earlier });
    assert.deepEqual(
      comparison.changes.map(({ id, kind, before }) => [id, kind, before]),
      [['list-ok', 'newly-failing', 'passed']],
      'nothing is newly tested, and nothing fails when first tested',
    );
    assert.match(comparisonSentence(comparison), /is worse than .*: newly failing: list-ok\.$/);
    assert.deepEqual(comparison.remarks, [
      'The earlier run did not judge 2 requirements: they are compared with their last result in another run.',
    ]);
    assert.equal(comparison.sides.get('list-ok')?.beforeIn, green);
  });

  test('and never is a run better that fails a row for the first time', () => {
    const was = night(2, [violated('create-ok'), inconclusive('list-ok')]);
    const comparison = compareResults(was, night(3, [violated('list-ok')]));
    assert.equal(hasNewFailure(comparison), true);
    assert.match(
      comparisonSentence(comparison),
      /differs from .*failing when first tested: list-ok; fixed: create-ok/,
    );
  });

  test('but two runs that could not judge it show no change', () => {
    const again = night(3, [inconclusive('list-ok')]);
    assert.deepEqual(kindsOf('list-ok', dead, again, { earlier }), []);
    assert.deepEqual(kindsOf('list-ok', green, again), ['newly-open']);
  });

  test('and neither in another environment nor under load', () => {
    const elsewhere = {
      ...green,
      target: { ...green.target, name: 'production', baseUrl: 'http://b.test/v1' },
    };
    assert.deepEqual(kindsOf('list-ok', dead, elsewhere, { earlier }), ['newly-tested']);
  });
});

const usual = () => [passed('more than 20 animals (12 there)')];

describe('reduced coverage', () => {
  const broken = exampleResults({ findings: [violated('list-ok')] });

  test('that is usual for the row confirms that it is fixed', () => {
    const now = passed('more than 20 animals (14 there)');
    assert.deepEqual(kindsOf('list-ok', broken, now, { earlier: usual }), ['newly-passing']);
    assert.deepEqual(kindsOf('list-ok', broken, now), ['newly-passing']);
    assert.deepEqual(kindsOf('list-ok', broken, now, { earlier: () => [passed()] }), ['not-confirmed']);
  });

  test('beyond the usual does not', () => {
    const now = passed('more than 20 animals (14 there)', 'a filter');
    const { changes } = compareResults(broken, now, { earlier: usual });
    assert.deepEqual(
      changes.map(({ kind, why }) => [kind, why]),
      [['not-confirmed', 'not tested: a filter']],
    );
  });

  test('or no judgement leaves a failure unconfirmed, and is not less certain', () => {
    const all = exampleResults({
      findings: [violated('list-ok'), violated('get-ok'), violated('create-ok')],
    });
    const some = exampleResults({ findings: [inconclusive('list-ok')] });
    assert.match(
      comparisonSentence(compareResults(all, some)),
      /is better than .*: fixed: create-ok and get-ok; not confirmed as fixed: list-ok \(.*\)\.$/,
    );
  });
});

describe('what two runs did not both judge', () => {
  const { scope } = exampleLog().header;
  const only = (...selected: readonly RequirementId[]) =>
    exampleResults({ header: { scope: { ...scope, selection: { requirements: selected }, selected } } });
  const whole = exampleResults();

  test('is not called the same', () => {
    const required = requiredCountOf(whole).passed;
    assert.match(
      comparisonSentence(compareResults(whole, only('list-ok'))),
      new RegExp(
        `is the same as .* in the 1 requirement judged in both; ${required - 1} required behaviours no longer tested\\.$`,
      ),
    );
    assert.match(
      comparisonSentence(compareResults(only('list-ok'), whole)),
      new RegExp(
        `is the same as .* in the 1 requirement judged in both; ${required - 1} required behaviours tested now only\\.$`,
      ),
    );
  });

  test('cannot be compared where it is everything', () =>
    assert.match(
      comparisonSentence(compareResults(only('list-ok'), only('get-ok'))),
      /cannot be compared with .*: no requirement was judged in both/,
    ));

  test('and runs in the wrong order of time are told', () => {
    const [old, recent] = [at('2026-11-01T03:00:00.000Z'), at('2026-11-02T03:00:00.000Z')];
    assert.deepEqual(compareResults(old, recent).remarks, []);
    assert.match(compareResults(recent, old).remarks.join(), /^The first run started after the second/);
    assert.match(
      comparisonSentence(compareResults(recent, old)),
      /^The older run was given second: .* is the same as the run on 2026-11-02 03:00 UTC/,
    );
    assert.doesNotMatch(comparisonSentence(compareResults(old, recent)), /older run/);
    assert.match(
      comparisonSentence(compareResults(night(2, [violated('list-ok')]), night(1, []))),
      /^The older run was given second: .* is better than/,
      'a regression does not begin as an improvement',
    );
    assert.doesNotMatch(
      comparisonSentence(
        compareResults(recent, {
          ...old,
          target: { ...old.target, name: 'production', baseUrl: 'http://b.test/v1' },
        }),
      ),
      /older run/,
      'two targets have no order of time',
    );
  });
});
