import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { followLog } from './follow.js';

const settled = (requirement: string): string => `${JSON.stringify({ type: 'settled', requirement })}\n`;

test('a follower has the records of a log before the first interval, and the rest when it stops', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-follow-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'log.ndjson');
  const seen: string[] = [];
  const start = settled('list-ok');
  writeFileSync(file, start + settled('get-ok') + settled('create-ok').slice(0, 9));
  const stop = followLog(file, start.length, (record) => {
    if (record.type === 'settled') seen.push(record.requirement);
  });
  const atOnce = [...seen];
  appendFileSync(file, settled('create-ok').slice(9));
  stop();
  assert.deepEqual([atOnce, seen], [['get-ok'], ['get-ok', 'create-ok']]);
});
