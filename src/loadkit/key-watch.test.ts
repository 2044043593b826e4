import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as assertProperty, constantFrom, integer, property } from 'fast-check';
import { watchKey } from './key-watch.js';

const windows = { minute: 60, day: 86_400 };
const plan = { perMinute: 5, perDay: 1000 };

test('a 429 within the allowance differs from one beyond it', () => {
  const watch = watchKey(plan, windows);
  for (let at = 0; at < 5; at += 1) watch.sent(1000 + at);
  assert.equal(watch.isBeyond(1004), false);
  watch.sent(1005);
  assert.equal(watch.isBeyond(1005), true);
});

test('requests older than a window do not count', () => {
  const watch = watchKey(plan, windows);
  for (let at = 0; at < 5; at += 1) watch.sent(1000 + at);
  watch.sent(62_000);
  assert.equal(watch.isBeyond(62_000), false);
});

test('the daily quota counts as well as the minute limit', () => {
  const watch = watchKey({ perMinute: 5, perDay: 8 }, windows);
  for (let at = 0; at < 9; at += 1) watch.sent(at * 30_000);
  assert.equal(watch.isBeyond(240_000), true);
});

test('after a 429 the key pauses for a window, or for Retry-After if longer', () => {
  const watch = watchKey(plan, windows);
  assert.equal(watch.isHeld(1000), false);
  watch.refused(1000, 0);
  assert.equal(watch.isHeld(60_900), true);
  assert.equal(watch.isBeyond(60_900), true);
  assert.equal(watch.isHeld(61_100), false);
  watch.refused(61_100, 120_000);
  assert.equal(watch.isHeld(180_000), true);
  watch.refused(70_000, 0);
  assert.equal(watch.isHeld(180_000), true, 'a later refusal shortened the wait');
});

test('a 429 counts as wrong only if every correct limiter would allow the request', () =>
  assertProperty(
    property(
      array(integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 60 }),
      integer({ min: 1, max: 10 }),
      constantFrom(1, 2, 60),
      (gaps, perMinute, minute) => {
        const watch = watchKey({ perMinute, perDay: 1e9 }, { minute, day: 86_400 });
        const sent: number[] = [];
        let at = 1_000_000;
        for (const gap of gaps) {
          at += gap;
          watch.sent(at);
          sent.push(at);
          const within = (ms: number): number => sent.filter((moment) => moment > at - ms).length;
          const slack = Math.max(1, Math.min(50, minute * 5));
          // An exact limiter may refuse this request, so a 429 is no error.
          if (within(minute * 1000) > perMinute) assert.equal(watch.isBeyond(at), true);
          // The plan allows this many in a little more than a window, so a 429 is wrong.
          if (within(minute * 1000 + 2 * slack) <= perMinute) assert.equal(watch.isBeyond(at), false);
        }
      },
    ),
  ));

test('after a wait one request goes first, and the others only after its success', () => {
  const watch = watchKey(plan, windows, 'refuse');
  watch.sent(1000);
  watch.told(1010, 5000);
  assert.equal(watch.isToWait(6000), true);
  // Sent before the refusal came: it says nothing about the time after it.
  watch.answered(1000, true);
  assert.equal(watch.isToWait(6010), false);
  watch.sent(6010);
  assert.equal(watch.isToWait(6011), true);
  watch.answered(6010, true);
  assert.equal(watch.isToWait(6012), false);
});

test('a key that is refused again after each wait stops at 8 refusals in a row', () => {
  const watch = watchKey(plan, windows, 'refuse');
  let refusals = 0;
  for (let at = 1000; at < 120_000; at += 10) {
    if (watch.isToWait(at)) continue;
    watch.sent(at);
    watch.told(at, 0);
    refusals += 1;
  }
  assert.equal(refusals, 8);
});

test('a request without a response does not stop its key', () => {
  const watch = watchKey(plan, windows, 'refuse');
  watch.told(1000, 0);
  watch.sent(1010);
  watch.answered(1010, false);
  assert.equal(watch.isToWait(1020), false);
});

test('a delayed 429 is judged by the requests sent before it', () => {
  const watch = watchKey(plan, windows);
  for (let at = 0; at < 5; at += 1) watch.sent(1000 + at);
  assert.equal(watch.sent(60_000), true);
  // The earlier ones left the window before this response.
  assert.equal(watch.sent(62_000), false);
  assert.equal(watch.isBeyond(60_000), false);
});

test('a Retry-After that was rounded down to 0 uses up few refusals, because the wait grows until a second has passed', () => {
  const watch = watchKey(plan, windows, 'refuse');
  const allowedAt = 1000 + 990;
  watch.sent(1000);
  watch.told(1000, 0);
  let refusals = 1;
  let at = 1000;
  for (; at < 10_000; at += 1) {
    if (watch.isToWait(at)) continue;
    watch.sent(at);
    if (at >= allowedAt) break;
    watch.told(at, 0);
    refusals += 1;
  }
  assert.ok(at >= allowedAt && at < allowedAt + 1500, `allowed after ${at - 1000} ms`);
  assert.ok(refusals <= 5, `${refusals} refusals`);
  watch.answered(at, true);
  // The next wait is the one that its 429 names.
  watch.sent(at + 1);
  watch.told(at + 1, 2000);
  assert.equal(watch.isToWait(at + 2001), false);
});
