import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sampleWith } from '../testing/limiters/sample-with.js';
import { gatherMoments, MOST_MOMENTS } from './series.js';

const answer = fc.record({
  after: fc.integer({ min: 1, max: 1000 }),
  status: fc.constantFrom(200, 201, 429, 403, 0),
  limit: fc.constantFrom(60, null, 'many'),
  remaining: fc.oneof(fc.nat(60), fc.constant(null), fc.constant('few')),
});

test('a short series has one moment per sample', () => {
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 50 }), (answers) => {
      const moments = gatherMoments();
      let at = 0;
      const samples = answers.map(({ after, ...rest }) => {
        at += after;
        return sampleWith({ ...rest, sentAt: at, answeredAt: at + 5 });
      });
      samples.forEach(moments.add);
      assert.deepEqual(
        moments.all(),
        samples.map(({ sentAt, answeredAt, status, limit, remaining }) => ({
          sentAt,
          answeredAt,
          served: status === 200 || status === 201 ? 1 : 0,
          refused: status === 429 ? 1 : 0,
          other: status === 403 || status === 0 ? 1 : 0,
          limit: typeof limit === 'number' ? limit : null,
          remaining:
            typeof remaining === 'number'
              ? { first: remaining, lowest: remaining, highest: remaining, last: remaining }
              : null,
        })),
      );
    }),
  );
});

test('a long series has a limited number of moments but keeps counts, extremes and pauses', () => {
  const moments = gatherMoments();
  const PAUSE_MS = 60_000;
  const COUNT = 200_000;
  for (let sent = 0; sent < COUNT; sent += 1) {
    const sentAt = sent * 6 + (sent >= COUNT / 2 ? PAUSE_MS : 0);
    const remaining = sent === 77_777 ? 1_000_000 : sent === 155_555 ? 0 : 500;
    moments.add(
      sampleWith({
        sentAt,
        answeredAt: sentAt + 4,
        status: sent % 1000 === 0 ? 429 : 200,
        limit: 60,
        remaining,
      }),
    );
  }
  const all = moments.all();
  assert.ok(all.length <= MOST_MOMENTS && all.length > MOST_MOMENTS / 4, `${all.length} moments`);
  const sum = (amountOf: (moment: (typeof all)[number]) => number): number =>
    all.reduce((total, moment) => total + amountOf(moment), 0);
  assert.deepEqual(
    [sum(({ served }) => served), sum(({ refused }) => refused)],
    [COUNT - COUNT / 1000, COUNT / 1000],
  );
  assert.equal(Math.max(...all.map(({ remaining }) => remaining?.highest ?? 0)), 1_000_000);
  assert.equal(Math.min(...all.map(({ remaining }) => remaining?.lowest ?? 500)), 0);
  assert.deepEqual([all[0]?.sentAt, all.at(-1)?.answeredAt], [0, (COUNT - 1) * 6 + PAUSE_MS + 4]);
  const pauses = all.slice(1).map(({ sentAt }, index) => sentAt - (all[index]?.answeredAt ?? 0));
  assert.ok(Math.max(...pauses) >= PAUSE_MS - 6);
  assert.ok(
    pauses.every((pause) => pause > -6),
    'in the order of time',
  );
});
