import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, markRun, type Range } from './covered-lines.js';

const TEXT = `/** Adds. */
export const sum = (one, other) => {
    if (one < 0)
        return never();
    return one + other;
};

// Unused.
export function never() {
    return 0;
}
`;

/** Returns the range of a piece of the text. */
const range = (from: string, to: string, count: number): Range => {
  const startOffset = TEXT.indexOf(from);
  return { startOffset, endOffset: TEXT.indexOf(to, startOffset) + to.length, count };
};
const whole: Range = { startOffset: 0, endOffset: TEXT.length, count: 1 };
const sum = range('(one, other)', '};', 1);
const branch = range('return never', ';', 0);
const never = range('export function', '}', 0);

const linesAfter = (...processes: readonly (readonly (readonly Range[])[])[]) => {
  const run = new Uint8Array(TEXT.length);
  for (const functions of processes) markRun(run, { functions: functions.map((ranges) => ({ ranges })) });
  return linesOf(TEXT, run);
};

test('counts lines with code, and of them those that ran in any process', () => {
  assert.deepEqual(linesAfter(), { lines: 6, covered: 0 });
  // The branch and the two lines of the function that nobody calls are left.
  assert.deepEqual(linesAfter([[whole], [sum, branch], [never]]), { lines: 6, covered: 3 });
  assert.deepEqual(
    linesAfter([[whole], [sum, branch], [never]], [[whole], [sum], [{ ...never, count: 2 }]]),
    { lines: 6, covered: 6 },
  );
});
