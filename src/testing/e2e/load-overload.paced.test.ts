import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { respond, type RawRequest } from '../raw-server.js';
import { wasTooSlow } from './support/loading.js';
import { loadOf, soundHeaders, servingRaw } from './support/raw-load.js';
import { resultsIn } from './support/results.js';

const ANIMAL = '[{"id":1,"name":"a","categoryId":1,"status":"sold"}]';

/** Responds after each other: one response each `serviceMs`. */
function queue(serviceMs: number) {
  let freeAt = 0;
  return ({ socket }: RawRequest): void => {
    freeAt = Math.max(freeAt, performance.now()) + serviceMs;
    setTimeout(() => respond(socket, ANIMAL, soundHeaders(1000)), freeAt - performance.now());
  };
}

test('throughput is what the server answers, not what arrives', async (t) => {
  const { baseUrl } = await servingRaw(t, queue(20));
  const { code, stdout, directory } = await loadOf(t, baseUrl, {
    phases: '[{ name: over, duration: 3s, rate: 100/s }]',
    thresholds: '[perSecond >= 90]',
  });
  const { capacity } = resultsIn(directory);
  assert.ok((capacity?.phases[0]?.perSecond ?? 100) < 60, stdout);
  assert.equal(code, wasTooSlow(directory) ? 3 : 1, stdout);
  assert.match(stdout, /throughput\s+[\d.]+\/s/);
  // No phase is marked as sound whose threshold was missed.
  assert.match(stdout, code === 1 ? /^✗ over/m : /^! over/m);
});

test('a closed loop is described by its waiting, and shows a stall of the server', async (t) => {
  const startedAt = performance.now();
  const { baseUrl } = await servingRaw(t, ({ socket, number }) => {
    // The first request is that of preflight.
    const sinceMs = performance.now() - startedAt;
    const delay = number > 20 && number <= 22 ? 2500 : Math.max(1, Math.min(20, sinceMs));
    setTimeout(() => respond(socket, ANIMAL, soundHeaders(1000)), delay);
  });
  const { code, stdout, directory } = await loadOf(t, baseUrl, {
    // Long enough for requests before and after the stall on a machine that stands still itself.
    phases: '[{ name: flood, duration: 8s, connections: 2 }]',
    thresholds: '[p50 < 30s, p90 < 900ms]',
  });
  const words = stdout.replaceAll(/\s+/g, ' ');
  assert.doesNotMatch(words, /on time/);
  const waits =
    /on 2 connections, each sent after a response \(longest wait (?<seconds>[\d.]+) s, no response for [\d.]+ of \d+ s(?: in \d+ gaps)?\)/.exec(
      words,
    );
  // A busy machine makes it longer, and adds gaps of its own.
  assert.ok(Number(waits?.groups?.['seconds']) >= 2, words);
  const { seconds = 0, silentSeconds = 0 } = resultsIn(directory).capacity?.phases[0]?.closed ?? {};
  // While this machine stood still, the server's stall does not count.
  if (!words.includes('this machine stood still')) {
    assert.ok(silentSeconds >= 1);
    assert.equal(code, 3, words);
    assert.match(words, /\? p90 < 900ms [^?]*inconclusive/);
  }
  assert.ok(seconds <= 8, words);
  // The page draws no latency across the stall.
  assert.match(readFileSync(join(directory, 'index.html'), 'utf8'), /class="series series-p99" d="M[^"]*M/);
});

test('arrivals held back by a 429 count as dropped', async (t) => {
  const { baseUrl } = await servingRaw(t, ({ socket, number }) => {
    if (number <= 5) return respond(socket, ANIMAL, soundHeaders(1000));
    const waiting = [
      ...soundHeaders(1000).map((line) => line.replace('Remaining: 999', 'Remaining: 0')),
      'Retry-After: 30',
    ];
    return respond(socket, '{"code":"x","message":"x","status":429}', waiting, '429 Too Many Requests');
  });
  const { stdout } = await loadOf(t, baseUrl, { phases: '[{ name: hold, duration: 2s, rate: 50/s }]' });
  // Those under way when the first 429 arrives are sent: on a slow machine some more.
  assert.match(stdout, /[5-9]\d dropped/);
});

test('a server that goes away gets no request, has no latency, and no figure is cut off', async (t) => {
  const { server, baseUrl } = await servingRaw(t, (request) => {
    respond(request.socket, ANIMAL, soundHeaders(1000));
    void server.close();
  });
  const { stdout, directory } = await loadOf(t, baseUrl, {
    phases: '[{ name: hold, duration: 2s, rate: 20/s }]',
  });
  const { capacity, requests } = resultsIn(directory);
  assert.equal(requests.total, server.requests.length, stdout);
  assert.equal(capacity?.phases[0]?.sent, 0);
  assert.match(stdout, /0 of 40 sent/);
  assert.match(stdout, /requests failed: connect\s+ECONNREFUSED/);
  assert.doesNotMatch(stdout, /p99 0 ms/);
  assert.doesNotMatch(stdout, /…/);
});

/** Responses with a whole page. */
const WHOLE = 20;

test('a server that sends empty pages under load is not called sound', async (t) => {
  const page = JSON.stringify(
    Array.from({ length: 4 }, (_, id) => ({ id: id + 1, name: 'a', categoryId: 1, status: 'sold' })),
  );
  const { server, baseUrl } = await servingRaw(t, ({ socket, number }) =>
    respond(socket, number <= WHOLE ? page : '[]', soundHeaders(1000)),
  );
  const { code, stdout, directory } = await loadOf(t, baseUrl, {
    phases: '[{ name: hold, duration: 5s, rate: 50/s }]',
  });
  assert.equal(code, 3, stdout);
  const [phase] = resultsIn(directory).capacity?.phases ?? [];
  assert.equal(phase?.shortPages, server.requests.length - WHOLE, stdout);
  assert.ok(phase.shortPages > WHOLE, stdout);
  assert.match(
    stdout.replaceAll(/\s+/g, ' '),
    /inconclusive\. \d+ of \d+ responses showed fewer than half of the animals that were there before the run/,
  );
});
