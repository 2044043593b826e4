import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distinctFindings, receivedWords, timesWords } from './findings.js';

const finding = (message: string, actual: string, id: string) => ({
  message,
  expected: 'a name',
  actual,
  exchanges: [id, 'x0'],
});

test('findings that say the same are told once, with how often and in which exchanges', () => {
  const found = distinctFindings([
    finding('no name', '{}', 'x1'),
    finding('no id', '{}', 'x2'),
    finding('no name', '{"id":2}', 'x3'),
    finding('no id', '{}', 'x4'),
  ]);
  assert.deepEqual(
    found.map(({ message, actual, exchanges }) => [message, actual, exchanges]),
    [
      ['no name', '{}', ['x1', 'x0', 'x3']],
      ['no id', '{}', ['x2', 'x0', 'x4']],
    ],
  );
  assert.deepEqual(found.map(receivedWords), ['received first', 'received']);
  assert.deepEqual(found.map(timesWords), [' (2 times)', ' (2 times)']);
});

test('a finding by itself is left as it is', () => {
  assert.deepEqual(distinctFindings([finding('no name', '{}', 'x1')]).map(timesWords), ['']);
});
