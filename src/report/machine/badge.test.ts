import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { badgeJson, badgeOf } from './badge.js';
import { exampleLog, exampleResults, fault, inconclusive, violated } from '../example-run.test.support.js';

const scope = { ...exampleLog().header.scope, selection: { only: 'suites' as const } };
const target = { ...exampleLog().header.target, windows: { minute: 2, day: 60 } };
const musts = exampleResults().requirements.filter((row) => row.level === 'must' && row.outcome === 'passed').length;

describe('badge.json', () => {
  const table = [
    ['conformant', {}, `conformant ${musts}/${musts}`, 'brightgreen'],
    ['a selection is never green', { header: { scope } }, `conformant ${musts}/${musts}, selection`, 'lightgrey'],
    ['nor are short windows', { header: { target } }, `conformant ${musts}/${musts}, short windows`, 'lightgrey'],
    ['failed', { findings: [violated('list-ok')] }, `1 of ${musts} failed`, 'red'],
    ['inconclusive', { findings: [inconclusive('list-ok')] }, `inconclusive ${musts - 1}/${musts}`, 'orange'],
    ['fault of the kit', { findings: [fault('list-ok')] }, 'fault of the kit', 'lightgrey'],
    ['fault outside of any row', { fault: 'TypeError: x' }, 'fault of the kit', 'lightgrey'],
    ['interrupted', { footer: false }, 'interrupted', 'red'],
    [
      'interrupted, with a failure',
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

  test('the file is the badge as JSON', () => {
    assert.deepEqual(JSON.parse(badgeJson(exampleResults())), badgeOf(exampleResults()));
  });
});
