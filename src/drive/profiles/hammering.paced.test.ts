import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RESTS_MS } from '../../wire/exchange/refused-connection.js';
import { MOST_REFUSED } from '../../judge/limits/asked.js';
import type { Finding } from '../../judge/findings/finding.js';
import { idsOf, loadRows, ran, targetAt } from '../../testing/load-at.js';
import {
  anAnimal,
  localServer,
  rateHeaders,
  refuse,
  type LocalServer,
} from '../load/local-server.test.support.js';

const KEYS = { free: 'free-key', pro: 'pro-key', business: 'business-key' } as const;
/**
 * A request whose connection breaks is repeated, as the server may allow few: beside others, and after their
 * end.
 */
const MOST_REPEATED = 2 * RESTS_MS.length;

/** Returns the most requests after the first, by connections at the server: a slow machine's burst uses more. */
const mostAfterFirst = (server: LocalServer): number => server.connections() + MOST_REFUSED;

/** A timeout that no response of these servers exceeds, however slow the machine. */
const LONG_MS = 30_000;

const uncovered = (findings: readonly Finding[]): readonly string[] =>
  loadRows().filter((id) => !findings.some(({ requirement }) => requirement === id));

/** Timeout for a profile that never ends; each takes seconds. */
describe('the kit never floods a target', { concurrency: true, timeout: 300_000 }, () => {
  it('that responds to every request with 429: at most eight requests per plan', async (test) => {
    const byKey = new Map<string, number>();
    const server = await localServer((request, response) => {
      const key = String(request.headers.authorization);
      test.after(() => server.close());
      byKey.set(key, (byKey.get(key) ?? 0) + 1);
      refuse(response);
    });
    const { findings } = await ran(
      targetAt(`${server.origin}/v1`, KEYS, { windows: { minute: 1, day: 86_400 } }),
    );
    assert.equal(byKey.size, 3);
    for (const [key, count] of byKey) assert.ok(count <= MOST_REFUSED, `${key}: ${count} requests`);
    assert.deepEqual(uncovered(findings), []);
  });

  it('that responds to every request with 429 from the second window on', async (test) => {
    const byKey = new Map<string, number>();
    const server = await localServer((request, response) => {
      const key = String(request.headers.authorization);
      test.after(() => server.close());
      const count = (byKey.get(key) ?? 0) + 1;
      byKey.set(key, count);
      if (count <= 60) response.writeHead(200, rateHeaders(60 - count)).end(anAnimal);
      else refuse(response);
    });
    await ran(targetAt(`${server.origin}/v1`, { free: KEYS.free }), { writes: false });
    assert.ok(
      (byKey.get(`Bearer ${KEYS.free}`) ?? 0) <= 61 + mostAfterFirst(server),
      `${byKey.get(`Bearer ${KEYS.free}`)}`,
    );
  });

  for (const [what, answer, broken, timeoutMs] of [
    // A service that is unavailable may have a gateway in front, which knows no rate headers.
    ['responds with 503', (response) => void response.writeHead(503).end(), [], LONG_MS],
    ['resets connections', (response) => void response.socket?.destroy(), [], LONG_MS],
    ['stops responding', () => undefined, [], 1000],
  ] as const satisfies readonly (readonly [
    string,
    Parameters<typeof faulty>[0],
    readonly string[],
    number,
  ])[]) {
    it(`that ${what}: the profile ends with a finding`, async (test) => {
      const server = await faulty(answer);
      test.after(() => server.close());
      const target = targetAt(
        `${server.origin}/v1`,
        { free: KEYS.free },
        { http: { timeoutMs, maxBodyBytes: 1000 } },
      );
      const { findings } = await ran(target, { writes: false });
      const most = SOUND_FOR + mostAfterFirst(server) + MOST_REPEATED;
      assert.ok(server.requests() <= most, `${server.requests()} requests`);
      const told = findings.filter(
        ({ requirement, kind }) => requirement === 'rate-429' && kind !== 'not-applicable',
      );
      assert.deepEqual(
        told.map(({ kind }) => kind),
        ['inconclusive'],
      );
      assert.deepEqual(
        [...new Set(idsOf(findings, 'violated').filter((id) => id.startsWith('rate')))],
        broken,
      );
      assert.deepEqual(uncovered(findings), []);
    });
  }
});

/** Half of a Free key's limit. */
const SOUND_FOR = 30;

/** Returns a server that is correct for `SOUND_FOR` requests only. */
const faulty = (answer: (response: Parameters<Parameters<typeof localServer>[0]>[1]) => void) =>
  localServer((_, response, count) =>
    count <= SOUND_FOR ? response.writeHead(200, rateHeaders(60 - count)).end(anAnimal) : answer(response),
  );
