import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleWith } from '../../testing/limiters/sample-with.js';
import { accountOf } from './account.js';
import type { Asked } from './asked.js';
import { NOTHING_RUN } from './series.js';

const AT = 1_800_000_000_000;
const FIGURES = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

const asked = (sentAt: number, answeredAt: number, remaining: number): Asked => ({
  ...sampleWith({ sentAt: AT + sentAt, answeredAt: AT + answeredAt, remaining }),
  question: 'whole',
  part: 'burst',
});

test('a request that all others of a burst overtake is no use by somebody else', () => {
  const late = asked(0, 2000, 47);
  const others = Array.from({ length: 12 }, (_, place) => asked(1 + place, 1000 + place, 59 - place));
  const next = asked(2001, 2002, 46);
  const key = { ...NOTHING_RUN, key: 'free', figures: FIGURES, exclusive: true, aloneSince: 0 } as const;
  const { steps } = accountOf({ ...key, asked: [late, ...others, next] }, null);
  assert.deepEqual(
    steps.map(({ after, lost }) => [after, lost]),
    [[next, 0]],
  );
});
