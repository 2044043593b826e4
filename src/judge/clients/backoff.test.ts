import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { judgedAs, messagesOf, recordOf, refused, sent, START } from './traffic.test.support.js';
import { chain, judged } from './waiting.test.support.js';

describe('client-backoff', () => {
  test('the same addition over four waits warns', () => {
    assert.equal(judged([1000, 1010, 1005, 1001]), 'violated');
    assert.equal(judged([2000, 2100, 1990, 2050]), 'violated');
  });
  test('three waits show nothing: a client that waits and gives up at the fourth refusal has kept it', () => {
    assert.equal(judged([1000, 1010, 1005]), 'kept');
    const goesOn = { end: { endedAt: START + 3016, finished: false, graceMs: 250 } };
    assert.equal(judged([1000, 1010, 1005], goesOn), 'not-shown');
  });
  test('a fourth wait that ends in a success is one', () => {
    const four = chain([1000, 1010, 1005]);
    assert.equal(judgedAs('client-backoff', recordOf([...four, sent({ at: [4015, 4016] })])), 'violated');
  });
  test('waits that are too short are those of client-waits only', () => {
    assert.equal(judged([9, 9, 9, 9, 9]), 'not-shown');
    assert.equal(judged([500, 500, 500, 500]), 'not-shown');
    assert.equal(judged([500, 1010, 1005, 1001]), 'not-shown');
    assert.equal(judged([500, 1000, 1010, 1005, 1001]), 'violated');
    assert.deepEqual(
      messagesOf('client-backoff', recordOf(chain([500, 1000, 1010, 1005, 1001]))).filter((text) =>
        /-\d/.test(text),
      ),
      [],
    );
  });
  test('growth, jitter, and an early end keep it', () => {
    assert.equal(judged([1100, 1200, 1400, 1800]), 'kept');
    assert.equal(judged([1300, 1010, 1800, 1400]), 'kept');
    assert.equal(judged([1000, 2000, 4000, 8000]), 'kept');
    assert.equal(judged([1000, 1000]), 'kept');
  });
  test('short waits that rise by more than timers do are no constant ones, and show no growth', () => {
    assert.equal(judged([1010, 1020, 1030, 1040]), 'not-shown');
    assert.equal(judged([1012, 1031, 1018, 1044]), 'violated');
    assert.equal(judged([1001, 1003, 1004, 1009]), 'violated');
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
