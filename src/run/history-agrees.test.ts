import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../base/interface/ledger.js';
import type { Finding } from '../judge/findings/finding.js';
import { compareResults } from '../outcome/acceptance/compare.js';
import { historyByTarget, historyRun, type HistoryRun } from '../outcome/acceptance/history.js';
import { EXAMPLE_HEADER } from '../report/example-header.test.support.js';
import { exampleResults, violated } from '../report/example-run.test.support.js';
import { runToCompare, type EarlierRun } from './report-dir.js';

const PASSED: Finding = { kind: 'kept', requirement: 'get-ok', exchanges: ['x1'] };
const OUTCOMES = {
  passed: [PASSED],
  partly: [PASSED, { kind: 'untried', requirement: 'get-ok', what: 'large ids' }],
  failed: [violated('get-ok')],
} as const satisfies Readonly<Record<string, readonly Finding[]>>;

const SCOPES = {
  whole: { selection: null, writes: true },
  suites: { selection: { only: 'suites' }, writes: true },
  read: { selection: null, writes: false },
  retry: { selection: { lastFailed: true }, writes: true },
} as const;

interface Night extends EarlierRun {
  readonly name: string;
  readonly summary: HistoryRun;
}

/** Returns a run of each scope with each outcome of get-ok, which is all that it has. */
function nightsOf(day: number): readonly Night[] {
  return Object.entries(SCOPES).flatMap(([scope, part]) =>
    Object.entries(OUTCOMES).map(([outcome, findings]) => {
      const header = {
        startedAt: `2026-11-0${day}T03:00:00.000Z`,
        scope: { ...EXAMPLE_HEADER.scope, ...part },
      };
      const whole = exampleResults({ header, findings });
      const results = { ...whole, requirements: whole.requirements.filter(({ id }) => id === 'get-ok') };
      const directory = String(day);
      return { name: `${scope} ${outcome}`, directory, results, summary: historyRun(directory, results) };
    }),
  );
}

const requirements = loadLedger().requirements.filter(({ id }) => id === 'get-ok');

/** Returns the outcome that holds after some nights by the history. */
function lastState(nights: readonly Night[]): string | undefined {
  const runs = nights.map(({ summary }) => summary);
  const [target] = historyByTarget({ runs, requirements, damaged: [], loadRuns: [] });
  return target?.rows[0]?.tendency.last?.state;
}

function comparedKind(earlier: readonly Night[], { results }: Night): string {
  const before = runToCompare(earlier.toReversed(), results.scope.selection, results.target);
  assert.ok(before);
  const more = { earlier: () => before.earlier, isByRow: true };
  return compareResults(before.results, results, more).changes[0]?.kind ?? 'none';
}

const CHANGES: ReadonlyMap<string, string> = new Map([
  ['failed passed', 'newly-passing'],
  ['passed failed', 'newly-failing'],
]);

test('history and comparison agree on when a requirement is fixed, and when it newly fails', () => {
  const [first, second, third] = [nightsOf(1), nightsOf(2), nightsOf(3)];
  for (const one of first)
    for (const two of second)
      for (const last of third) {
        const states = [lastState([one, two]), lastState([one, two, last])].join(' ');
        const kind = comparedKind([one, two], last);
        const expected = CHANGES.get(states) ?? (kind === 'not-confirmed' ? kind : 'none');
        assert.equal(kind, expected, [one, two, last].map(({ name }) => name).join(', '));
        if (kind === 'not-confirmed') assert.equal(states, 'failed failed');
      }
});
