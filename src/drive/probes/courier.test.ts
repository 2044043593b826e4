import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Redacted } from '../../wire/exchange/redact.js';
import { judging } from '../../judge/checks/exchange.test.support.js';
import { rateFactsOf } from '../../judge/checks/rate-headers.js';
import { statusOf } from '../../wire/exchange/headers.js';
import { createSender } from '../../wire/exchange/sender.js';
import { memoryJournal } from '../../log/journal.js';
import type { LogRecord } from '../../log/record.js';
import { rawServer, respond, type RawRequest } from '../../testing/raw-server.js';
import { Courier, type CourierOptions } from './courier.js';
import { bearer, cutShort, nobody } from './credentials.js';
import { MAX_PATIENCE } from './waits.js';
import { creating, declared, expects, listing } from './specs.js';
import { Unjudgeable } from './unjudgeable.js';
import { RATE_HEADERS } from '../../base/interface/rate-headers.js';

const KEY = 'pk-courier-test-0123456789';
const MINE = bearer('free');
const spec = (limit: number, identity = MINE) => listing({ limit }, identity, declared(200));

/** Starts a server that answers with `answer`, and a courier to it, with short windows. */
async function courierTo(
  t: TestContext,
  answer: (request: RawRequest) => void,
  options: Partial<CourierOptions> = {},
) {
  const server = await rawServer(answer);
  const journal = memoryJournal();
  const sender = createSender({
    baseUrl: `${server.origin}/v1`,
    run: '0a1b2c3d',
    limits: { timeoutMs: 60_000, maxBodyBytes: 10_000 },
  });
  t.after(async () => {
    await sender.close();
    await server.close();
  });
  const rates = rateFactsOf({ plan: { perMinute: 60, perDay: 1000 }, windows: { minute: 1, day: 86_400 } });
  const courier = new Courier({
    sender,
    journal,
    passive: { ...judging, rates },
    key: KEY,
    windowMs: 1000,
    most: 60,
    known: [],
    ...options,
  });
  const of = <T extends LogRecord['type']>(type: T) =>
    journal.records.filter(
      (record): record is Extract<Redacted<LogRecord>, { type: T }> => record.type === type,
    );
  return { server, courier, of };
}

const ok = ({ socket }: RawRequest): void => respond(socket, '[]');
const refuse = ({ socket }: RawRequest, ...headers: readonly string[]): void =>
  respond(socket, '{}', ['Content-Type: application/json', ...headers], '429 Too Many Requests');
const unjudgeable = (code: string) => (error: unknown) =>
  error instanceof Unjudgeable && 'reason' in error.judgement && error.judgement.reason.code === code;

const rates = (remaining: number, resetAt: number): readonly string[] => [
  'Content-Type: application/json',
  `Date: ${new Date().toUTCString()}`,
  `${RATE_HEADERS.limit}: 60`,
  `${RATE_HEADERS.remaining}: ${remaining}`,
  `${RATE_HEADERS.reset}: ${resetAt}`,
];

// Runs in parallel, because most of the time is waiting.
describe('the courier', { concurrency: true }, () => {
  test('sends the same request only once, and again only on demand', async (t) => {
    const { server, courier, of } = await courierTo(t, ok);
    const first = await courier.ask(spec(1));
    assert.equal(await courier.ask(spec(1)), first);
    assert.equal(server.requests.length, 1);
    const again = await courier.askAgain(spec(1));
    assert.notEqual(again, first);
    assert.equal(courier.recall('GET /pets?limit=1'), again);
    assert.equal(await courier.ask(spec(1)), again);
    assert.deepEqual(courier.exchanges(), [first, again]);
    assert.deepEqual(
      of('exchange').map(({ exchange }) => exchange),
      [first, again],
    );
  });

  test('does not repeat a request that the run already sent', async (t) => {
    const { courier: before } = await courierTo(t, ok);
    const known = [await before.ask(spec(1))];
    const { server, courier } = await courierTo(t, ok, { known });
    assert.equal(await courier.ask(spec(1)), known[0]);
    assert.equal(server.requests.length, 0);
  });

  test('limits requests with the key, including earlier ones, but not requests without a key', async (t) => {
    const { courier: before } = await courierTo(t, ok);
    const known = [await before.ask(spec(1))];
    // If a kept connection dies, the client would resend the request, which would be one too many.
    const { server, courier } = await courierTo(
      t,
      (request) => (request.number === 2 ? request.socket.destroy() : ok(request)),
      {
        known,
        most: 3,
      },
    );
    assert.deepEqual([courier.affords(2), courier.affords(3)], [true, false]);
    await courier.ask(spec(2));
    await courier.ask(spec(3));
    assert.ok(!courier.affords(1));
    await assert.rejects(courier.ask(spec(4)), unjudgeable('thrift'));
    await assert.rejects(courier.askAgain(spec(2)), unjudgeable('thrift'));
    assert.equal(statusOf(await courier.ask(spec(1, nobody))), 200);
    const withKey = courier.exchanges().filter(({ credential }) => credential.kind === 'valid');
    assert.equal(withKey.length, known.length + 2);
    // The sender repeats one that was cut off while this machine stood still, and says so.
    const sent = withKey.slice(known.length).reduce((sum, { attempts }) => sum + attempts, 0);
    assert.equal(server.requests.filter(({ text }) => text.includes(KEY)).length, sent);
  });

  test('does not count requests rejected with 429 against the budget', async (t) => {
    const { courier } = await courierTo(
      t,
      (request) => (request.number === 1 ? refuse(request, 'Retry-After: 0') : ok(request)),
      { most: 1 },
    );
    assert.equal(statusOf(await courier.ask(spec(1))), 200);
    await assert.rejects(courier.ask(spec(2)), unjudgeable('thrift'));
  });

  test('treats the same request with another credential as another request', async (t) => {
    const { server, courier } = await courierTo(t, ok);
    await courier.ask(spec(1));
    await courier.ask(spec(1, nobody));
    assert.deepEqual(
      server.requests.map(({ text }) => text.includes(KEY)),
      [true, false],
    );
  });

  test('waits after an unexpected 429 and logs the wait', async (t) => {
    const { server, courier, of } = await courierTo(t, (request) =>
      request.number === 1 ? refuse(request, 'Retry-After: 0') : ok(request),
    );
    assert.equal(statusOf(await courier.ask(spec(1))), 200);
    assert.equal(server.requests.length, 2);
    assert.equal(of('waiting').length, 1);
  });

  test('stops using a key after repeated 429, and continues without a key', async (t) => {
    const { server, courier } = await courierTo(t, (request) =>
      request.text.includes(KEY) ? refuse(request, 'Retry-After: 0') : ok(request),
    );
    assert.equal(statusOf(await courier.ask(spec(1))), 429);
    assert.equal(server.requests.length, MAX_PATIENCE + 1);
    await assert.rejects(courier.ask(spec(2)), unjudgeable('rate-limited'));
    await assert.rejects(courier.askAgain(spec(1)), unjudgeable('rate-limited'));
    assert.equal(server.requests.length, MAX_PATIENCE + 1);
    assert.equal(statusOf(await courier.ask(spec(2, nobody))), 200);
  });

  test('still sends a wrong key after a 429 to requests without key', async (t) => {
    const { courier } = await courierTo(t, (request) =>
      /^authorization:/im.test(request.text) ? ok(request) : refuse(request, 'Retry-After: 0'),
    );
    assert.equal(statusOf(await courier.ask(spec(1, nobody))), 429);
    await assert.rejects(courier.ask(spec(2, nobody)), unjudgeable('rate-limited'));
    assert.equal(statusOf(await courier.ask(spec(3, cutShort))), 200);
  });

  test('does not wait after an expected 429', async (t) => {
    const { server, courier } = await courierTo(t, (request) => refuse(request, 'Retry-After: 60'));
    const exchange = await courier.ask(listing({ limit: 1 }, MINE, expects('rate-429', 429)));
    assert.deepEqual([statusOf(exchange), server.requests.length], [429, 1]);
  });

  test('waits longer after each 503, and accepts a lasting 503', async (t) => {
    const { server, courier, of } = await courierTo(t, ({ socket }) =>
      respond(socket, '', [], '503 Service Unavailable'),
    );
    assert.equal(statusOf(await courier.ask(spec(1))), 503);
    assert.equal(server.requests.length, MAX_PATIENCE + 1);
    assert.equal(of('waiting').length, MAX_PATIENCE);
    assert.equal(statusOf(await courier.ask(spec(2))), 503);
    assert.equal(server.requests.length, MAX_PATIENCE + 2);
  });

  for (const status of ['502 Bad Gateway', '503 Service Unavailable', '504 Gateway Timeout']) {
    const away = ({ socket }: RawRequest): void =>
      respond(
        socket,
        '{"code":"away","message":"away","status":502}',
        ['Content-Type: application/json'],
        status,
      );
    const findingsOf = (of: Awaited<ReturnType<typeof courierTo>>['of']) =>
      of('finding').flatMap(({ finding }) => (finding.kind === 'violated' ? [finding] : []));

    test(`waits out ${status} once, and charges nothing for it`, async (t) => {
      const { courier, of } = await courierTo(t, (request) =>
        request.number === 2 || request.number === 3 ? away(request) : ok(request),
      );
      for (const limit of [1, 2, 3]) assert.equal(statusOf(await courier.ask(spec(limit))), 200);
      const charged = findingsOf(of).filter(({ message }) => /\b50[234]\b/.test(message));
      assert.deepEqual(charged, []);
    });

    test(`leaves requests open while the target returns ${status} to all, and goes on after it`, async (t) => {
      let isAway = false;
      const { server, courier, of } = await courierTo(
        t,
        (request) => (isAway ? away(request) : ok(request)),
        { control: spec(9) },
      );
      await courier.ask(spec(1));
      isAway = true;
      await assert.rejects(courier.ask(spec(2)), unjudgeable('unavailable'));
      const sent = server.requests.length;
      await assert.rejects(courier.ask(spec(3)), unjudgeable('unavailable'));
      assert.equal(server.requests.length, sent + 1);
      isAway = false;
      for (const limit of [2, 3, 9]) assert.equal(statusOf(await courier.ask(spec(limit))), 200);
      assert.deepEqual(
        findingsOf(of).filter(({ message }) => /\b50[234]\b/.test(message)),
        [],
      );
    });

    test(`charges ${status} of one request, and of a request now and then`, async (t) => {
      const { courier, of } = await courierTo(
        t,
        (request) => (/limit=2 /.test(request.text) ? away(request) : ok(request)),
        { control: spec(9) },
      );
      await courier.ask(spec(1));
      const exchange = await courier.ask(spec(2));
      assert.notEqual(statusOf(exchange), 200);
      assert.ok(findingsOf(of).some(({ requirement }) => requirement === 'declared-status'));
      const sporadic = await courierTo(t, (request) =>
        request.number % 3 === 0 ? away(request) : ok(request),
      );
      for (let limit = 1; limit <= 9; limit += 1)
        assert.equal(statusOf(await sporadic.courier.ask(spec(limit))), 200);
      assert.ok(findingsOf(sporadic.of).some(({ requirement }) => requirement === 'declared-status'));
    });
  }

  test('stops after three requests without response', async (t) => {
    const { server, courier } = await courierTo(t, ({ socket }) => void socket.destroy());
    for (const limit of [1, 2, 3]) assert.equal(statusOf(await courier.ask(spec(limit))), null);
    await assert.rejects(courier.ask(spec(4)), unjudgeable('transport'));
    await assert.rejects(courier.ask(spec(5, nobody)), unjudgeable('transport'));
    // A request during which this machine stood still is sent again, as one of a busy machine may be.
    assert.equal(courier.exchanges().length, 3);
    const attempts = courier.exchanges().reduce((sum, each) => sum + each.attempts, 0);
    assert.equal(server.requests.length, attempts);
  });

  test('continues if a response comes between failures', async (t) => {
    const { courier } = await courierTo(t, (request) =>
      request.number % 3 === 0 ? ok(request) : void request.socket.destroy(),
    );
    for (let limit = 1; limit <= 9; limit += 1) await courier.ask(spec(limit));
    assert.equal(courier.exchanges().length, 9);
  });

  test('waits for Reset with the key if Remaining is 0, but not without a key', async (t) => {
    // From the response that names it, so that a busy machine still asks before it.
    let reset = 0;
    const { courier, of } = await courierTo(t, ({ socket, number }) => {
      if (number === 2) reset = Math.ceil(Date.now() / 1000) + 1;
      return respond(socket, '[]', rates(number === 2 ? 0 : 59, reset || Math.ceil(Date.now() / 1000) + 60));
    });
    await courier.ask(spec(1, nobody));
    await courier.ask(spec(1));
    await courier.ask(spec(3, nobody));
    assert.equal(of('waiting').length, 0);
    // A machine that stood still until Reset has nothing to wait for.
    const isOver = Date.now() >= reset * 1000;
    const { sentAt } = await courier.ask(spec(2));
    assert.ok(isOver || of('waiting').length === 1);
    assert.ok(sentAt >= reset * 1000 - 50, `${reset * 1000 - sentAt} ms too soon`);
  });

  test('waits only once if the target always sends Remaining 0 but responds', async (t) => {
    const { courier, of } = await courierTo(t, ({ socket }) =>
      respond(socket, '[]', rates(0, Math.ceil(Date.now() / 1000) + 1)),
    );
    for (const limit of [1, 2, 3, 4]) await courier.ask(spec(limit));
    assert.equal(of('waiting').length, 1);
  });

  test('checks every exchange against the passive requirements', async (t) => {
    const { courier, of } = await courierTo(t, ({ socket }) =>
      respond(socket, '<p>', ['Content-Type: text/html']),
    );
    const { id } = await courier.ask(spec(1));
    const rows = of('finding').map(({ finding }) => finding.requirement);
    assert.ok(rows.includes('json-media-type') && rows.includes('rate-headers-present'));
    for (const { finding } of of('finding'))
      assert.deepEqual('exchanges' in finding && finding.exchanges, [id]);
  });

  test('notes every created animal', async (t) => {
    const { courier, of } = await courierTo(t, ({ socket, number }) =>
      number === 1
        ? respond(socket, '{"id":9007199254740993,"name":"conformance-x"}', undefined, '201 Created')
        : respond(socket, '{}', undefined, '400 Bad Request'),
    );
    const body = '{"name":"conformance-x","categoryId":1}';
    await courier.ask(creating('one', body, MINE, expects('create-ok', 201)));
    await courier.ask(creating('another', body, MINE, expects('create-ok', 201)));
    assert.deepEqual(of('created'), [{ type: 'created', id: '9007199254740993', name: 'conformance-x' }]);
  });
});
