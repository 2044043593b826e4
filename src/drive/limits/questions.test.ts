import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import { QUESTIONS, questionsOf } from './questions.js';

/** Rows that long experiments decide, which run only where they are asked for. */
const OPT_IN = ['rate-day-quota', 'ban-observed', 'ban-temporary', 'ban-only-that-key'];

test('the ledger names the profiles of the questions that decide a row', () => {
  for (const { id, judgedBy } of loadLedger().requirements) {
    if (judgedBy.kind !== 'load' || OPT_IN.includes(id)) continue;
    const profiles = new Set(questionsOf(id).map(({ profile }) => profile));
    assert.deepEqual([...judgedBy.profiles].toSorted(), [...profiles].toSorted(), id);
  }
});

test('a question decides only rows that load decides', () => {
  const { byId } = loadLedger();
  for (const { decides } of QUESTIONS)
    for (const id of decides) assert.equal(byId(id).judgedBy.kind, 'load', id);
});
