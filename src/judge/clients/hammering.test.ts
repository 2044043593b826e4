import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClientExchange } from '../../wire/exchange/client-exchange.js';
import { behaviourOf } from './behaviour.js';
import { judgedAs, messagesOf, recordOf, refused, sent } from './traffic.test.support.js';

const hammerJudged = (...exchanges: readonly ClientExchange[]) =>
  judgedAs('client-does-not-hammer', recordOf(exchanges));

describe('client-does-not-hammer', () => {
  test('one request too early is no hammering, two are', () => {
    assert.equal(hammerJudged(refused('2', [0, 10]), sent({ at: [200, 201] })), 'kept');
    assert.equal(
      hammerJudged(refused('2', [0, 10]), refused('2', [200, 201]), refused('2', [400, 401])),
      'violated',
    );
  });
  test('a blind 1, 2, 4 s against 2, then 1 is only too early', () => {
    const blind = [refused('2', [0, 0]), refused('1', [1000, 1000]), sent({ at: [3000, 3000] })];
    assert.equal(hammerJudged(...blind), 'kept');
    assert.equal(judgedAs('client-waits', recordOf(blind)), 'violated');
  });
  test('a client that may have hammered has not been shown not to', () => {
    const polls = [1, 2].map((nth) =>
      refused('2', [nth, 110], { connection: `c${nth}`, target: `/v1/pets?limit=${nth}` }),
    );
    const queued = [3, 4].map((nth) =>
      sent({ connection: `c${nth - 2}`, target: `/v1/pets?limit=${nth}`, at: [112, 113] }),
    );
    const early = sent({ connection: 'c1', target: '/v1/pets?limit=5', at: [120, 121] });
    assert.equal(hammerJudged(...polls, ...queued, early), 'not-shown');
    assert.equal(hammerJudged(...polls), 'kept');
  });
  test('requests after a success do not count', () => {
    assert.equal(
      hammerJudged(refused('2', [0, 10]), sent({ at: [200, 201] }), sent({ at: [300, 301] })),
      'kept',
    );
  });
});

test('a client that hammers thousands of times, alone or by four, is judged in seconds, and its words stay short', () => {
  const before = process.cpuUsage();
  for (const connections of [1, 4]) {
    const record = recordOf(
      Array.from({ length: 4000 }, (_, nth) => {
        const given = { connection: `c${nth % connections}`, target: `/v1/pets?limit=${1 + (nth % 2)}` };
        const at = [nth * 100, nth * 100 + 90 * connections] as const;
        // Two of each window are served.
        return nth % 600 < 2
          ? sent({ ...given, at })
          : refused(String(60 - Math.floor((nth % 600) / 10)), at, given);
      }),
      { source: 'proxy' },
    );
    for (const row of ['client-waits', 'client-does-not-hammer'] as const)
      assert.equal(judgedAs(row, record), 'violated', `${row}, ${connections}`);
    for (const text of [
      ...messagesOf('client-does-not-hammer', record),
      ...behaviourOf([record]).map((each) => each.value),
    ])
      assert.ok(text.length < 250, text);
  }
  const { user, system } = process.cpuUsage(before);
  // It takes a tenth of a second; by comparing each request with each refusal it took minutes.
  assert.ok(user + system < 10_000_000, `${user + system} µs`);
});
