import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import type { ReasonCode } from '../../judge/findings/finding.js';
import {
  exampleResults,
  inconclusive,
  notApplicable,
  type ExampleChanges,
} from '../../report/example-run.test.support.js';
import {
  byKindOfReason,
  byReason,
  isBeyondOneRun,
  leftOutSentences,
  reasonText,
  remedyOf,
} from './reasons.js';

const rowsOf = (findings: ExampleChanges['findings'] = []) => exampleResults({ findings }).requirements;
const row = (id: string, findings: ExampleChanges['findings'] = []) => {
  const found = rowsOf(findings).find((one) => one.id === id);
  assert.ok(found);
  return found;
};

const reason = (text: string): string => reasonText({ reason: { code: 'removal-date', text } });

/** Returns three out-of-scope rows, with different wordings of one kind of reason. */
const aside = (texts: readonly string[]) =>
  byKindOfReason(
    (['list-ok', 'get-ok', 'create-ok'] as const).flatMap((id, index) => {
      const text = texts[index];
      return text === undefined ? [] : [row(id, [notApplicable(id, 'writes-off', text)])];
    }),
  ).map(({ text, requirements }) => [text, requirements.map(({ id }) => id)]);

const CODES = [
  'too-little-data',
  'slow-responses',
  'machine-busy',
  'rate-limited',
  'thrift',
  'prerequisite',
  'transport',
] as const;

const REMEDIES: readonly (readonly [part: string, id: RequirementId, code: ReasonCode, remedy: RegExp])[] = [
  ['the suites', 'list-ok', 'transport', /why the server does not respond$/],
  ['the limits', 'rate-429', 'transport', /why those requests failed$/],
  ['the limits', 'rate-window', 'too-little-data', /^run again; the next window may show it$/],
  ['the limits', 'rate-not-early', 'slow-responses', /nearer to the server/],
  ['the limits', 'rate-429', 'machine-busy', /idle machine/],
  ['the limits', 'rate-429', 'rate-limited', /whose day is not used up/],
  ['the limits', 'rate-429', 'thrift', /day is unused/],
  ['the limits', 'rate-day-quota', 'prerequisite', /whose day can be used up/],
  ['the suites', 'list-limit-default', 'thrift', /larger plan/],
  ['the suites', 'get-ok', 'too-little-data', /nobody changes the animals/],
  ['the suites', 'environments-agree', 'too-little-data', /judged the same requirements/],
  ['the suites', 'list-status-filter', 'store-too-small', /allow writes where they are off/],
];

describe('reasons of requirements', () => {
  it('of what a load leaves out are sentences, once each', () => {
    const findings = [
      notApplicable('rate-day-quota', 'opt-in', 'The profile day-quota runs only with --include day-quota.'),
      notApplicable('ban-observed', 'opt-in', 'The profile day-quota runs only with --include day-quota.'),
      notApplicable('rate-429', 'no-key', 'the plans pro, business (no key was given)'),
    ];
    assert.deepEqual(leftOutSentences({ findings }), [
      'The profile day-quota runs only with --include day-quota.',
      'No load for the plans pro, business (no key was given).',
    ]);
  });

  it('appear once each, most frequent first', () => {
    const findings = [
      inconclusive('list-ok', 'one.'),
      inconclusive('get-ok', 'two'),
      inconclusive('create-ok', 'two'),
    ];
    const open = rowsOf(findings).filter(({ outcome }) => outcome === 'inconclusive');
    assert.deepEqual(
      byReason(open).map(({ text, remedy, requirements }) => [
        text,
        remedy,
        requirements.map(({ id }) => id),
      ]),
      [
        ['two', 'run again while nobody changes the animals', ['create-ok', 'get-ok']],
        ['one', 'run again while nobody changes the animals', ['list-ok']],
      ],
    );
  });

  it('of the same kind are merged if there are many', () => {
    assert.deepEqual(aside(['one', 'two']), [
      ['one', ['list-ok']],
      ['two', ['get-ok']],
    ]);
    assert.deepEqual(aside(['one', 'two', 'three']), [['writes off', ['list-ok', 'get-ok', 'create-ok']]]);
  });

  it('complete a sentence that begins with the outcome', () => {
    assert.equal(reason('before 2030-12-05.'), 'before 2030-12-05');
    assert.equal(reasonText({}), 'no response in this run shows it');
    assert.equal(reason(''), 'not at this date');
  });

  it('that hold in every run are separate from reasons of this run', () => {
    assert.ok(isBeyondOneRun(row('key-issuing')));
    assert.ok(isBeyondOneRun(row('environments-agree')));
    assert.equal(isBeyondOneRun(row('ban-observed')), false);
    assert.equal(isBeyondOneRun(row('list-ok', [notApplicable('list-ok')])), false);
  });

  it('have a valid remedy', () => {
    assert.equal(remedyOf(row('environments-agree')), 'compare the runs of two targets');
    assert.equal(remedyOf(row('ban-observed')), 'add the option; it costs a key, or the requests of a day');
    assert.equal(remedyOf(row('key-issuing')), null);
  });

  for (const [part, id, code, remedy] of REMEDIES)
    it(`have a remedy that can help: ${code} in ${part}`, () =>
      assert.match(
        remedyOf({ id, part: part === 'the limits' ? 8 : 4, reason: { code, text: 'x' } }) ?? '',
        remedy,
      ));

  it('name an idle machine only where this machine was too busy', () => {
    for (const { id, part } of rowsOf())
      for (const code of CODES)
        if (code !== 'machine-busy')
          assert.doesNotMatch(
            remedyOf({ id, part, reason: { code, text: 'x' } }) ?? '',
            /idle|longer window/,
            `${id}: ${code}`,
          );
  });
});
