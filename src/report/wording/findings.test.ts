import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alikeFindings, othersWords, sameFault } from './findings.js';

const finding = (message: string, actual: string) => ({ message, expected: '201', actual, exchanges: [] });

test('faults that differ in the request that they quote are one, and counted', () => {
  const faults = alikeFindings([
    finding('“POST /pets, a valid animal” was answered 500', '500'),
    finding('“POST /pets, status sold” was answered 500', '500'),
    finding('“POST /pets, status sold” was answered 500', '500'),
    finding('the id of animal 3 is not an integer', '"3"'),
  ]);
  assert.deepEqual(
    faults.map(({ first, others }) => [first.message, othersWords(others)]),
    [
      ['“POST /pets, a valid animal” was answered 500', ' (and in 2 more answers)'],
      ['the id of animal 3 is not an integer', ''],
    ],
  );
});

test('rows that are broken in the same way stand together, and only those', () => {
  const rows = [
    { id: 'create-ok', findings: [finding('“a” was answered 500', '500'), finding('“b” was answered 404', '404')] },
    { id: 'create-each-status', findings: [finding('“c” was answered 500', '500')] },
    { id: 'list-ok', findings: [finding('“d” was answered 500', '503')] },
    { id: 'get-ok', findings: [] },
    { id: 'get-unknown', findings: [] },
  ];
  assert.deepEqual(
    sameFault(rows).map((group) => group.map(({ id }) => id)),
    [['create-ok', 'create-each-status'], ['list-ok'], ['get-ok'], ['get-unknown']],
  );
});
