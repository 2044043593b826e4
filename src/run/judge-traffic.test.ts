import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from '../testing/e2e/support/folder.js';
import { judgeTraffic, newestOf } from './judge-traffic.js';

const SECRET = 's3cr3t-of-a-client';
const basic = Buffer.from(`shop:${SECRET}`).toString('base64');

const CREDENTIALS: readonly (readonly [what: string, name: string, value: string, query?: string])[] = [
  ['a bearer token', 'Authorization', `Bearer ${SECRET}`],
  ['a key without a scheme', 'Authorization', SECRET],
  ['a password', 'Authorization', `Basic ${basic}`],
  ['a key in a header', 'X-Api-Key', SECRET],
  ['a cookie', 'Cookie', `theme=dark; sid=${SECRET}`],
  ['a key in the query', 'Accept', '*/*', `?api_key=${SECRET}`],
];

for (const [what, name, value, query = ''] of CREDENTIALS)
  test(`${what} of a request stands in no text of the log`, async (t) => {
    const directory = folder(t);
    const file = join(directory, 'traffic.har');
    const text = JSON.stringify({ code: 'gone', message: `token ${SECRET} expired (${basic})`, status: 401 });
    const entry = {
      startedDateTime: '2026-11-20T10:00:00.123Z',
      time: 12,
      timings: { blocked: 0, send: 1, wait: 10, receive: 1 },
      request: { method: 'GET', url: `http://127.0.0.1:9/v1/pets${query}`, headers: [{ name, value }] },
      response: { status: 401, headers: [], content: { mimeType: 'application/json', text } },
    };
    writeFileSync(file, JSON.stringify({ log: { entries: [entry] } }));
    const baseUrl = 'http://127.0.0.1:9/v1';
    await judgeTraffic({ files: [file], baseUrl, sides: ['client'], name: 'shop', directory, command: '' });
    const log = readFileSync(join(directory, 'log.ndjson'), 'utf8');
    assert.match(log, /token .* expired/);
    assert.ok(!log.includes(SECRET) && !log.includes(basic), log);
  });

test('the pieces of the newest tokens are searched for, and not of thousands', () => {
  assert.deepEqual(newestOf(['first', 'second']), ['first', 'second']);
  const tokens = Array.from({ length: 3000 }, (_, nth) => `${nth}`.padStart(300, '0'));
  const newest = newestOf(tokens);
  assert.deepEqual(newest, tokens.slice(-newest.length));
  assert.ok(newest.length > 10 && newest.join('').length <= 10_000);
  assert.deepEqual(newestOf(['first', 'x'.repeat(20_000)]), []);
});
