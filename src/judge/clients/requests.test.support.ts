import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientRow } from '../../base/interface/requirement-ids.js';
import { judgedAs, recordOf, sent, type Given } from './traffic.test.support.js';

export type Case = readonly [
  name: string,
  row: ClientRow,
  judged: ReturnType<typeof judgedAs>,
  ...given: Given[],
];

export function testsOf(cases: readonly Case[]): void {
  for (const [name, row, expected, ...given] of cases)
    test(`${row}: ${name}: ${expected}`, () =>
      assert.equal(
        judgedAs(row, recordOf(given.map((each, at) => sent({ at: [at * 10, at * 10 + 1], ...each })))),
        expected,
      ));
}

export const creation = (body: string, given: Given = {}): Given => ({ method: 'POST', body, ...given });

export const BIG = '9007199254740993';

export const ROUNDED = '9007199254740992';

export const pet = (id: string, categoryId = '1'): string =>
  `{"id":${id},"name":"Rex","categoryId":${categoryId}}`;
