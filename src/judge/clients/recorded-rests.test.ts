import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClientExchange, ExchangeTimes } from '../../wire/exchange/client-exchange.js';
import { behaviourOf } from './behaviour.js';
import { judgedAs, recordOf, sent, START, type Given } from './traffic.test.support.js';

/** Times of a recorder at the client: start and first byte, ms after the start of the record. */
const at = (from: number, first = from + 9, resolutionMs = 1): Pick<Given, 'times'> => ({
  times: {
    kind: 'client',
    startedAt: START + from,
    firstByteAt: START + first,
    endedAt: START + first + 1,
    resolutionMs,
  },
});

const after = (retryAfter: string, ms: number, more: Given = {}): Given => ({
  status: 429,
  ...at(ms),
  ...more,
  headers: [['Retry-After', retryAfter], ...(more.headers ?? [])],
});

const dated = (ms: number) => ['Date', new Date(START + ms).toUTCString()] as const;

const record = (...given: readonly (Given | ClientExchange)[]) =>
  recordOf(
    given.map((each) => ('id' in each ? each : sent(each))),
    { source: 'har' },
  );
const waits = (...given: readonly Given[]) => judgedAs('client-waits', record(...given));
const hammer = (...given: readonly Given[]) => judgedAs('client-does-not-hammer', record(...given));

/** Returns a creation whose body the recorder left out. */
function bodiless(given: Given): ClientExchange {
  const one = sent({ ...given, method: 'POST', body: '{}' });
  return { ...one, request: { ...one.request, body: { kind: 'missing', why: 'it was not recorded' } } };
}

/** As a recorder leaves a request whose key it removed with its header, or replaced. */
const withoutKeys = (key: ClientExchange['credential']['key'], ...given: readonly Given[]) =>
  judgedAs(
    'client-waits',
    record(
      ...given.map((each) => {
        const one = sent({ ...each, key });
        const headers = one.request.headers.filter(([name]) => name !== 'Authorization');
        return key.kind === 'none' ? { ...one, request: { ...one.request, headers } } : one;
      }),
    ),
  );

describe('a record made elsewhere', () => {
  test('shows a repetition that came too early by more than 200 ms, up to the first byte of its response', () => {
    assert.equal(waits(after('3', 0), at(350)), 'violated');
    assert.equal(waits(after('3', 0), at(2700, 2799)), 'violated');
    assert.equal(waits(after('3', 0), at(2700, 2800)), 'not-shown');
    assert.equal(waits(after('3', 0), at(350, 2900)), 'not-shown', 'the server may have read it late');
  });

  test('shows no wait that was kept, no backoff, and nothing by its end', () => {
    assert.equal(waits(after('3', 0), at(3500)), 'not-shown');
    assert.equal(waits(after('3', 0)), 'not-shown');
    const again = [0, 1, 2, 3, 4, 5].map((nth) => after('1', nth * 1010));
    assert.equal(judgedAs('client-backoff', record(...again)), 'not-shown');
    assert.deepEqual(
      behaviourOf([record(after('3', 0), at(3500))]).filter(({ subject }) => subject === 'After a 429'),
      [],
    );
  });

  test('shows nothing of another request: method, address, body or key', () => {
    const other: readonly Given[] = [
      { target: '/v1/pets?limit=3' },
      { method: 'POST', body: '{}' },
      { key: { kind: 'plan', plan: 'pro' } },
      { key: { kind: 'other', nth: 2 } },
    ];
    for (const each of other) assert.equal(waits(after('3', 0), { ...at(350), ...each }), 'not-shown');
  });

  test('shows nothing of creations whose bodies it lacks: they may be of two animals', () => {
    assert.equal(judgedAs('client-waits', record(bodiless(after('3', 0)), bodiless(at(350)))), 'not-shown');
    const whole = { method: 'POST', body: '{}' };
    assert.equal(waits(after('3', 0, whole), { ...at(350), ...whole }), 'violated');
  });

  test('shows nothing of what began before the refusal had ended', () => {
    assert.equal(waits(after('3', 0, at(0, 500)), at(400)), 'not-shown');
    assert.equal(waits(after('3', 0), at(10)), 'not-shown', 'in the millisecond of its end');
  });

  test('shows nothing in whole seconds, without times, or where the clock ran back', () => {
    assert.equal(waits(after('9', 0, at(0, 0, 1000)), at(2000, 2000, 1000)), 'not-shown');
    const unknown: ExchangeTimes = { kind: 'unknown' };
    assert.equal(waits(after('9', 0), after('1', 0, { times: unknown }), at(2000)), 'not-shown');
    assert.equal(
      waits(after('10', 0, { headers: [dated(0)] }), { ...at(7100), headers: [dated(10_000)] }),
      'not-shown',
    );
    assert.equal(
      waits(after('10', 0, { headers: [dated(0)] }), { ...at(7100), headers: [dated(7000)] }),
      'violated',
    );
    const [before, later] = [{ headers: [dated(10_000)] }, { headers: [dated(15_000)] }];
    assert.equal(waits(after('5', 10_000, before), after('5', 7000, later)), 'not-shown', 'by 8 s');
  });

  test('reads a date against the Date sent with it, less 3 s', () => {
    const refusal = (ahead: number) =>
      after(new Date(START + ahead).toUTCString(), 0, { headers: [dated(0)] });
    assert.equal(waits(refusal(10_000), at(350)), 'violated');
    assert.equal(waits(refusal(10_000), at(6900)), 'not-shown');
    assert.equal(waits(refusal(3000), at(350)), 'not-shown');
    assert.equal(waits(after(new Date(START + 10_000).toUTCString(), 0), at(350)), 'not-shown', 'no Date');
  });

  test('holds equal requests refused together each against its own refusal', () => {
    assert.equal(waits(after('2', 0), after('1', 0), at(1100), at(2100)), 'not-shown');
    assert.equal(waits(after('2', 0), after('2', 0), at(2100), at(2100)), 'not-shown');
  });

  test('counts hammering by the same rule', () => {
    assert.equal(hammer(after('9', 0), after('9', 400), at(800)), 'violated');
    assert.equal(hammer(after('9', 0), at(400)), 'not-shown');
    assert.equal(hammer(after('9', 0), { ...after('9', 400), target: '/v1/pets?limit=3' }), 'not-shown');
  });

  test('holds no key that may be another one against a client', () => {
    const masked = { kind: 'masked', mask: '***' } as const;
    for (const key of [{ kind: 'none' }, masked] as const) {
      const again = after('3', 350);
      assert.equal(withoutKeys(key, after('3', 0), again), 'violated', key.kind);
      assert.equal(withoutKeys(key, after('3', 0), at(350)), 'not-shown', `${key.kind}, served`);
      const ofOthers = { ...again, requestHeaders: [['User-Agent', 'another']] as const };
      assert.equal(withoutKeys(key, after('3', 0), ofOthers), 'not-shown', key.kind);
    }
  });
});
