import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  exampleResults,
  inconclusive,
  notApplicable,
  type ExampleChanges,
} from '../../report/example-run.test.support.js';
import { byKindOfReason, byReason, isBeyondOneRun, reasonText, remedyOf } from './reasons.js';

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

describe('reasons of requirements', () => {
  it('appear once each, most frequent first', () => {
    const findings = [inconclusive('list-ok', 'one.'), inconclusive('get-ok', 'two'), inconclusive('create-ok', 'two')];
    const open = rowsOf(findings).filter(({ outcome }) => outcome === 'inconclusive');
    assert.deepEqual(
      byReason(open).map(({ text, remedy, requirements }) => [text, remedy, requirements.map(({ id }) => id)]),
      [
        ['two', 'run again with more animals', ['create-ok', 'get-ok']],
        ['one', 'run again with more animals', ['list-ok']],
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
    assert.equal(remedyOf(row('ban-observed')), 'off unless it is asked for: it costs a key, or the requests of a day');
    assert.equal(remedyOf(row('key-issuing')), null);
    assert.equal(
      remedyOf(row('rate-window', [inconclusive('rate-window', 'too few')])),
      'run again on an idle machine, or with a longer window',
    );
  });
});
