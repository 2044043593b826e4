import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { START } from '../../testing/limiters/free-key.js';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import { minuteMs, soonestExitMs } from './bounds.js';
import { bySending, slidBetween } from './sample.js';

const FIGURES = { perMinute: 60, perDay: 1000, minuteSeconds: 10, daySeconds: 86_400 };
/** Some windows, so that edges of them come often. */
const moment = fc.integer({ min: 0, max: 30_000 }).map((ms) => START + ms);

test('what left a window between two moments is counted as it is listed, in windows of seconds and of a minute', () => {
  const request = fc
    .tuple(moment, fc.nat(3000))
    .map(([sentAt, tookMs]) => sampleWith({ sentAt, answeredAt: sentAt + tookMs }));
  fc.assert(
    fc.property(
      fc.array(request),
      moment,
      fc.nat(60_000),
      fc.constantFrom(1, 10, 60),
      (requests, from, ms, minuteSeconds) => {
        const [samples, figures] = [bySending(requests), { ...FIGURES, minuteSeconds }];
        const listed = samples.filter(
          (old) =>
            old.answeredAt + minuteMs(figures) >= from && old.sentAt + soonestExitMs(figures) <= from + ms,
        );
        assert.equal(slidBetween(samples, figures, from, from + ms), listed.length);
      },
    ),
  );
});
