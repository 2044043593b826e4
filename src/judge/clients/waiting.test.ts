import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { ClientExchange } from '../../wire/exchange/client-exchange.js';
import { judgedAs, messagesOf, recordOf, refused, sent, START } from './traffic.test.support.js';

const A = { connection: 'c1' };

const B = { connection: 'c2', target: '/v1/pets?limit=2' };

const waitJudged = (...exchanges: readonly ClientExchange[]) => judgedAs('client-waits', recordOf(exchanges));

/** Returns further requests over four connections. */
const further = (count: number): readonly ClientExchange[] =>
  Array.from({ length: count }, (_, nth) =>
    sent({ connection: `c${(nth % 4) + 1}`, target: `/v1/pets?limit=${10 + nth}`, at: [60 + nth, 70 + nth] }),
  );

/** Returns an exchange as a browser sends it. */
const fetched = (exchange: ClientExchange): ClientExchange => ({
  ...exchange,
  request: { ...exchange.request, headers: [...exchange.request.headers, ['Sec-Fetch-Site', 'same-site']] },
});

describe('client-waits', () => {
  test('a repetition too early is a violation, with its figures', () => {
    const record = recordOf([refused('2', [0, 10]), sent({ at: [210, 220] })]);
    assert.equal(judgedAs('client-waits', record), 'violated');
    assert.deepEqual(messagesOf('client-waits', record), [
      'the client sent again 200 ms after a 429 with Retry-After: 2; 1.8 s too early',
    ]);
  });
  test('a repetition in time keeps the row, also 2 ms early and hours late', () => {
    for (const at of [1998 + 10, 2010, 3_600_000])
      assert.equal(waitJudged(refused('2', [0, 10]), sent({ at: [at, at + 1] })), 'kept');
  });
  test('a wait of a hundred years is the server’s mistake alone', () =>
    assert.equal(waitJudged(refused('99999999999', [0, 10]), sent({ at: [500, 501] })), 'not-shown'));
  test('a client that gives up has waited, and a record that merely ends shows nothing', () => {
    const silent = [refused('2', [0, 10])];
    assert.equal(waitJudged(...silent), 'kept');
    const cut = { endedAt: START + 500, finished: false, graceMs: 250 };
    assert.equal(judgedAs('client-waits', recordOf(silent, { end: cut })), 'not-shown');
    assert.equal(judgedAs('client-waits', recordOf(silent, { end: null })), 'not-shown');
    assert.equal(
      judgedAs('client-waits', recordOf(silent, { end: { ...cut, endedAt: START + 2011 } })),
      'kept',
    );
  });
  test('a client that may have gone on with other requests shows nothing by its end', () => {
    const [one, two] = [
      { connection: 'c2', target: '/v1/pets?limit=2' },
      { connection: 'c3', target: '/v1/pets?limit=3' },
    ];
    const script = [refused('2', [0, 110], A), refused('1', [120, 230], one), refused('1', [240, 350], two)];
    const pool = [
      refused('2', [0, 110], A),
      refused('2', [1, 111], one),
      sent({ ...A, target: '/v1/pets?limit=4', at: [115, 120] }),
    ];
    for (const exchanges of [script, pool])
      for (const row of ['client-waits', 'client-does-not-hammer', 'client-backoff'] as const)
        assert.equal(judgedAs(row, recordOf(exchanges)), 'not-shown', row);
    const together = [refused('2', [0, 110], A), refused('2', [1, 111], one)];
    assert.equal(waitJudged(...together), 'kept', 'what was under way');
  });
  test('another request on the same connection counts at once, one on another connection after the grace', () => {
    assert.equal(
      waitJudged(refused('2', [0, 10], A), sent({ ...A, target: '/v1/pets?limit=2', at: [15, 16] })),
      'violated',
    );
    assert.equal(waitJudged(refused('2', [0, 10], A), sent({ ...B, at: [200, 201] })), 'not-shown');
    assert.equal(waitJudged(refused('2', [0, 10], A), sent({ ...B, at: [300, 301] })), 'violated');
    const slow = { graceMs: 250, end: { endedAt: START + 60_000, finished: false, graceMs: 900 } };
    const late = recordOf([refused('2', [0, 10], A), sent({ ...B, at: [300, 301] })], slow);
    assert.equal(judgedAs('client-waits', late), 'not-shown');
  });
  test('what was under way is not held against it, nor as many further requests', () => {
    const four = [1, 2, 3, 4].map((nth) =>
      refused('2', [nth, 50 + nth], { connection: `c${nth}`, target: `/v1/pets?limit=${nth}` }),
    );
    assert.notEqual(waitJudged(...four, ...further(4)), 'violated');
    assert.equal(waitJudged(...four, ...further(5)), 'violated');
    assert.equal(
      waitJudged(...four, sent({ connection: 'c1', target: '/v1/pets?limit=1', at: [60, 61] })),
      'violated',
    );
  });
  test('a browser’s queue, with equal requests one after another, is not held against its page', () => {
    const queue = [
      refused('2', [0, 110], A),
      ...Array.from({ length: 9 }, (_, nth) => sent({ ...A, at: [120 + nth * 10, 125 + nth * 10] })),
    ];
    assert.equal(waitJudged(...queue), 'violated');
    assert.notEqual(waitJudged(...queue.map(fetched)), 'violated');
    const later = [...queue, sent({ ...A, at: [800, 801] })];
    assert.equal(waitJudged(...later.map(fetched)), 'violated', 'the queue was empty');
    const slow = { end: { endedAt: START + 60_000, finished: true, graceMs: 900 } };
    assert.notEqual(
      judgedAs('client-waits', recordOf(later.map(fetched), slow)),
      'violated',
      'a slow browser',
    );
    assert.equal(
      waitJudged(...[refused('2', [0, 110], A), sent({ ...A, at: [120, 125] })].map(fetched)),
      'violated',
    );
  });
  test('equal requests called together come one after another, and are no repetitions', () => {
    const side = { connection: 'c2', target: '/v1/pets?limit=2' };
    const both = [refused('2', [0, 110], A), sent({ ...side, at: [1, 112] })];
    const equal = [120, 130].map((at) => sent({ ...A, at: [at, at + 5] }));
    assert.notEqual(waitJudged(...both, ...equal), 'violated');
  });
  test('a request in time shows nothing of a rest in which the key may have been used', () => {
    const four = [1, 2, 3, 4].map((nth) =>
      refused('1', [nth, 50 + nth], { connection: `c${nth}`, target: `/v1/pets?limit=${nth}` }),
    );
    const late = sent({ ...A, target: '/v1/pets?limit=50', at: [1300, 1301] });
    assert.equal(waitJudged(...four, ...further(4), late), 'not-shown');
    assert.equal(waitJudged(...four, late), 'kept');
  });
  test('repetitions in time show nothing where another worker may have used the key meanwhile', () => {
    const both = [refused('2', [0, 130], A), refused('2', [1, 131], B)];
    const inTime = [sent({ ...A, at: [2200, 2201] }), sent({ ...B, at: [2201, 2202] })];
    const underWay = sent({ connection: 'c9', target: '/v1/pets?limit=40', at: [2, 132] });
    assert.equal(waitJudged(...both, underWay, ...inTime), 'kept', 'what was under way');
    const goesOn = [400, 800, 1200, 1600].map((at, nth) =>
      sent({ connection: 'c9', target: `/v1/pets?limit=${41 + nth}`, at: [at, at + 250] }),
    );
    assert.equal(waitJudged(...both, underWay, ...goesOn.slice(0, 2), ...inTime), 'not-shown');
    assert.equal(waitJudged(...both, underWay, ...goesOn, ...inTime), 'violated');
  });
  test('a pool that never stops is not excused for ever', () => {
    const all = Array.from({ length: 40 }, (_, nth) =>
      refused('2', [nth * 10, nth * 10 + 35], {
        connection: `c${nth % 4}`,
        target: `/v1/pets?limit=${nth + 1}`,
      }),
    );
    assert.equal(waitJudged(...all), 'violated');
  });
  test('a later, shorter Retry-After replaces an earlier one', () => {
    const replaced = [
      refused('60', [0, 10], A),
      refused('1', [20, 30], { ...A, target: '/v1/pets?limit=2' }),
    ];
    assert.deepEqual(
      messagesOf(
        'client-waits',
        recordOf([...replaced, sent({ ...A, target: '/v1/pets?limit=3', at: [1040, 1041] })]),
      ).length,
      1,
    );
  });
  test('a refusal for which the client may not have stayed, as after its own time limit, asks nothing of it', () => {
    const unread = { ...refused('5', [0, 700], A), mayHaveLeft: true };
    const next = sent({ ...B, at: [1200, 1201] });
    assert.equal(waitJudged(unread, next), 'not-shown');
    assert.equal(waitJudged({ ...unread, mayHaveLeft: false }, next), 'violated');
  });
  test('refused requests rest each for itself', () => {
    const side = [refused('2', [0, 10], A), refused('2', [1, 60], B)];
    assert.equal(
      waitJudged(...side, sent({ ...A, at: [2012, 2013] }), sent({ ...B, at: [2062, 2063] })),
      'kept',
    );
  });
  test('a date is held against the clock of the reference server, and elsewhere against Date less 3 s', () => {
    const date = new Date(START + 3000).toUTCString();
    const at = (ms: number, given: Parameters<typeof recordOf>[1]) =>
      judgedAs(
        'client-waits',
        recordOf(
          [
            refused(date, [0, 900], { headers: [['Date', new Date(START).toUTCString()]] }),
            sent({ at: [ms, ms + 1] }),
          ],
          given,
        ),
      );
    assert.equal(at(2500, {}), 'violated');
    assert.equal(at(3000, {}), 'kept');
    assert.equal(at(2900, { source: 'proxy' }), 'not-shown');
  });
  test('a clock of the client that is a little ahead of the server’s is no mistake, and a second is one', () => {
    const date = new Date(START + 3000).toUTCString();
    const at = (ms: number) => waitJudged(refused(date, [0, 900]), sent({ at: [ms, ms + 1] }));
    assert.equal(at(2950), 'kept');
    assert.equal(at(2000), 'violated');
  });
  test('another key and a 503 show nothing', () => {
    const pro = { kind: 'plan', plan: 'pro' } as const;
    assert.equal(waitJudged(refused('2', [0, 10], A), sent({ ...A, key: pro, at: [20, 21] })), 'kept');
    assert.equal(
      waitJudged(sent({ status: 503, headers: [['Retry-After', '2']] }), sent({ at: [20, 21] })),
      'not-shown',
    );
  });
});

/** A client's waits as they truly were, with what the server and the network added. */
const pair = fc.record({
  rest: fc.integer({ min: 1, max: 5 }),
  wait: fc.integer({ min: 0, max: 8000 }),
  delays: fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 6, maxLength: 6 }),
  isSame: fc.boolean(),
});

/** Times of a recorder at the client, ms after the start. */
const recorded = (from: number, first: number, end: number) =>
  ({
    kind: 'client',
    startedAt: START + from,
    firstByteAt: START + first,
    endedAt: START + end,
    resolutionMs: 1,
  }) as const;

test('on either clock, whatever is slow, a client that waited is never too early', () => {
  fc.assert(
    fc.property(
      pair,
      ({
        rest,
        wait,
        delays: [toServer = 0, inServer = 0, back = 0, stall = 0, again = 0, answer = 0],
        isSame,
      }) => {
        // True times: sent, read, stamped "written", written, received, sent again, read.
        const writtenAt = toServer + inServer;
        const receivedAt = writtenAt + stall + back;
        const sentAgain = receivedAt + wait;
        const readAgain = sentAgain + again;
        const where = isSame ? A : { connection: `other${wait}` };
        const server = [
          refused(String(rest), [toServer, writtenAt], A),
          sent({ ...where, at: [readAgain, readAgain + answer] }),
        ];
        const own = [
          refused(String(rest), [0, 0], { times: recorded(0, receivedAt, receivedAt) }),
          sent({ times: recorded(sentAgain, readAgain + answer, readAgain + answer) }),
        ];
        for (const [record, source] of [
          [server, 'reference'],
          [server, 'proxy'],
          [own, 'har'],
        ] as const) {
          const judged = judgedAs('client-waits', recordOf(record, { source }));
          if (wait >= rest * 1000) assert.notEqual(judged, 'violated', source);
          if (source === 'har') assert.notEqual(judged, 'kept', source);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('a request that was called before the refusal arrived is never too early, on another connection', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 240 }), fc.integer({ min: 0, max: 500 }), (connect, called) => {
      // Called before the refusal was written, at 500; its connect took less than the grace.
      const record = recordOf([
        refused('5', [0, 500], A),
        sent({ ...B, at: [called + connect, called + connect + 1] }),
      ]);
      assert.notEqual(judgedAs('client-waits', record), 'violated');
    }),
  );
});

/**
 * One of several callers of an equal request: its waits beyond Retry-After, and what the server asks of it,
 * s.
 */
const caller = fc.record({
  calledAt: fc.integer({ min: 0, max: 40 }),
  refusals: fc.array(
    fc.record({
      rest: fc.integer({ min: 1, max: 5 }),
      more: fc.integer({ min: 0, max: 300 }),
      servedIn: fc.integer({ min: 1, max: 400 }),
    }),
    { maxLength: 4 },
  ),
});

test('callers of equal requests that rest each its own are never too early', () => {
  fc.assert(
    fc.property(fc.array(caller, { minLength: 2, maxLength: 5 }), (callers) => {
      const exchanges = callers.flatMap(({ calledAt, refusals }, nth) => {
        const connection = `c${nth}`;
        let at = calledAt;
        const refusedOnes = refusals.map(({ rest, more, servedIn }) => {
          const written = at + servedIn;
          const one = refused(String(rest), [at, written], { connection });
          at = written + rest * 1000 + more;
          return one;
        });
        return [...refusedOnes, sent({ connection, at: [at, at + 1] })];
      });
      for (const row of ['client-waits', 'client-does-not-hammer'] as const)
        assert.notEqual(judgedAs(row, recordOf(exchanges)), 'violated', row);
    }),
    { numRuns: 500 },
  );
});
