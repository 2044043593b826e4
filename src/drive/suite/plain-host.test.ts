import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suiteCases } from './plain-host.js';

const idsIn = async (names?: readonly string[]): Promise<readonly string[]> =>
  (await suiteCases(names)).map(({ row }) => row.id);

test('the suites keep their order where some of their files were imported before the others', async () => {
  const [last, first] = await Promise.all([idsIn(['versioning.spec.js']), idsIn(['authentication.spec.js'])]);
  assert.ok(last.length > 0 && first.length > 0);
  const all = await idsIn();
  assert.deepEqual(all.slice(0, first.length), first);
  assert.ok(all.indexOf(last[0] ?? '') > all.indexOf('list-ok'));
  assert.equal(new Set(all).size, all.length);
});
