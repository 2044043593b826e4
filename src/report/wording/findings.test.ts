import assert from 'node:assert/strict';
import { test } from 'node:test';
import { briefly, distinctFindings, receivedWords, timesWords } from './findings.js';

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

const brief = (message: string, expected?: string, actual?: string): string =>
  briefly({
    message,
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
    exchanges: [],
    times: 1,
    varied: false,
  });

test('in brief: only what the message does not say, and nothing long', () => {
  assert.equal(brief('more animals', 'at most 20', '25'), 'expected at most 20, received 25');
  assert.equal(brief('was answered 200', '201', '200'), 'expected 201');
  assert.equal(brief('was answered 200', '20', '200'), 'expected 20');
  assert.equal(brief('answered 200, expected was 201', '201', '200'), '');
  assert.equal(brief('an answer', 'x'.repeat(100), 'a\nb'), '');
  assert.equal(brief('an answer'), '');
});
