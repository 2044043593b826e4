import assert from 'node:assert/strict';
import { test } from 'node:test';
import { respond, type RawRequest } from '../raw-server.js';
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
  assert.equal(code, capacity?.generator.saturated === true ? 3 : 1, stdout);
  assert.match(stdout, /throughput\s+[\d.]+\/s/);
});

test('a closed loop is described by its waiting, and shows a stall of the server', async (t) => {
  const startedAt = performance.now();
  const { baseUrl } = await servingRaw(t, ({ socket, number }) => {
    // The first request is that of preflight.
    const sinceMs = performance.now() - startedAt;
    const delay = number > 20 && number <= 22 ? 2500 : Math.max(1, Math.min(20, sinceMs));
    setTimeout(() => respond(socket, ANIMAL, soundHeaders(1000)), delay);
  });
  const { stdout, directory } = await loadOf(t, baseUrl, {
    phases: '[{ name: flood, duration: 4s, connections: 2 }]',
    thresholds: '[p50 < 30s]',
  });
  const words = stdout.replaceAll(/\s+/g, ' ');
  assert.doesNotMatch(words, /on time/);
  const waits =
    /on 2 connections, each sent after a response \(longest wait (?<seconds>[\d.]+) s, no response in \d+ of \d+ s\)/.exec(
      words,
    );
  // A busy machine makes it longer.
  assert.ok(Number(waits?.groups?.['seconds']) >= 2, words);
  assert.ok((resultsIn(directory).capacity?.phases[0]?.closed?.silentSeconds ?? 0) >= 1);
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
