import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { ClientExchange } from '../../wire/exchange/client-exchange.js';
import { behaviourOf } from './behaviour.js';
import { judgedAs, messagesOf, recordOf, refused, sent, START, type Given } from './traffic.test.support.js';

const A = { connection: 'c1' };
const B = { connection: 'c2', target: '/v1/pets?limit=2' };

const waitJudged = (...exchanges: readonly ClientExchange[]) => judgedAs('client-waits', recordOf(exchanges));
const hammerJudged = (...exchanges: readonly ClientExchange[]) =>
  judgedAs('client-does-not-hammer', recordOf(exchanges));

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

/** Times of a recorder at the client, ms after the start. */
const recorded = (ms: number, resolutionMs = 1): Pick<Given, 'times'> => ({
  times: {
    kind: 'client',
    startedAt: START + ms,
    firstByteAt: START + ms + 9,
    endedAt: START + ms + 10,
    resolutionMs,
  },
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
    const [first, perhapsEarly, inTime] = [
      refused('2', [0, 0], recorded(0, 1000)),
      sent({ target: '/v1/pets?limit=2', ...recorded(0, 1000) }),
      sent({ target: '/v1/pets?limit=3', ...recorded(5000, 1000) }),
    ];
    assert.equal(judgedAs('client-waits', recordOf([first, inTime], { source: 'har' })), 'kept');
    const record = recordOf([first, perhapsEarly, inTime], { source: 'har' });
    assert.equal(judgedAs('client-waits', record), 'not-shown');
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
  test('another key, a request without times, and a 503 show nothing', () => {
    const pro = { kind: 'plan', plan: 'pro' } as const;
    assert.equal(waitJudged(refused('2', [0, 10], A), sent({ ...A, key: pro, at: [20, 21] })), 'kept');
    assert.equal(
      waitJudged(sent({ status: 503, headers: [['Retry-After', '2']] }), sent({ at: [20, 21] })),
      'not-shown',
    );
    assert.equal(waitJudged(refused('2', [0, 10]), sent({ times: { kind: 'unknown' } })), 'not-shown');
  });
});

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

/** Returns one request refused again after each wait, ms. */
const chain = (waits: readonly number[], retryAfter = '1'): readonly ClientExchange[] => {
  let at = 0;
  return [0, ...waits].map((wait) => refused(retryAfter, [(at += wait), at]));
};

const judged = (waits: readonly number[], given: Parameters<typeof recordOf>[1] = {}) =>
  judgedAs('client-backoff', recordOf(chain(waits), given));

describe('client-backoff', () => {
  test('the same addition over four refusals warns', () => {
    assert.equal(judged([1000, 1010, 1005, 1001]), 'violated');
    assert.equal(judged([2000, 2100, 1990]), 'violated');
    assert.equal(judged([500, 500, 500]), 'violated');
  });
  test('growth, jitter, and an early end keep it', () => {
    assert.equal(judged([1100, 1200, 1400, 1800]), 'kept');
    assert.equal(judged([1300, 1010, 1800]), 'kept');
    assert.equal(judged([1000, 2000, 4000]), 'kept');
    assert.equal(judged([1000, 1000]), 'kept');
  });
  test('short waits that rise by more than timers do are no constant ones, and show no growth', () => {
    assert.equal(judged([1010, 1020, 1040]), 'not-shown');
    assert.equal(judged([1012, 1031, 1018, 1044]), 'violated');
    assert.equal(judged([1001, 1004, 1009]), 'violated');
  });
  test('a difference that a stall of this machine may have made shows nothing', () => {
    const slow = { end: { endedAt: START + 9000, finished: true, graceMs: 464 } };
    assert.equal(judged([1085, 1020, 1018, 1012], slow), 'not-shown');
    assert.equal(judged([1100, 1200, 1400, 1800], slow), 'kept');
    assert.equal(judged([1000, 1010, 1005, 1001], slow), 'violated');
  });
  test('a record that merely ends shows nothing', () =>
    assert.equal(
      judged([1000, 1000], { end: { endedAt: START + 2001, finished: false, graceMs: 250 } }),
      'not-shown',
    ));
});

/** A client's waits as they truly were, with what the server and the network added. */
const pair = fc.record({
  rest: fc.integer({ min: 1, max: 5 }),
  wait: fc.integer({ min: 0, max: 8000 }),
  delays: fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 6, maxLength: 6 }),
  resolution: fc.constantFrom(0, 1, 1000),
  isSame: fc.boolean(),
});

/** Cuts a time to the record's resolution. */
const cut = (ms: number, resolution: number): number =>
  resolution === 0 ? ms : Math.floor(ms / resolution) * resolution;

test('on either clock, whatever is slow, a client that waited is never too early', () => {
  fc.assert(
    fc.property(
      pair,
      ({
        rest,
        wait,
        delays: [toServer = 0, inServer = 0, back = 0, stall = 0, again = 0, answer = 0],
        resolution,
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
        const at = (ms: number): number => START + cut(ms, resolution);
        const client = (from: number, first: number, end: number) =>
          ({
            kind: 'client',
            startedAt: at(from),
            firstByteAt: at(first),
            endedAt: at(end),
            resolutionMs: resolution,
          }) as const;
        const own = [
          refused(String(rest), [0, 0], { times: client(0, receivedAt, receivedAt) }),
          sent({ times: client(sentAgain, readAgain + answer, readAgain + answer) }),
        ];
        for (const [record, source] of [
          [server, 'reference'],
          [server, 'proxy'],
          [own, 'har'],
        ] as const) {
          const judged = judgedAs('client-waits', recordOf(record, { source }));
          if (wait >= rest * 1000) assert.notEqual(judged, 'violated', source);
          // What certainly was too early is never a pass.
          if (judged === 'kept' && source === 'har')
            assert.ok(wait >= rest * 1000 - 2 - 2 * resolution, source);
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

test('a client that backs off by a factor never warns, however the machine stalls', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 50, max: 2000 }),
      fc.double({ min: 1.5, max: 3, noNaN: true }),
      fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 5, maxLength: 5 }),
      (base, factor, noise) => {
        let at = 0;
        const record = [0, ...noise.map((more, nth) => 1000 + base * factor ** nth + more)].map((wait) =>
          refused('1', [(at += wait), at]),
        );
        assert.equal(judgedAs('client-backoff', recordOf(record)), 'kept');
      },
    ),
  );
});

const dated = (ms: number) => ['Date', new Date(START + ms).toUTCString()] as const;

test('a clock that was set back during a recording invents no early request', () => {
  const first = { status: 429, ...recorded(0), headers: [['Retry-After', '10'], dated(0)] } as const;
  const at = (ms: number, server: number) =>
    judgedAs(
      'client-waits',
      recordOf([sent(first), sent({ ...recorded(ms), headers: [dated(server)] })], { source: 'har' }),
    );
  assert.equal(at(7100, 10_000), 'not-shown', 'set back by 3 s');
  assert.equal(at(7100, 7000), 'violated');
  assert.equal(at(9100, 10_000), 'violated', 'a Date is cut to the second');
});

test('a clock that was set forward during a recording shows no wait', () => {
  const first = { status: 429, ...recorded(0), headers: [['Retry-After', '10'], dated(0)] } as const;
  const at = (server: number) =>
    judgedAs(
      'client-waits',
      recordOf([sent(first), sent({ ...recorded(10_500), headers: [dated(server)] })], { source: 'har' }),
    );
  assert.equal(at(6000), 'not-shown', 'set forward by 4 s or more');
  assert.equal(at(8000), 'kept', 'a Date may be 2 s old, and is cut to the second');
});

/** Returns times as a recorder of whole seconds writes them. */
const inSeconds = (ms: number) => recorded(Math.floor(ms / 1000) * 1000, 1000);
const waitsIn = (...given: readonly Given[]) =>
  judgedAs('client-waits', recordOf(given.map(sent), { source: 'har' }));

test('times in whole seconds show waits of one request after another, and none of parallel ones', () => {
  const refusal = (ms: number) => ({
    ...inSeconds(ms),
    status: 429,
    headers: [['Retry-After', '2']] as const,
  });
  const other = { target: '/v1/pets?limit=3' };
  assert.equal(waitsIn(refusal(500), inSeconds(4600)), 'kept');
  const inTime = [refusal(500), { ...refusal(510), ...other }, inSeconds(4600)];
  assert.equal(
    waitsIn(...inTime, { ...inSeconds(1400), ...other }),
    'not-shown',
    'one is repeated 0.9 s later',
  );
});

test('equal calls of a page that are refused together and repeated in time are kept, as recorded at the client', () => {
  const headers = [['Retry-After', '2']] as const;
  const both = [0, 0].map((at) => sent({ status: 429, headers, ...recorded(at) }));
  const again = (ms: number) =>
    recordOf([...both, ...[ms, ms].map((at) => sent(recorded(at)))], { source: 'har' });
  assert.equal(judgedAs('client-waits', again(2100)), 'kept');
});

test('a refusal without times may have replaced the one before it', () => {
  const long = sent({ status: 429, headers: [['Retry-After', '60']], ...recorded(0) });
  const replaced = refused('1', [0, 0], { times: { kind: 'unknown' } });
  const early = sent(recorded(2500));
  for (const row of ['client-waits', 'client-does-not-hammer'] as const)
    assert.equal(judgedAs(row, recordOf([long, replaced, early], { source: 'har' })), 'not-shown', row);
  assert.equal(judgedAs('client-waits', recordOf([long, early], { source: 'har' })), 'violated');
});

/** Returns a recording from which the recorder removed the keys: with their header, or not. */
const withoutKeys = (key: ClientExchange['credential']['key'], ...given: readonly Given[]) =>
  recordOf(
    given.map((each) => {
      const one = sent({ ...each, key });
      const headers = one.request.headers.filter(([name]) => name !== 'Authorization');
      return key.kind === 'none' ? { ...one, request: { ...one.request, headers } } : one;
    }),
    { source: 'har' },
  );

test('a record without any Authorization shows the waits of repeated requests, as one with masks does', () => {
  const first = { status: 429, headers: [['Retry-After', '2']] as const, ...recorded(0) };
  for (const key of [{ kind: 'none' }, { kind: 'masked', mask: '***' }] as const) {
    const served = key.kind === 'none' ? 'not-shown' : 'violated';
    assert.equal(judgedAs('client-waits', withoutKeys(key, first, recorded(500))), served, key.kind);
    const again = { ...first, ...recorded(500) };
    assert.equal(judgedAs('client-waits', withoutKeys(key, first, again)), 'violated', key.kind);
    assert.equal(judgedAs('client-waits', withoutKeys(key, first, recorded(2100))), 'kept', key.kind);
    const ofOthers = { ...recorded(500), requestHeaders: [['User-Agent', 'another']] as const };
    assert.equal(judgedAs('client-waits', withoutKeys(key, first, ofOthers)), 'not-shown', key.kind);
    const other = { ...recorded(500), target: '/v1/pets?limit=3' };
    assert.equal(judgedAs('client-waits', withoutKeys(key, first, other)), 'not-shown', key.kind);
  }
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
