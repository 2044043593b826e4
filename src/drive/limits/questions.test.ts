import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { questionNames } from '../../judge/limits/asked.js';
import { packageRoot } from '../../base/kernel/package.js';
import { loadLedger } from '../../base/interface/ledger.js';
import { QUESTIONS } from './questions.js';
import { questionsOf } from './select.js';

/** Rows that long experiments decide, which run only where they are asked for. */
const OPT_IN = ['rate-day-quota', 'ban-observed', 'ban-temporary', 'ban-only-that-key'];

test('the ledger names the profiles of the questions that decide a row', () => {
  for (const { id, judgedBy } of loadLedger().requirements) {
    if (judgedBy.kind !== 'load' || OPT_IN.includes(id)) continue;
    const profiles = new Set(questionsOf(id).map(({ profile }) => profile));
    assert.deepEqual([...judgedBy.profiles].toSorted(), [...profiles].toSorted(), id);
  }
});

test('the list has every question that a key may be asked, in the order of their names', () => {
  assert.deepEqual(
    QUESTIONS.map(({ name }) => name),
    [...questionNames],
  );
});

test('a question under a condition only sees again what others decide', () => {
  for (const { name, only, decides, again } of QUESTIONS)
    if (only !== null && name !== 'reset') assert.deepEqual(again, decides, name);
});

test('a question decides only rows that load decides', () => {
  const { byId } = loadLedger();
  for (const { decides } of QUESTIONS)
    for (const id of decides) assert.equal(byId(id).judgedBy.kind, 'load', id);
});

test('docs/limits.md has the table of the questions, and teaches each', () => {
  const docs = readFileSync(join(packageRoot(), 'docs', 'limits.md'), 'utf8');
  const rows = docs
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .map((cells) => `| ${cells.join(' | ')} |`);
  const from = rows.findIndex((row) => row.startsWith('| question '));
  const wanted = QUESTIONS.map(({ title, profile, state, sends, often, only, decides }) => {
    const ids = decides.map((id) => `\`${id}\``).join(', ');
    const when = only === null ? often : `${often}, only ${only}`;
    return `| ${title} (\`${profile}\`) | ${state} | ${sends} | ${when} | ${ids} |`;
  });
  assert.deepEqual(rows.slice(from + 2, from + 2 + wanted.length), wanted);
  for (const { title, asks } of QUESTIONS) {
    assert.ok(docs.toLowerCase().includes(`\n### ${title.toLowerCase()}\n`), title);
    assert.ok(docs.includes(`\n_${asks}_\n`), asks);
  }
});
