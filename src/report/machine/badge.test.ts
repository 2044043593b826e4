import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { badgeJson, badgeOf } from './badge.js';
import { exampleLog, exampleResults, fault, inconclusive, violated } from '../example-run.test.support.js';

const scope = { ...exampleLog().header.scope, selection: { only: 'suites' as const } };
const target = { ...exampleLog().header.target, windows: { minute: 2, day: 60 } };
const musts = exampleResults().requirements.filter((row) => row.level === 'must' && row.outcome === 'passed').length;

describe('badge.json', () => {
  const table = [
    ['is green for a conformant run', {}, `conformant ${musts}/${musts}`, 'brightgreen'],
    ['is never green for a selection', { header: { scope } }, `conformant ${musts}/${musts}, selection`, 'lightgrey'],
    [
      'is never green for short windows',
      { header: { target } },
      `conformant ${musts}/${musts}, short windows`,
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
    ['is grey for an error of the kit outside any requirement', { fault: 'TypeError: x' }, 'kit fault', 'lightgrey'],
    ['is red for an interrupted run', { footer: false }, 'interrupted', 'red'],
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
        label: 'pet store 1.0.0',
        message,
        color,
        isError: color !== 'brightgreen',
      });
    });
  }

  test('contains the badge as JSON', () => {
    assert.deepEqual(JSON.parse(badgeJson(exampleResults())), badgeOf(exampleResults()));
  });
});
