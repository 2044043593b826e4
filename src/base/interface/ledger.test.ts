import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger, parseLedger } from './ledger.js';
import { ConfigError } from '../kernel/errors.js';

/** The level of a row never changes. A row in none of these lists is a must. */
const SHOULD = `list-page-full create-malformed-json create-rejected-leaves-nothing auth-key-case auth-scheme-case
  auth-challenge rate-429-error-body client-backoff client-not-deprecated client-key-stays`;
const MAY = 'rate-algorithm ban-observed';
const OPEN = `list-limit-out-of-range list-status-unknown list-order list-pagination create-status-default
  create-unknown-member create-media-type create-name-length create-body-size get-malformed-id undeclared-method key-issuing
  status-transitions events category-resource error-code-values plan-upgrade stability-marker
  deprecation-signals interface-version`;

const words = (text: string): readonly string[] => text.split(/\s+/);

test('the levels of all requirements are fixed', () => {
  const { rows: requirements } = loadLedger();
  const of = (level: string): readonly string[] =>
    requirements.filter((row) => row.level === level).map(({ id }) => id);
  assert.deepEqual(of('should').toSorted(), words(SHOULD).toSorted());
  assert.deepEqual(of('may').toSorted(), words(MAY).toSorted());
  assert.deepEqual(of('open').toSorted(), words(OPEN).toSorted());
});

test('every statement is one sentence and unique', () => {
  const statements = loadLedger().rows.map(({ statement }) => statement);
  for (const statement of statements) assert.match(statement, /^[A-Z](?:[^.?!]|[.?!](?=\S))*\.$/);
  assert.equal(new Set(statements).size, statements.length);
});

/** Longest explanation in words; the longest row, `rate-not-early`, needs nearly as many. */
const MOST_WORDS = 170;

test('every explanation is short and has short sentences', () => {
  for (const { id, how } of loadLedger().rows) {
    assert.ok(how.split(/\s+/).length <= MOST_WORDS, id);
    const longest = Math.max(...how.split(/(?<=[.?!:;])\s+/).map((sentence) => sentence.split(/\s+/).length));
    assert.ok(longest <= 45, `${id}: a sentence of ${longest} words`);
  }
});

test('requirements without a check have the level "open", and binding ones have operations', () => {
  for (const { id, level, operations, judgedBy } of loadLedger().rows) {
    if (judgedBy.kind === 'nobody') assert.equal(level, 'open', id);
    else if (level !== 'open') assert.notEqual(operations.length, 0, id);
  }
});

test('byId finds a requirement, or suggests the nearest id', () => {
  const ledger = loadLedger();
  assert.equal(ledger.byId('list-ok').level, 'must');
  assert.throws(() => ledger.byId('list-okay' as 'list-ok'), {
    code: 'unknown-requirement',
    nearest: 'list-ok',
  });
});

test('the hash depends on the text', () => {
  const text = `requirements:\n${row()}`;
  assert.match(loadLedger().hash, /^[0-9a-f]{64}$/);
  assert.notEqual(parseLedger(text, 'a.yaml').hash, parseLedger(`${text}\n`, 'a.yaml').hash);
});

/**
 * Returns one row as YAML, lines 2 to 9 of a ledger that starts with it. Changes replace fields; '' removes
 * one.
 */
function row(changes: Readonly<Record<string, string>> = {}): string {
  const fields = {
    id: 'list-ok',
    level: 'must',
    part: '4',
    place: 'Endpoints',
    statement: 'It works.',
    how: 'It is tried.',
    operations: '[listPets]',
    by: '{ suite: endpoints }',
    ...changes,
  };
  const lines = Object.entries(fields).filter(([, value]) => value !== '');
  return lines.map(([name, value], index) => `${index === 0 ? '  - ' : '    '}${name}: ${value}`).join('\n');
}

const judges: readonly [string, object][] = [
  ['{ suite: errors }', { kind: 'suite', suite: 'errors' }],
  ['{ passive: [getPet 404] }', { kind: 'passive', answers: ['getPet 404'] }],
  ['{ load: [burst, window] }', { kind: 'load', profiles: ['burst', 'window'] }],
  ['{ load: [burst], traffic: true }', { kind: 'load', profiles: ['burst'], traffic: true }],
  ['{ compare: true }', { kind: 'compare' }],
  ['{ nobody: Nothing shows it. }', { kind: 'nobody', reason: 'Nothing shows it.' }],
];

for (const [by, judgedBy] of judges) {
  test(`"by: ${by}" is parsed`, () => {
    const { requirements } = parseLedger(`requirements:\n${row({ by })}`, 'a.yaml');
    assert.deepEqual(requirements[0]?.judgedBy, judgedBy);
    assert.equal('by' in requirements[0], false);
  });
}

const sinceOf = (changes: Readonly<Record<string, string>>) =>
  parseLedger(`requirements:\n${row(changes)}`, 'a.yaml').requirements[0]?.since;

test('a row names the version that added it; without one that is the first', () => {
  assert.deepEqual([sinceOf({}), sinceOf({ since: '1.2.0' })], ['1.0.0', '1.2.0']);
  assert.throws(() => sinceOf({ since: 'soon' }), ConfigError);
});

const faults: readonly [name: string, text: string, expected: object][] = [
  ['an unknown field', row({ lvel: 'must' }), { code: 'unknown-name', line: 10, nearest: 'level' }],
  ['a missing field', row({ how: '' }), { code: 'missing-field', line: 2, expected: '"how"' }],
  ['an unknown level', row({ level: 'shoud' }), { code: 'bad-value', line: 3, nearest: 'should' }],
  ['a part out of range', row({ part: '10' }), { code: 'bad-value', line: 4 }],
  ['a part as a string', row({ part: "'4'" }), { code: 'wrong-type', line: 4, expected: 'an integer' }],
  ['an empty statement', row({ statement: "''" }), { code: 'bad-value', line: 6 }],
  [
    'an unknown operation',
    row({ operations: '[listPet]' }),
    { code: 'bad-value', line: 8, nearest: 'listPets' },
  ],
  [
    'an unknown suite',
    row({ by: '{ suite: endpoint }' }),
    { code: 'bad-value', line: 9, nearest: 'endpoints' },
  ],
  ['an unknown profile', row({ by: '{ load: [brust] }' }), { code: 'bad-value', line: 9, nearest: 'burst' }],
  [
    'an unknown kind of check',
    row({ by: '{ suit: errors }' }),
    { code: 'unknown-name', line: 9, nearest: 'suite' },
  ],
  ['two kinds of check', row({ by: '{ passive: true, suite: errors }' }), { code: 'bad-value', line: 9 }],
  ['traffic with a suite', row({ by: '{ suite: errors, traffic: true }' }), { code: 'bad-value', line: 9 }],
  ['traffic without load', row({ by: '{ traffic: true }' }), { code: 'bad-value', line: 9 }],
  ['no kind of check', row({ by: '{}' }), { code: 'bad-value', line: 9 }],
  ['a duplicate id', `${row()}\n${row()}`, { code: 'duplicate-id', line: 10 }],
  ['a duplicate field', `${row()}\n    by: { passive: true }`, { code: 'yaml-syntax', line: 10 }],
  ['broken YAML', `${row()}\n   x`, { code: 'yaml-syntax' }],
];

for (const [name, rows, expected] of faults) {
  test(`${name} is rejected with its line number`, () => {
    assert.throws(
      () => parseLedger(`requirements:\n${rows}`, 'ledger.yaml'),
      (error) => {
        assert.ok(error instanceof ConfigError);
        for (const [field, value] of Object.entries({ file: 'ledger.yaml', ...expected }))
          assert.equal(error[field as 'line'], value, field);
        return true;
      },
    );
  });
}
