import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { ProfileSummary, SampleRow } from '../../../log/record.js';
import { heavyLoad, wholeLoad } from '../synthetic/load.test.support.js';
import { inputOf } from '../synthetic/run.test.support.js';
import { chartsOf, COLUMNS, envelope, type Point } from './window.js';

const curve = fc
  .array(fc.tuple(fc.nat(30), fc.integer({ min: -5, max: 3_000 })), { maxLength: 400 })
  .map((points) => points.sort(([one], [other]) => one - other) as readonly Point[]);

test('a thinned curve keeps first, last, minimum and maximum of each column', () => {
  fc.assert(
    fc.property(curve, (points) => {
      const thinned = envelope(points);
      for (const column of new Set(points.map(([at]) => at))) {
        const all = points.filter(([at]) => at === column).map(([, value]) => value);
        const kept = thinned.filter(([at]) => at === column).map(([, value]) => value);
        assert.ok(kept.length <= 4);
        assert.deepEqual(
          [kept[0], kept.at(-1), Math.min(...kept), Math.max(...kept)],
          [all[0], all.at(-1), Math.min(...all), Math.max(...all)],
        );
      }
    }),
  );
});

test('a chart counts every sample and has a fixed size', () => {
  const [chart] = chartsOf(inputOf({ load: heavyLoad(100_000) }).log, 'window');
  assert.ok(chart);
  assert.equal(chart.totals.served + chart.totals.refused + chart.totals.other, 100_000);
  assert.equal(
    chart.lanes.served.reduce((sum, [, amount]) => sum + amount, 0),
    chart.totals.served,
  );
  assert.ok(chart.remaining.length <= 4 * COLUMNS);
});

test('plans are sorted by size with separate time scales; a ban has its own chart', () => {
  const { log } = inputOf({ load: wholeLoad() });
  const charts = chartsOf(log, 'window');
  assert.deepEqual(
    charts.map(({ plan, limit }) => [plan, limit]),
    [
      ['free', 60],
      ['pro', 300],
      ['business', 1_000],
      ['enterprise', 2_400],
    ],
  );
  assert.equal(new Set(charts.map(({ time }) => time)).size, 4);
  const [ban] = chartsOf(log, 'ban');
  assert.deepEqual(
    ban?.marks.map(({ kind }) => kind),
    ['first-refusal', 'ban-begins', 'ban-ends'],
  );
  assert.equal(ban?.totals.other, 9);
});

test('a huge Remaining does not flatten the curve', () => {
  const [chart] = chartsOf(
    inputOf({
      load: [
        {
          type: 'series',
          profile: 'burst',
          plan: 'free',
          rows: [
            ['listPets', 0, 0, 5, 200, 60, 59, 1, null, null],
            ['listPets', 6, 6, 11, 200, 60, 999_999_999_999_999, 1, null, null],
            ['listPets', 12, 12, 18, 0, 'many', null, 'soon', null, null],
          ],
        },
      ],
    }).log,
    'window',
  );
  assert.equal(chart?.top, 240);
  assert.equal(chart?.totals.other, 1);
});

test('a day with minute headers uses the height of the minute limit', () => {
  const rows = Array.from({ length: 10 }, (_, sent): SampleRow => [
    'listPets',
    sent,
    sent,
    sent + 1,
    200,
    60,
    59 - sent,
    1,
    null,
    null,
  ]);
  const summary: ProfileSummary = {
    profile: 'day-quota',
    plan: 'free',
    startedAt: 0,
    finishedAt: 10,
    sent: 10,
    served: 10,
    refused: 0,
    allowance: 1_000,
    latency: null,
    sentence: '10 served.',
    marks: [],
  };
  const ofDay = (given: readonly SampleRow[]): number | undefined =>
    chartsOf(
      inputOf({
        load: [
          { type: 'series', profile: 'day-quota', plan: 'free', rows: given },
          { type: 'profile', summary },
        ],
      }).log,
      'day',
    )[0]?.top;
  assert.equal(ofDay(rows), 60);
  assert.equal(ofDay([]), 1_000);
});
