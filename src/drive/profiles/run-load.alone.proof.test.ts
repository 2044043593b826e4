import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RequirementId } from '../../base/interface/types.js';
import type { Finding } from '../../judge/findings/finding.js';
import { resultsOf } from '../../outcome/results/results.js';
import { loadLedger } from '../../base/interface/ledger.js';
import type { LogRecord } from '../../log/record.js';
import { gather } from '../../log/gathered.test.support.js';
import { headerOf } from '../../log/header.js';
import { startAltered } from '../../proof/index.js';
import { secret } from '../../wire/targets/secret.js';
import { idsOf, loadRows, MINUTE_S, ran, targetAt, wasBusy } from '../../testing/load-at.js';
import { anAnimal, localServer, rateHeaders, refuse } from '../load/local-server.test.support.js';
import { RATE_HEADERS } from '../../base/interface/rate-headers.js';

const OPTED_OUT: readonly RequirementId[] = [
  'ban-observed',
  'ban-only-that-key',
  'ban-temporary',
  'rate-day-quota',
];

/** Counts recorded samples, of one profile or of all. */
const rowsIn = (records: readonly LogRecord[], profile?: string): number =>
  records.reduce(
    (sum, record) =>
      sum +
      (record.type === 'series' && record.profile === (profile ?? record.profile) ? record.rows.length : 0),
    0,
  );

/** Counts those with a response. */
const answeredIn = (records: readonly LogRecord[]): number =>
  records
    .flatMap((record) => (record.type === 'series' ? record.rows : []))
    .filter(([, , , , status]) => status !== 0).length;

const DAY = { profiles: ['day-quota'], includes: ['day-quota'] } as const;

/** Starts a server with a small daily quota, and returns its target. */
async function ofADay(flaws: readonly string[]) {
  const enterprise = { perMinute: 60, perDay: 110 };
  const server = await startAltered({ minuteSeconds: 1, daySeconds: 600, plans: { enterprise }, flaws });
  const keys = { enterprise: server.keys.enterprise };
  const plans = { ...targetAt('', {}).plans, enterprise };
  return { server, target: targetAt(server.baseUrl, keys, { plans, windows: { minute: 1, day: 600 } }) };
}

const kindsOf = (findings: readonly Finding[], row: RequirementId): readonly Finding['kind'][] =>
  findings.filter(({ requirement }) => requirement === row).map(({ kind }) => kind);

/** Concurrent servers: more would slow each other beyond their short windows. */
const AT_A_TIME = { concurrency: 3 };

describe('load on a correct server', () => {
  it('finds no violation, judges every requirement, and counts the same requests as the server', async (test) => {
    const server = await startAltered({ minuteSeconds: MINUTE_S });
    test.after(() => server.close());
    const { free, pro, business } = server.keys;
    const target = targetAt(server.baseUrl, { free, pro, business });
    const { findings, summaries, records } = await ran(target);
    assert.deepEqual(idsOf(findings, 'violated'), []);
    const isBusy = wasBusy(findings);
    if (!isBusy) assert.deepEqual(idsOf(findings, 'inconclusive'), []);
    assert.deepEqual(
      loadRows().filter((id) => !findings.some(({ requirement }) => requirement === id)),
      [],
    );
    const counts = server.requestsByKey();
    for (const plan of ['free', 'pro', 'business'] as const) {
      const own = summaries.filter((summary) => summary.plan === plan);
      assert.equal(
        own.reduce((sum, { sent }) => sum + sent, 0),
        counts[plan],
        plan,
      );
    }
    const log = gather([
      headerOf({
        run: 'cafe0123',
        target,
        selection: null,
        selected: null,
        writes: true,
        asOf: '2026-11-20',
        includes: [],
        command: '',
      }),
      ...records,
      { type: 'footer', complete: true, reason: null, finishedAt: new Date().toISOString() },
    ]);
    assert.equal(resultsOf(log, loadLedger().requirements).requests.total, server.requests());
    assert.equal(rowsIn(records), server.requests());
    const rows = new Map(
      resultsOf(log, loadLedger().requirements).requirements.map((row) => [row.id, row.outcome]),
    );
    for (const id of loadRows().filter((row) => !OPTED_OUT.includes(row) && row !== 'rate-algorithm')) {
      assert.ok(
        rows.get(id) === 'passed' || (isBusy && rows.get(id) === 'inconclusive'),
        `${id}: ${rows.get(id)}`,
      );
    }
    for (const id of OPTED_OUT) assert.equal(rows.get(id), 'not-applicable', id);
    // Responses went through the passive checks, except those past the limit.
    assert.ok((log.kept.get('pet-shape') ?? 0) > server.requests() / 2, `${log.kept.get('pet-shape')}`);
    const [first] = summaries;
    if (!isBusy)
      assert.match(first?.sentence ?? '', /^60 of 60 requests allowed; request 61 \(GET \/pets\) got 429\.$/);
    assert.ok((first?.latency?.p50 ?? 0) > 0);
    for (const key of Object.values(server.keys)) assert.ok(!JSON.stringify(records).includes(key));
  });
});

describe('load on the reference server', AT_A_TIME, () => {
  for (const writes of [true, false]) {
    it(`creates ${writes ? 'a few animals with writes on' : 'no animal with writes off'}`, async (test) => {
      const server = await startAltered({ minuteSeconds: MINUTE_S });
      test.after(() => server.close());
      const { free } = server.keys;
      const { findings, records } = await ran(targetAt(server.baseUrl, { free }), { writes });
      const posts = server.requestsByPath()['POST /v1/pets'] ?? 0;
      const created = records.filter(({ type }) => type === 'created').length;
      assert.ok(
        // Three in each of at most three bursts from silence, and one at each edge.
        writes ? created >= 3 && created <= 12 : posts === 0,
        `${posts} creations sent, ${created} made`,
      );
      assert.deepEqual(idsOf(findings, 'violated'), []);
      if (!wasBusy(findings)) assert.deepEqual(idsOf(findings, 'inconclusive'), []);
    });
  }

  it('asks the questions in their order, each key for itself', async (test) => {
    // Long enough for whole seconds to show when a window ends.
    const minute = 10;
    const server = await startAltered({ minuteSeconds: minute, variants: ['token-bucket'] });
    test.after(() => server.close());
    const { findings, summaries } = await ran(
      targetAt(server.baseUrl, { free: server.keys.free }, { windows: { minute, day: 86_400 } }),
    );
    assert.deepEqual(summaries.map(({ profile }) => profile).slice(0, 5), [
      'burst',
      'recovery',
      'steady',
      'concurrent',
      'window',
    ]);
    assert.deepEqual(idsOf(findings, 'violated'), []);
    if (wasBusy(findings)) return;
    assert.match(summaries[1]?.sentence ?? '', /at Retry-After: .* allowed, the first got 200\.$/);
    assert.ok(idsOf(findings, 'kept').includes('rate-reset-truthful'));
  });

  it('bans a key only on request, and sees the ban end', async (test) => {
    const server = await startAltered({ minuteSeconds: MINUTE_S });
    test.after(() => server.close());
    const { free, sacrificial } = server.keys;
    const target = targetAt(
      server.baseUrl,
      { free },
      { sacrificial: { key: secret(sacrificial), plan: 'free' } },
    );
    const { findings, summaries } = await ran(target, { profiles: ['ban'], includes: ['ban'] });
    assert.deepEqual(
      idsOf(findings, 'kept').filter((id) => id.startsWith('ban')),
      ['ban-only-that-key', 'ban-temporary'],
    );
    assert.deepEqual(idsOf(findings, 'observed'), ['ban-observed']);
    const seen = findings.find(({ requirement }) => requirement === 'ban-observed');
    assert.match(
      seen?.kind === 'observed' ? seen.value : '',
      /status 429 with \{.*"status":\s*429.*\}, over after/,
    );
    assert.deepEqual(idsOf(findings, 'violated'), []);
    const [ban] = summaries.filter(({ profile }) => profile === 'ban');
    assert.match(
      ban?.sentence ?? '',
      /^Banned after 3\d requests refused with 429: status 429, over after .*; the free key was allowed meanwhile\.$/,
    );
    assert.deepEqual(
      ban?.marks.map(({ kind }) => kind),
      ['ban-begins', 'ban-ends'],
    );
    assert.ok(server.requestsByKey().sacrificial < 61 + 60 + 3);
  });

  for (const [flaw, kind] of [
    [null, 'kept'],
    ['day-not-enforced', 'violated'],
  ] as const)
    it(`uses up a daily quota: ${flaw ?? 'sound'}`, async (test) => {
      const { server, target } = await ofADay(flaw === null ? [] : [flaw]);
      test.after(() => server.close());
      const { findings, records, summaries } = await ran(target, DAY);
      const rows = rowsIn(records, 'day-quota');
      assert.equal(summaries.find(({ profile }) => profile === 'day-quota')?.sent, rows);
      assert.deepEqual(kindsOf(findings, 'rate-day-quota'), [kind]);
      assert.equal(rowsIn(records), server.requests());
      assert.ok(server.requests() <= 110 + 10, `${server.requests()} in all`);
    });

  it('leaves the daily quota open after an interruption', async (test) => {
    const { server, target } = await ofADay([]);
    test.after(() => server.close());
    const interruption = new AbortController();
    const { findings, records } = await ran(target, { ...DAY, signal: interruption.signal }, ({ type }) => {
      if (type === 'progress') interruption.abort();
    });
    const sent = server.requests();
    assert.ok(sent > 5 && sent < 110, `${sent} sent`);
    // Requests open at the interruption may or may not have reached the server.
    assert.ok(answeredIn(records) <= sent && sent <= rowsIn(records, 'day-quota'));
    assert.deepEqual(kindsOf(findings, 'rate-day-quota'), ['inconclusive']);
  });

  it('waits after a 429 for the minute, and continues the day', async (test) => {
    const enterprise = { perMinute: 60, perDay: 90 };
    const refusedOnce = 30;
    const server = await localServer((_, response, count) => {
      const served = count > refusedOnce ? count - 1 : count;
      if (count === refusedOnce || served > enterprise.perDay)
        refuse(response, served > enterprise.perDay ? '600' : '1');
      else response.writeHead(200, rateHeaders(30)).end(anAnimal);
    });
    test.after(() => server.close());
    const target = targetAt(
      `${server.origin}/v1`,
      { enterprise: 'enterprise-key' },
      { plans: { ...targetAt('', {}).plans, enterprise }, windows: { minute: 1, day: 600 } },
    );
    const { findings } = await ran(target, {
      profiles: ['day-quota'],
      includes: ['day-quota'],
      writes: false,
    });
    const day = findings.filter(({ requirement }) => requirement === 'rate-day-quota');
    assert.deepEqual(
      day.map(({ kind }) => kind),
      ['kept'],
    );
  });

  it('continues if a kept connection is sometimes closed without notice', async (test) => {
    const perMinute = 60;
    let window = { from: 0, served: 0 };
    const answered = new WeakMap<object, number>();
    const server = await localServer((request, response) => {
      const { socket } = request;
      const count = (answered.get(socket) ?? 0) + 1;
      answered.set(socket, count);
      // As if the connection ended while the next request was in flight: no limiter saw it.
      if (count > 20) return void socket.destroy();
      const at = Date.now();
      if (at >= window.from + MINUTE_S * 1000) window = { from: at, served: 0 };
      const isServed = window.served < perMinute;
      if (isServed) window.served += 1;
      const reset = Math.ceil((window.from + MINUTE_S * 1000) / 1000);
      const headers = {
        ...rateHeaders(perMinute - window.served),
        [RATE_HEADERS.reset]: String(reset),
        ...(isServed
          ? {}
          : { 'Retry-After': String(Math.ceil((window.from + MINUTE_S * 1000 - at) / 1000)) }),
      };
      response.writeHead(isServed ? 200 : 429, headers);
      response.end(isServed ? anAnimal : '{"code":"rate","message":"too many","status":429}');
    });
    test.after(() => server.close());
    const { findings } = await ran(targetAt(`${server.origin}/v1`, { free: 'free-key' }), { writes: false });
    assert.deepEqual(
      idsOf(findings, 'violated').filter((id) => loadRows().includes(id)),
      [],
    );
    if (wasBusy(findings)) return;
    const decided = [
      'rate-429',
      'rate-remaining-counts',
      'rate-not-early',
      'rate-retry-after-honoured',
    ] as const;
    assert.deepEqual(
      decided.filter((id) => !idsOf(findings, 'kept').includes(id)),
      [],
    );
  });

  it('ends when interrupted during a wait, with the findings so far', { timeout: 60_000 }, async (test) => {
    // A window longer than the test may take.
    const minute = 600;
    const server = await startAltered({ minuteSeconds: minute });
    test.after(() => server.close());
    const interruption = new AbortController();
    const { findings, summaries } = await ran(
      targetAt(server.baseUrl, { free: server.keys.free }, { windows: { minute, day: 86_400 } }),
      { signal: interruption.signal },
      (record) => {
        if (record.type === 'waiting') interruption.abort();
      },
    );
    assert.deepEqual(idsOf(findings, 'violated'), []);
    assert.deepEqual(
      loadRows().filter((id) => !findings.some(({ requirement }) => requirement === id)),
      [],
    );
    assert.equal(
      summaries.reduce((sum, { sent }) => sum + sent, 0),
      server.requests(),
    );
  });
});
