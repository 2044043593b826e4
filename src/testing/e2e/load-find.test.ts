import assert from 'node:assert/strict';
import { test } from 'node:test';
import { respond } from '../raw-server.js';
import { loadOf, servingRaw, soundHeaders } from './support/raw-load.js';

const ANIMAL = '[{"id":1,"name":"a","categoryId":1,"status":"sold"}]';

const words = (text: string): string => text.replaceAll(/\s+/g, ' ');

test('a dry run of a search says the most that it takes and sends, within the plan', async (t) => {
  const { server, baseUrl } = await servingRaw(t, ({ socket }) => respond(socket, ANIMAL, soundHeaders(60)));
  const { code, stdout } = await loadOf(t, baseUrl, { plan: 'free' }, ['--find', 'p99 < 250ms', '--dry-run']);
  assert.equal(code, 0, stdout);
  assert.match(words(stdout), /the highest rate with p99 < 250ms and errors < 1% \(default\)/);
  assert.match(words(stdout), /to at most 54\.6\/min \(more is beyond the plans of its keys\)/);
  const [, requests = ''] = /, ([\d,]+) requests/.exec(stdout) ?? [];
  assert.ok(Number(requests.replace(',', '')) <= 1000, stdout);
  assert.equal(server.requests.length, 0);
});

test('a wrong condition or rate of a search is refused before any request', async (t) => {
  const { server, baseUrl } = await servingRaw(t, ({ socket }) => respond(socket, ANIMAL, soundHeaders(60)));
  for (const given of [
    ['--find', 'p99 < 250'],
    ['--find', 'speed < 1s'],
    ['--find', 'p99 < 1s', '--find-most', '0/s'],
    ['--find', 'p99 < 1s', '--workers', '2'],
  ]) {
    const { code, stderr } = await loadOf(t, baseUrl, {}, given);
    assert.equal(code, 2, stderr);
  }
  assert.equal(server.requests.length, 0);
});
