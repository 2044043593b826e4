import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../../base/interface/ledger.js';
import { petstore, petstoreHere } from './support/command.js';
import { folder } from './support/folder.js';

test('requirements lists every requirement once, with its level', async (t) => {
  const { code, stdout } = await petstoreHere(['requirements'], { cwd: folder(t) });
  assert.equal(code, 0);
  for (const { id, level } of loadLedger().requirements)
    assert.equal(stdout.match(new RegExp(`^ +${id} +${level} `, 'gm'))?.length, 1, id);
});

test('requirements ID shows the place, the check and the proof of a requirement', async (t) => {
  const { code, stdout } = await petstoreHere(['requirements', 'list-limit-default'], { cwd: folder(t) });
  assert.equal(code, 0);
  const row = loadLedger().byId('list-limit-default');
  assert.match(stdout, /^list-limit-default$/m);
  assert.ok(stdout.includes(row.statement));
  assert.match(stdout, /level +must/);
  assert.ok(stdout.includes(`part ${row.part}, ${row.place}`));
  assert.match(stdout, /default-limit-twenty-five/);
});

/** Lines of commands, which are pasted. */
const PASTED = /^ {2}(?:try it|see one) /;

test('every requirement card fits 80 columns, except its commands, each in one line', async (t) => {
  const cwd = folder(t);
  for (const id of ['pet-int64', 'declared-status', 'get-until-removal', 'status-transitions']) {
    const { stdout } = await petstoreHere(['requirements', id], { cwd });
    for (const text of stdout.split('\n')) assert.ok(text.length <= 80 || PASTED.test(text), text);
  }
});

test('the commands of a requirement card work where it was shown', async (t) => {
  const { stdout } = await petstore(['requirements', 'pet-int64'], { cwd: folder(t) });
  assert.match(stdout, /^ {2}try it +node .*main\.js run --requirement pet-int64$/m);
  assert.match(stdout, /^ {2}see one +node .*main\.js serve --flaw ids-beyond-int64$/m);
});
