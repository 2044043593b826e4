import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as assertProperty, integer, property } from 'fast-check';
import { Meter } from './meter.js';
import { countsUntil, watchThroughput } from './throughput.js';

/**
 * Returns the successful responses per second of each phase, for arrivals at a queue with a fixed service
 * time.
 */
function throughputOfQueue(
  phases: readonly { readonly perSecond: number; readonly seconds: number }[],
  serviceMs: number,
) {
  const watch = watchThroughput();
  const responses: { readonly at: number; readonly phase: number }[] = [];
  let [startMs, freeAt] = [0, 0];
  const meters = phases.map(({ perSecond, seconds }, phase) => {
    for (let place = 0; place < perSecond * seconds; place += 1) {
      const arrival = startMs + ((place + 0.5) * 1000) / perSecond;
      freeAt = Math.max(freeAt, arrival) + serviceMs;
      responses.push({ at: freeAt, phase });
    }
    const [beginsAt, endAt] = [startMs, startMs + seconds * 1000];
    startMs = endAt;
    return { meter: new Meter(`phase ${phase}`, countsUntil(endAt, seconds * 1000)), beginsAt, seconds };
  });
  let begun = 0;
  for (const { at, phase } of responses.toSorted((one, other) => one.at - other.at)) {
    for (; (meters[begun]?.beginsAt ?? Infinity) <= at; begun += 1) {
      const next = meters[begun];
      if (next) watch.begins(next.meter);
    }
    const own = meters[phase];
    if (own) watch.served(own.meter, 'listPets', at);
  }
  return meters.map(({ meter, seconds }) => {
    const [operation] = meter.totals().operations;
    return (operation?.inTime ?? 0) / seconds;
  });
}

test('throughput beyond capacity is the capacity, also in the phases that follow', () =>
  assertProperty(
    property(integer({ min: 20, max: 200 }), integer({ min: 11, max: 30 }), (capacity, tenths) => {
      const perSecond = Math.round((capacity * tenths) / 10);
      const phases = [
        { perSecond, seconds: 20 },
        { perSecond: capacity * 2, seconds: 20 },
      ];
      for (const measured of throughputOfQueue(phases, 1000 / capacity))
        assert.ok(Math.abs(measured / capacity - 1) <= 0.02, `${measured} of ${capacity}`);
    }),
  ));

test('a server that keeps up has the throughput of its load', () =>
  assertProperty(
    property(integer({ min: 10, max: 200 }), integer({ min: 1, max: 40 }), (perSecond, serviceMs) => {
      if (serviceMs * perSecond >= 1000) return;
      const [measured] = throughputOfQueue([{ perSecond, seconds: 10 }], serviceMs);
      assert.equal(measured, perSecond);
    }),
  ));
