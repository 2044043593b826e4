import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../judge/findings/finding.js';
import type { LogRecord } from '../../log/record.js';
import { knownRedacted } from '../../wire/exchange/redaction.js';
import { START } from '../example-header.test.support.js';
import { createTerminalReporter } from './reporter.js';
import { collector, optionsFor, PLACES, runOf } from './reporter.test.support.js';
import { doubtful, ROWS, violated, type Made } from './synthetic.test.support.js';

/** As the proof of the package has it. */
const MOST_LINES = 41;
const FIRST_RUN: Made = {
  target: { name: 'embedded', windows: { minute: 6.5, day: 600 } },
  profiles: ['burst', 'recovery', 'ban', 'window', 'concurrent', 'steady'],
};
const NEXT = 'npx petstore-conformance init';

/** A wait of a busy machine: each is long, and ends later than those before. */
const waitAt = (at: number): LogRecord => ({
  type: 'waiting',
  what: 'the window of the free key to begin anew after a burst that took too long',
  until: at + 20_000,
});

/** Prints a run with so many long waits in its load, as a reader of a file or a screen sees it. */
function linesOf(made: Made, waits: number, isTTY = false): readonly string[] {
  const out = collector({ isTTY, columns: 80, rows: 24 });
  let now = START;
  const env = { LANG: 'C.UTF-8', NO_COLOR: '1', TERM: 'dumb' };
  const options = optionsFor({ stream: out.stream, env, now: () => now, reporter: 'auto' });
  const { records, document, log } = runOf(made);
  const reporter = createTerminalReporter(options);
  for (const record of records) {
    if (record.type !== 'waiting') reporter.record(knownRedacted(record));
    if (record.type !== 'phase' || record.phase !== 'load') continue;
    for (let wait = 0; wait < waits; wait += 1) {
      now += 30_000;
      reporter.record(knownRedacted(waitAt(now)));
    }
  }
  reporter.finish(document, log, { ...PLACES, next: NEXT });
  return out.text().trimEnd().split('\n');
}

const shownIn = (lines: readonly string[]): string => `${lines.length} lines:\n${lines.join('\n')}`;

/** Rows that a run can leave open, each for a reason of its own, as a busy machine does. */
const openRows = (amount: number): readonly Finding[] =>
  ROWS.filter(({ judgedBy }) => judgedBy.kind === 'load' || judgedBy.kind === 'suite')
    .toReversed()
    .slice(0, amount)
    .map(({ id }, at) =>
      doubtful(
        id,
        (['machine-busy', 'too-little-data', 'slow-responses', 'transport'] as const)[at % 4] ?? 'thrift',
        `question ${at} took ${at + 3} s on this machine, and the window of the key ended within it`,
      ),
    );

const failing = (amount: number): readonly Finding[] =>
  ROWS.filter(({ level, judgedBy }) => level === 'must' && judgedBy.kind === 'suite')
    .slice(0, amount)
    .map(({ id }) =>
      violated(id, `the response to ${id} was wrong`, { expected: '400', actual: `422 to ${id}` }),
    );

describe('the first run', () => {
  for (const isTTY of [false, true])
    for (const [open, failed, waits] of [
      [0, 0, 20],
      [8, 0, 4],
      [12, 1, 12],
      [24, 3, 12],
      [24, 40, 12],
    ] as const)
      it(`has ${MOST_LINES} lines at most with ${open} open rows, ${failed} failures and ${waits} waits${isTTY ? ' on a screen' : ''}`, () => {
        const findings = [...failing(failed), ...openRows(open)];
        const lines = linesOf({ ...FIRST_RUN, findings }, waits, isTTY);
        assert.ok(lines.length <= MOST_LINES, shownIn(lines));
        const text = lines.join('\n');
        for (const { requirement } of failing(failed).slice(0, 1))
          assert.match(text, new RegExp(`^✗ ${requirement} `, 'm'));
        assert.match(text, /^(?:(?:NOT )?CONFORMANT|INCONCLUSIVE) /m);
        assert.ok(text.includes(NEXT), text);
      });

  it('sums up the open rows of a part beyond a few reasons', () => {
    const lines = linesOf({ ...FIRST_RUN, findings: [...openRows(12)] }, 3);
    const text = lines.join('\n');
    assert.match(text, /^ {3}\? and \d+ more +could not be determined: see the report$/m);
    assert.match(text, /^ {3}\? base-path-v1 +could not be determined: responses too slow$/m);
    assert.doesNotMatch(text, /could not be determined: .*…$/m);
  });

  it('counts the failures for which there is no room', () => {
    const text = linesOf({ ...FIRST_RUN, findings: [...failing(40)] }, 0).join('\n');
    assert.match(text, /^✗ and \d+ more: see the report$/m);
  });

  it('is as long as it has to be against a server that somebody wants to fix', () => {
    const made = { ...FIRST_RUN, target: {}, findings: [...failing(12), ...openRows(12)] };
    const lines = linesOf(made, 12);
    for (const { requirement } of failing(12))
      assert.match(lines.join('\n'), new RegExp(`^ {3}✗ ${requirement} `, 'm'));
    assert.equal(lines.filter((text) => text.includes('waiting for the window')).length, 12);
  });
});
