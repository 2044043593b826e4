import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endedEarly } from './ended-early.js';

const ROWS = ['list-ok', 'get-ok', 'create-ok', 'pet-shape', 'pets-array'];

const ENDS: readonly (readonly [
  what: string,
  missing: readonly string[],
  code: number | null,
  output: string,
  says: string,
])[] = [
  [
    'one row',
    ['list-ok'],
    1,
    'Error: x\n',
    'Playwright ended with code 1; 1 requirement not judged: list-ok. Its output:\nError: x',
  ],
  [
    'no output',
    ['list-ok', 'get-ok'],
    0,
    ' \n',
    'Playwright ended with code 0; 2 requirements not judged: list-ok and get-ok. It printed nothing.',
  ],
  [
    'a signal',
    ROWS.slice(0, 3),
    null,
    '',
    'Playwright was stopped by a signal; 3 requirements not judged: list-ok, get-ok and create-ok. It printed nothing.',
  ],
  [
    'many rows',
    ROWS,
    1,
    '57',
    'Playwright ended with code 1; 5 requirements not judged: list-ok, get-ok, create-ok and 2 more. Its output:\n57',
  ],
];

for (const [what, missing, code, output, says] of ENDS)
  test(`a suites’ process that ended early is one sentence and its output: ${what}`, () =>
    assert.equal(endedEarly(missing, { code, output }), says));
