import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Sample } from '../../judge/limits/sample.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import { sendingOrder } from './paced.js';

/** Concurrent requests: each begins `after` ms later, with its own time to the wire and back. */
const requests = fc
  .array(fc.record({ after: fc.nat(20), opening: fc.nat(30), took: fc.integer({ min: 1, max: 200 }) }), {
    maxLength: 60,
  })
  .map((list) => {
    let begun = 0;
    return list.map(({ after, opening, took }) => {
      begun += after;
      const sentAt = begun + opening;
      return { begun, sample: sampleWith({ sentAt, answeredAt: sentAt + took }) };
    });
  });

const sendings = (samples: Iterable<Sample>): readonly number[] =>
  [...samples].map(({ sentAt }) => sentAt).sort((one, other) => one - other);

test('samples pass in the order of sending, and none waits longer than necessary', () => {
  fc.assert(
    fc.property(requests, (planned) => {
      const handedOn: Sample[] = [];
      const order = sendingOrder((sample) => void handedOn.push(sample));
      const answered = new Set<Sample>();
      const underWay = new Map<Sample, { readonly begun: number; readonly end: () => void }>();
      const events = planned.flatMap(({ begun, sample }) => [
        { at: begun, happens: () => void underWay.set(sample, { begun, end: order.begin(begun) }) },
        {
          at: sample.answeredAt,
          happens: () => {
            order.take(sample);
            answered.add(sample);
            underWay.get(sample)?.end();
            underWay.delete(sample);
            const oldest = Math.min(...[...underWay.values()].map((request) => request.begun));
            const due = [...answered].filter(({ sentAt }) => sentAt < oldest);
            assert.deepEqual(sendings(handedOn), sendings(due));
          },
        },
      ]);
      for (const { happens } of events.sort((one, other) => one.at - other.at)) happens();
      assert.deepEqual(
        handedOn.map(({ sentAt }) => sentAt),
        sendings(planned.map(({ sample }) => sample)),
      );
    }),
  );
});
