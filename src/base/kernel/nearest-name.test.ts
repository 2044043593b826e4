import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestName } from './nearest-name.js';

const KNOWN = ['run', 'log', 'list', 'free', 'target', 'requirement'];

test('a name is near by few edits, of short ones by one edit or a swap', () => {
  for (const [name, nearest] of [
    ['rnu', 'run'],
    ['lst', 'list'],
    ['fre', 'free'],
    ['LOG', 'log'],
    ['tagret', 'target'],
    ['requirments', 'requirement'],
    ['foo', undefined],
    ['bar', undefined],
    ['lust', 'list'],
    ['most', undefined],
    ['banana', undefined],
  ] as const)
    assert.equal(nearestName(name, KNOWN), nearest, name);
  assert.equal(nearestName('run', []), undefined);
});
