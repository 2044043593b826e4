import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { AT, exchangeOf } from '../../judge/checks/exchange.test.support.js';
import type { Exchange, Header } from '../../wire/exchange/types.js';
import { MAX_PATIENCE, pauseAfter, pauseBefore, refusedThroughout } from './waits.js';
import { RATE_HEADERS } from '../../base/interface/rate-headers.js';

const MINUTE = 60_000;
const httpDate = (ms: number): string => new Date(ms).toUTCString();
const limited = (...headers: readonly Header[]): Exchange => exchangeOf({ status: 429, headers });
const waits = (exchange: Exchange, attempt = 0, windowMs = MINUTE): number | null =>
  pauseAfter(exchange, attempt, windowMs)?.ms ?? null;

test('only an unexpected 429, 502, 503 or 504 causes a wait', () => {
  for (const status of [200, 201, 400, 401, 404, 500, 501]) assert.equal(waits(exchangeOf({ status })), null);
  for (const status of [429, 502, 503, 504]) {
    assert.ok((waits(exchangeOf({ status })) ?? 0) > 0);
    const intent = { kind: 'expects', statuses: [status], chargedTo: 'rate-429' } as const;
    assert.equal(waits(exchangeOf({ status, intent })), null);
  }
  assert.equal(waits(exchangeOf({ none: 'reset' })), null);
});

test('Retry-After is respected, as seconds or as a date of the server’s clock', () => {
  const seconds = waits(limited(['Retry-After', '7']));
  assert.ok(seconds !== null && seconds >= 7000 && seconds <= 8000);
  const ahead = AT + 90_000;
  const date = waits(limited(['Date', httpDate(ahead)], ['Retry-After', httpDate(ahead + 7000)]));
  assert.ok(date !== null && date >= 7000 && date <= 8000);
  assert.ok((waits(limited(['Retry-After', '0'])) ?? 0) > 0);
  const unavailable = waits(exchangeOf({ status: 503, headers: [['Retry-After', '7']] }));
  assert.ok(unavailable !== null && unavailable >= 7000 && unavailable <= 8000);
});

test('no wait exceeds a window plus grace, for any Retry-After', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat({ max: MAX_PATIENCE }), (text, attempt) => {
      for (const value of [text, `9${text}`, '999999999', httpDate(AT + 1e10), '1e9', '-5', 'soon']) {
        const ms = waits(limited(['Retry-After', value]), attempt, 2000);
        assert.ok(ms === null || (ms > 0 && ms <= 6000), `${value}: ${ms}`);
      }
    }),
  );
});

test('a wait longer than a window plus grace is not started', () => {
  for (const [asked, isBegun] of [
    ['6', true],
    ['7', false],
    ['999999999', false],
  ] as const)
    assert.equal(waits(limited(['Retry-After', asked]), 0, 2000) !== null, isBegun, asked);
});

test('without Retry-After, waits after 503 triple, three times: they outlast three seconds', () => {
  assert.deepEqual(
    [0, 1, 2, 3].map((attempt) => waits(exchangeOf({ status: 503 }), attempt)),
    [250, 750, 2250, null],
  );
});

test('without Retry-After, a 429 causes one wait of one window', () => {
  for (const exchange of [limited(), limited(['Retry-After', 'soon'])]) {
    const [first, ...later] = [0, 1, 2].map((attempt) => waits(exchange, attempt));
    assert.ok(first !== null && first !== undefined && first >= MINUTE && first <= MINUTE + 4000);
    assert.deepEqual(later, [null, null]);
    assert.match(
      pauseAfter(exchange, 0, MINUTE)?.what ?? '',
      /the target’s limit, which was already used up, .*because it sent no Retry-After/,
    );
    assert.doesNotMatch(refusedThroughout(exchange, 1, MINUTE), /although its Retry-After/);
  }
});

test('a 503 with a Retry-After of one hour causes no wait', () => {
  assert.equal(waits(exchangeOf({ status: 503, headers: [['Retry-After', '3600']] })), null);
});

const last = (remaining: string, reset: string, date: string | null = httpDate(AT)): Exchange =>
  exchangeOf({
    sentAt: AT,
    headers: [
      ...(date === null ? [] : [['Date', date] as const]),
      [RATE_HEADERS.remaining, remaining],
      [RATE_HEADERS.reset, reset],
    ],
  });
const inSeconds = (seconds: number): string => String(AT / 1000 + seconds);
const pause = (exchange: Exchange | undefined, now = AT): number | null =>
  pauseBefore(exchange, now, MINUTE)?.ms ?? null;

test('a request waits for Reset if Remaining is 0', () => {
  const ms = pause(last('0', inSeconds(20)));
  assert.ok(ms !== null && ms >= 20_000 && ms <= 21_000);
  const later = pause(last('0', inSeconds(20)), AT + 15_000);
  assert.ok(later !== null && later >= 5000 && later <= 6000);
  assert.equal(pause(last('0', inSeconds(20)), AT + 30_000), null);
});

test('Reset is read by the server’s clock if Date is present', () => {
  const ms = pause(last('0', String(AT / 1000 + 90 + 20), httpDate(AT + 90_000)));
  assert.ok(ms !== null && ms >= 20_000 && ms <= 21_000);
});

test('a request does not wait if Remaining is above 0 or Reset is invalid', () => {
  assert.equal(pause(undefined), null);
  for (const exchange of [
    last('1', inSeconds(20)),
    last('00', inSeconds(20)),
    last('0', 'soon'),
    last('0', '20'),
    last('0', String(AT + 20_000)),
    last('0', inSeconds(-5)),
    last('0', inSeconds(86_400)),
    exchangeOf({ none: 'timeout' }),
  ])
    assert.equal(pause(exchange), null);
});

test('the waits for a Retry-After that was rounded down to 0 last longer than a second', () => {
  const all = Array.from(
    { length: MAX_PATIENCE },
    (_, attempt) => waits(limited(['Retry-After', '0']), attempt) ?? 0,
  );
  assert.ok(all.reduce((sum, ms) => sum + ms) > 1000, all.join());
  assert.ok(all.every((ms, at) => ms > (all[at - 1] ?? 0)));
});

/** Reason of the first wait after a 429 to a request. */
const reasonFor = (credential: Exchange['credential']): string =>
  pauseAfter(exchangeOf({ status: 429, credential, headers: [['Retry-After', '7']] }), 0, MINUTE)?.what ?? '';

test('a wait names the limit of requests without a key', () => {
  assert.match(reasonFor({ kind: 'none' }), /requests without a valid key/);
  assert.doesNotMatch(reasonFor({ kind: 'valid', plan: 'free' }), /without/);
});

/** Reason of the first wait after a 429 with this Remaining. */
const reasonWith = (remaining: string): string =>
  pauseAfter(limited(['Retry-After', '7'], [RATE_HEADERS.remaining, remaining]), 0, MINUTE)?.what ?? '';

test('a wait calls no limit used up of which the refusal itself has requests left', () => {
  assert.match(
    reasonWith('959'),
    /limit, which refused a request with X-RateLimit-Remaining: 959, to be free/,
  );
  for (const remaining of ['0', '-1', 'none', ''])
    assert.match(reasonWith(remaining), /limit, which was already used up, to be free/);
});
