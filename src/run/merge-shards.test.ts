import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Part } from '../capacity/fleet/part.js';
import { loadLedger } from '../contract/ledger.js';
import type { LogHeader } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import { EXAMPLE_HEADER, EXAMPLE_PREFLIGHT } from '../report/example-header.test.support.js';
import { exampleLog, violated } from '../report/example-run.test.support.js';
import { footerOfWhole, headerOfWhole, preflightOfWhole, recordOfWhole, sortShards } from './merge-shards.js';
import { rowsOfShard } from './select.js';

const { scope, target } = EXAMPLE_HEADER;
const rows = loadLedger().requirements;

function part(index: number, changes: Partial<LogHeader> = {}, more: Partial<RunLog> = {}): Part {
  const header = {
    scope: {
      ...scope,
      selection: { part: `${index}/3` },
      selected: rowsOfShard(rows, null, { index: index - 1, count: 3 }),
    },
    startedAt: `2026-11-20T10:0${index}:00.000Z`,
    command: `petstore-conformance run --target staging --shard ${index}/3`,
    ...changes,
  };
  return { name: `part-${index}`, log: { ...exampleLog({ header }), ...more } };
}

const parts = [part(1), part(2), part(3)] as const;
const problemsOf = (...given: readonly Part[]): readonly string[] => {
  const sorted = sortShards(given);
  return sorted.ok ? [] : sorted.problems;
};

test('all parts of one run form the whole, in any order', () => {
  const sorted = sortShards(parts.toReversed());
  assert.deepEqual(sorted.ok && sorted.parts.map(({ name }) => name), ['part-1', 'part-2', 'part-3']);
});

test('missing, duplicate and foreign parts are named', () => {
  assert.deepEqual(problemsOf(parts[0], parts[2]), ['part 2 of 3 is missing']);
  assert.deepEqual(problemsOf(...parts, part(2)), ['part 2 exists twice: part-2 and part-2']);
  const whole: Part = { name: 'a-whole-run', log: exampleLog() };
  assert.deepEqual(problemsOf(...parts, whole), ['a-whole-run is not a part of a sharded run']);
});

const own = part(2).log.header;
for (const [what, changes, problem] of [
  [
    'another target',
    { target: { ...target, name: 'production' } },
    /its target is production, but the others’ staging/,
  ],
  [
    'another address',
    { target: { ...target, baseUrl: 'https://b.example/v1' } },
    /its address is https:\/\/b\.example/,
  ],
  ['another build', { label: '2.4.1' }, /its build is 2\.4\.1, but the others’ not named/],
  ['another kit', { kit: { name: 'petstore-conformance', version: '0.9.0' } }, /its kit version is 0\.9\.0/],
  ['another contract', { contract: 'd'.repeat(64) }, /its interface is another/],
  ['another ledger', { ledger: 'd'.repeat(64) }, /its interface is another/],
  ['another day', { scope: { ...own.scope, asOf: '2031-01-01' } }, /its --as-of date is 2031-01-01/],
  [
    'another selection',
    { scope: { ...own.scope, selection: { part: '2/3', only: 'suites' } } },
    /its selection is \{"only"/,
  ],
  ['other opt-ins', { scope: { ...own.scope, includes: ['ban'] } }, /its opt-ins are ban, but the others’ none/],
  ['no writes', { scope: { ...own.scope, writes: false } }, /its writes are off/],
  ['other windows', { target: { ...target, windows: { minute: 2, day: 60 } } }, /its windows are 2 s and 60 s/],
  ['another number of parts', { scope: { ...own.scope, selection: { part: '2/4' } } }, /the number of its parts is 4/],
  ['another share', { scope: { ...own.scope, selected: ['list-ok'] } }, /part-2 does not have exactly its share/],
] as const satisfies readonly (readonly [string, Partial<LogHeader>, RegExp])[])
  test(`a part with ${what} is rejected`, () => {
    assert.match(problemsOf(parts[0], part(2, changes), parts[2]).join('; '), problem);
  });

test('the whole has the last part’s settings, the first start, and no part number', () => {
  const header = headerOfWhole([...parts], { certificate: true, baseline: false });
  assert.deepEqual([header.scope.selection, header.scope.selected], [null, null]);
  assert.equal(header.startedAt, '2026-11-20T10:01:00.000Z');
  assert.equal(header.command, 'petstore-conformance run --target staging');
  assert.equal(header.acceptance?.certificate, true);
});

test('an interrupted, unstarted or unfinished part makes the whole incomplete', () => {
  assert.equal(footerOfWhole([...parts]).complete, true);
  const end = parts[1].log.footer;
  assert.ok(end);
  const cut = part(2, {}, { footer: { ...end, complete: false, reason: 'interrupted' } });
  const obstacle = { code: 'refused', short: 'nothing listens', message: 'm', hint: 'h' } as const;
  const idle = part(2, {}, { footer: { ...end, complete: false, reason: 'nothing listens', obstacle } });
  for (const [second, reason] of [
    [cut, 'part 2 of 3 was cut short: interrupted'],
    [idle, 'part 2 of 3 did not start: nothing listens'],
    [part(2, {}, { footer: null }), 'part 2 of 3 has a log without an end'],
  ] as const) {
    const footer = footerOfWhole([parts[0], second, parts[2]]);
    assert.deepEqual([footer.complete, footer.reason, footer.obstacle], [false, reason, undefined]);
  }
  assert.equal(footerOfWhole([idle, idle]).obstacle, obstacle);
  const broken = part(2, {}, { footer: { ...end, complete: false, reason: 'a kit fault: x', fault: 'x\n at y' } });
  assert.equal(footerOfWhole([parts[0], broken, parts[2]]).fault, 'x\n at y');
  assert.equal(footerOfWhole([...parts]).fault, undefined);
});

const begun = (index: number, startedAt: string, suiteKey: 'pro' | 'business'): Part => {
  const made = part(index);
  const header = { ...made.log.header, startedAt, scope: { ...made.log.header.scope, suiteKey } };
  return { ...made, log: { ...made.log, header, preflight: EXAMPLE_PREFLIGHT } };
};
const told = (...given: readonly Part[]): readonly string[] =>
  (preflightOfWhole(given)?.remarks ?? []).filter((text) => text.includes('at the same time'));
const [first, later] = ['2026-11-20T10:00:00.000Z', '2026-11-20T10:00:01.000Z'];

test('parts that ran simultaneously with keys of one plan cause a remark', () => {
  assert.equal(told(begun(1, first, 'pro'), begun(2, later, 'pro')).length, 1);
  assert.equal(told(begun(1, first, 'pro'), begun(2, later, 'business')).length, 0);
  assert.equal(
    told(begun(1, '2026-11-20T09:00:00.000Z', 'pro'), begun(2, '2026-11-20T11:00:00.000Z', 'pro')).length,
    0,
  );
});

test('exchange ids get the part number everywhere', () => {
  const finding = violated('list-ok');
  assert.ok(finding.kind === 'violated');
  const story = { replay: '7', steps: [], exchanges: ['e1'], seen: 1, of: 1 };
  const record = recordOfWhole({ type: 'finding', finding: { ...finding, exchanges: ['x1'], story } }, 2);
  assert.ok(record?.type === 'finding' && record.finding.kind === 'violated');
  assert.deepEqual([record.finding.exchanges, record.finding.story?.exchanges], [['x1-2'], ['e1-2']]);
  assert.equal(recordOfWhole(EXAMPLE_HEADER, 2), null);
  const phase = { type: 'phase', phase: 'load', at: 1 } as const;
  assert.equal(recordOfWhole(phase, 2), phase);
});
