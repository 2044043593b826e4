import type { PlanName } from '../../../base/interface/types.js';
import type { LogRecord, ProfileMark, ProfileSummary, SampleRow } from '../../../log/record.js';
import type { Sample } from '../../../judge/limits/sample.js';
import { sampleToRow } from '../../../log/run-log.js';
import { START } from '../../example-header.test.support.js';
import type { KeyName, ProfileName } from '../../../base/interface/names.js';

const FIGURES: Readonly<Record<PlanName, number>> = {
  free: 60,
  pro: 300,
  business: 1_000,
  enterprise: 2_400,
};
const WINDOW = 60_000;

/**
 * Returns load of all four plans: a burst to the first 429, the return, parallel requests at the edge, and a
 * sacrificial key's ban.
 */
export const wholeLoad = (): LogRecord[] => [
  ...(Object.keys(FIGURES) as PlanName[]).flatMap((plan, index) => planLoad(plan, index)),
  ...ban(),
];

function planLoad(plan: PlanName, index: number): LogRecord[] {
  const limit = FIGURES[plan];
  const from = START + 4_000 + index * 15;
  const pace = plan === 'enterprise' ? 2.6 : plan === 'business' ? 4.1 : 9.3;
  const reset = from + WINDOW;
  const burst = Array.from({ length: limit + 1 }, (_, sent) =>
    sample(plan, from + sent * pace, sent, limit, reset),
  );
  const refusedAt = burst.at(-1)?.answeredAt ?? from;
  const wait = Math.ceil((reset - refusedAt) / 1_000);
  const back = refusedAt + wait * 1_000 + 220;
  const second = Array.from({ length: limit + 4 }, (_, sent) =>
    sample(plan, back + 900 + sent * (pace / 6), sent + 1, limit, back + WINDOW),
  );
  return [
    series('burst', plan, burst),
    series('recovery', plan, [sample(plan, back, 0, limit, back + WINDOW)]),
    series('concurrent', plan, second),
    summary('burst', plan, burst, limit, {
      sentence: `${limit} of ${limit} requests allowed; request ${limit + 1} (POST /pets) got 429.`,
      marks: [mark('first-refusal', refusedAt, '429 to POST /pets')],
    }),
    summary('recovery', plan, [sample(plan, back, 0, limit, back + WINDOW)], limit, {
      sentence: '1 return at Retry-After: 1 request allowed, the first got 200.',
      marks: [mark('retry-after', back, 'Retry-After is over: 200')],
    }),
    summary('concurrent', plan, second, limit, {
      sentence: '5 parallel requests with 2 left: 2 allowed.',
      marks: [
        mark('at-once', second.at(limit - 2)?.sentAt ?? back, '5 parallel requests with 2 left: 2 allowed'),
      ],
    }),
  ];
}

function ban(): LogRecord[] {
  const from = START + 70_000;
  const at = (second: number) => from + second * 1_000;
  const samples = [
    ...Array.from({ length: 61 }, (_, index) => sample('free', from + index * 8, index, 60, at(60))),
    ...Array.from({ length: 22 }, (_, index) =>
      status(sample('free', at(1 + index / 10), 60, 60, at(60)), 429),
    ),
    ...Array.from({ length: 9 }, (_, index) =>
      status(sample('free', at(3.3 + index * 3.6), 60, 60, at(60)), 403),
    ),
    ...Array.from({ length: 2 }, (_, index) => sample('free', at(36 + index), index, 60, at(60))),
  ];
  return [
    series('ban', 'sacrificial', samples),
    summary('ban', 'sacrificial', samples, 60, {
      sentence:
        'Banned after 23 requests continued after 429, answered with 403, for 30.2 s; another key was served.',
      marks: [
        mark('first-refusal', at(0.5), 'first 429'),
        mark('ban-begins', at(3.3), 'first 403: the ban begins'),
        mark('ban-ends', at(33.5), 'allowed again: the ban is over'),
      ],
    }),
  ];
}

/** Returns one profile with many samples, to test the page's size. */
export function heavyLoad(samples: number): LogRecord[] {
  const rows = Array.from({ length: samples }, (_, index) =>
    sample('business', START + index * 1.7, index % 1_001, 1_000, START + 60_000),
  );
  return [
    series('steady', 'business', rows),
    summary('steady', 'business', rows, 1_000, { sentence: 'Paced at 95 % of the plan.', marks: [] }),
  ];
}

function sample(plan: PlanName, sentAt: number, sent: number, limit: number, reset: number): Sample {
  const served = sent < limit;
  const latency = 4 + ((sent * 7919) % 97) / 9 + (sent % 211 === 0 ? 80 : 0) + FIGURES[plan] / 400;
  return {
    intendedAt: sentAt,
    sentAt,
    answeredAt: sentAt + latency,
    operation: served ? 'listPets' : 'createPet',
    status: served ? 200 : 429,
    limit,
    remaining: Math.max(0, limit - sent - 1),
    reset: Math.ceil(reset / 1_000),
    retryAfter: served ? null : '55',
    date: Math.floor(sentAt / 1_000) * 1_000,
  };
}

const status = (sample: Sample, value: number): Sample => ({
  ...sample,
  status: value,
  ...(value === 403 && { limit: null, remaining: null, reset: null }),
});

const mark = (kind: ProfileMark['kind'], at: number, text: string): ProfileMark => ({ kind, at, text });

const series = (profile: ProfileName, plan: KeyName, samples: readonly Sample[]): LogRecord => ({
  type: 'series',
  profile,
  plan,
  rows: samples.map((each): SampleRow => sampleToRow(each)),
});

function summary(
  profile: ProfileName,
  plan: KeyName,
  samples: readonly Sample[],
  allowance: number,
  said: Pick<ProfileSummary, 'sentence' | 'marks'>,
): LogRecord {
  const times = samples.map((each) => each.answeredAt - each.intendedAt).sort((one, other) => one - other);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
  return {
    type: 'profile',
    summary: {
      profile,
      plan,
      startedAt: samples[0]?.sentAt ?? START,
      finishedAt: samples.at(-1)?.answeredAt ?? START,
      sent: samples.length,
      served: samples.filter((each) => each.status === 200).length,
      refused: samples.filter((each) => each.status === 429).length,
      allowance,
      latency: { count: times.length, min: at(0), p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) },
      ...said,
    },
  };
}
