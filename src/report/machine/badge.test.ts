import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { badgeJson, badgeOf } from './badge.js';
import { exampleLog, exampleResults, fault, inconclusive, violated } from '../example-run.test.support.js';

const scope = { ...exampleLog().header.scope, selection: { only: 'suites' as const } };
const target = { ...exampleLog().header.target, windows: { minute: 2, day: 60 } };
const musts = exampleResults().requirements.filter(
  (row) => row.level === 'must' && row.outcome === 'passed',
).length;

describe('badge.json', () => {
  const table = [
    ['is green for a conformant run', {}, 'conformant 1.0.0', 'brightgreen'],
    ['is never green for a selection', { header: { scope } }, 'conformant 1.0.0, selection', 'lightgrey'],
    [
      'is never green for short windows',
      { header: { target } },
      'conformant 1.0.0, short windows',
      'lightgrey',
    ],
    ['is red for a failed run', { findings: [violated('list-ok')] }, `1 of ${musts} failed`, 'red'],
    [
      'is orange for an inconclusive run',
      { findings: [inconclusive('list-ok')] },
      `inconclusive ${musts - 1}/${musts}`,
      'orange',
    ],
    ['is grey for an error of the kit', { findings: [fault('list-ok')] }, 'kit fault', 'lightgrey'],
    [
      'is grey for an error of the kit outside any requirement',
      { fault: 'TypeError: x' },
      'kit fault',
      'lightgrey',
    ],
    ['is not red for an interrupted run', { footer: false }, 'interrupted', 'orange'],
    [
      'states the failures of an interrupted run',
      { footer: false, findings: [violated('list-ok')] },
      `interrupted, 1 of ${musts} failed`,
      'red',
    ],
  ] as const;
  for (const [name, changes, message, color] of table) {
    test(name, () => {
      const badge = badgeOf(exampleResults(changes));
      assert.deepEqual(badge, {
        schemaVersion: 1,
        label: 'pet store',
        message: `${message} · 20 Nov 2026`,
        color,
        isError: color !== 'brightgreen',
      });
    });
  }

  test('is red for an unmet baseline only if something failed', () => {
    const stale = {
      requirement: 'list-ok',
      outcome: 'failed',
      reason: 'r',
      link: 'l',
      expires: '2027-01-01',
    } as const;
    const header = { acceptance: { certificate: false, baseline: true, accepted: [stale] } };
    const colors = [{ header }, { header, findings: [violated('get-ok')] }].map((changes) => {
      const { message, color } = badgeOf(exampleResults(changes));
      return [message.startsWith('baseline not met, '), color];
    });
    assert.deepEqual(colors, [
      [true, 'orange'],
      [true, 'red'],
    ]);
  });

  test('sets the count of an unmet baseline apart from the accepted deviations', () => {
    const entry = { outcome: 'failed', reason: 'r', link: 'l' } as const;
    const accepted = [
      { ...entry, requirement: 'get-ok', expires: '2027-01-01' },
      { ...entry, requirement: 'list-ok', expires: '2027-01-01' },
    ] as const;
    const header = { acceptance: { certificate: false, baseline: true, accepted } };
    const { message } = badgeOf(exampleResults({ header, findings: [violated('get-ok')] }));
    assert.match(message, /^baseline not met, conforms with 1 accepted deviation, \d+\/\d+ /);
  });

  test('contains the badge as JSON', () => {
    assert.deepEqual(JSON.parse(badgeJson(exampleResults())), badgeOf(exampleResults()));
  });
});

test('traffic without a violation has a grey badge, and its own word', () => {
  const results = { ...exampleResults(), verdict: 'inconclusive', clean: true } as const;
  const { message, color } = badgeOf(results);
  assert.match(message, /^no violation seen in \d+\/\d+ · /);
  assert.equal(color, 'lightgrey');
  const { message: unclear } = badgeOf({ ...results, clean: false });
  assert.match(unclear, /^inconclusive /);
});
