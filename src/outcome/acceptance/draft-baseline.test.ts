import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../base/kernel/any-text.test.support.js';
import {
  exampleLog,
  exampleResults,
  HOSTILE,
  inconclusive,
  violated,
} from '../../report/example-run.test.support.js';
import { judgeBaseline } from '../results/judge-baseline.js';
import { ConfigError } from '../../base/kernel/errors.js';
import { parseBaseline, acceptable, draftBaseline } from './baseline.js';

const texts = fc.oneof(fc.constantFrom(...HOSTILE), anyText());

const runOf = (text: string) =>
  exampleResults({
    header: { target: { ...exampleLog().header.target, name: text } },
    findings: [violated('list-ok', text), inconclusive('get-ok', text), violated('auth-challenge', text)],
  });

const filled = (draft: string): string =>
  draft
    .replaceAll("reason: ''", 'reason: agreed')
    .replaceAll("link: ''", "link: 'https://tracker.example.com/1'");

const refusal = (member: string, line: number) => (error: unknown) =>
  error instanceof ConfigError &&
  error.message.startsWith(`An entry has no ${member}`) &&
  error.line === line;

describe('a drafted baseline', () => {
  test('lists each failed or inconclusive "must" requirement with its finding', () => {
    const results = runOf('the target answers 500');
    assert.deepEqual(
      acceptable(results).map(({ id }) => id),
      ['list-ok', 'get-ok'],
    );
    assert.match(
      draftBaseline(results, '2027-01-31'),
      / {2}# The plain listing returns 200\.\n {2}# failed: the target answers 500; received the target answers 500\n {2}- requirement: list-ok\n {4}outcome: failed\n {4}found: # any other finding is a new failure\n {6}- 'listPets'\n/,
    );
  });

  test('says which failure held up a requirement', () => {
    const results = runOf('x');
    const requirements = results.requirements.map((row) =>
      row.id === 'get-ok' ? { ...row, heldUpBy: ['list-ok' as const] } : row,
    );
    const baseline = parseBaseline(
      filled(draftBaseline({ ...results, requirements }, '2027-01-31')),
      'b.yaml',
    );
    assert.deepEqual(
      baseline.accepted.map(({ heldUpBy }) => heldUpBy),
      [undefined, ['list-ok']],
    );
  });

  test('is rejected until every reason and link is filled in', () => {
    const draft = draftBaseline(runOf('x'), '2027-01-31');
    assert.throws(() => parseBaseline(draft, 'b.yaml'), refusal('reason', 12));
    assert.throws(
      () => parseBaseline(draft.replace("reason: ''", 'reason: agreed'), 'b.yaml'),
      refusal('link', 13),
    );
    assert.throws(
      () => parseBaseline(draft.replaceAll("reason: ''", "reason: '  '"), 'b.yaml'),
      refusal('reason', 12),
    );
    assert.throws(
      () => parseBaseline(draft.replaceAll("reason: ''", 'reason:'), 'b.yaml'),
      refusal('reason', 12),
    );
  });

  test('accepts exactly its own run after completion, for any text from the target', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const results = runOf(`${text}x`);
        const baseline = parseBaseline(filled(draftBaseline(results, '2027-01-31')), 'b.yaml');
        assert.equal(baseline.accepted.length, 2);
        assert.deepEqual(judgeBaseline(results, baseline.accepted, '2027-01-31').problems, []);
        assert.equal(judgeBaseline(results, baseline.accepted, '2027-02-01').met, false);
      }),
      { numRuns: 60 },
    );
  });
});
