import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Exchange } from '../../wire/exchange/types.js';
import { allAbout } from '../findings/finding.js';
import { AT, exchangeOf } from './exchange.test.support.js';
import { ownAllowance } from './scheme-allowance.js';
import { rateHeadersWith } from '../../base/interface/rate-headers.js';

type Listing = readonly [scheme: 'Bearer' | 'bearer', remaining: number, status?: number];

/** Makes listings of a Free key, one after the other. */
const listings = (all: readonly Listing[]): readonly Exchange[] =>
  all.map(([scheme, remaining, status = 200], nth) => {
    const exchange = exchangeOf({
      sentAt: AT + nth * 10,
      status,
      headers: [
        ['Date', new Date(AT).toUTCString()],
        ...rateHeadersWith({ limit: 60, remaining, reset: AT / 1000 + 60 }),
      ],
    });
    return { ...exchange, request: { ...exchange.request, headers: [['Authorization', `${scheme} $KEY`]] } };
  });

const warnings = (...all: readonly Listing[]): readonly (string | undefined)[] =>
  allAbout('auth-scheme-case', ownAllowance(listings(all))).flatMap((finding) =>
    finding.kind === 'violated' && finding.warns === true ? [finding.actual] : [],
  );

describe('an allowance for each spelling of the scheme', () => {
  test('is a warning if the odd spelling finds it whole and the usual one goes on counting', () => {
    const [found, ...others] = warnings(['Bearer', 50], ['bearer', 59], ['Bearer', 49]);
    assert.equal(
      found,
      '“bearer” has its own allowance: 59 of 60 left, 50 before and 49 after with “Bearer”',
    );
    assert.deepEqual(others, []);
  });

  test('is not seen where one counter goes on, or a limiter is nearly full', () => {
    assert.deepEqual(warnings(['Bearer', 50], ['bearer', 49], ['Bearer', 48]), []);
    assert.deepEqual(warnings(['Bearer', 58], ['bearer', 59], ['Bearer', 57]), []);
  });

  test('is not seen where the window restarts in between, however many requests it has counted since', () => {
    assert.deepEqual(warnings(['Bearer', 50], ['bearer', 59], ['Bearer', 58]), []);
    const refused = Array.from({ length: 8 }, (_, nth): Listing => ['Bearer', 58 - nth, 400]);
    assert.deepEqual(warnings(['Bearer', 50], ['bearer', 59], ...refused, ['Bearer', 50]), []);
    const odd = Array.from({ length: 10 }, (_, nth): Listing => ['bearer', 59 - nth]);
    assert.deepEqual(warnings(['Bearer', 50], ...odd, ['Bearer', 49]), []);
  });
});
