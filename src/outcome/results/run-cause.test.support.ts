import { loadLedger } from '../../base/interface/ledger.js';
import type { PlanName } from '../../base/interface/names.js';
import { gather } from '../../log/gathered.test.support.js';
import type { LogRecord, SampleRow } from '../../log/record.js';
import { EXAMPLE_HEADER, START } from '../../report/example-header.test.support.js';
import { exampleExchange } from '../../report/example-run.test.support.js';
import { resultsOf } from './results.js';

export const { requirements: rows } = loadLedger();

const FIGURES = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 },
};

export const series = (plan: PlanName, status: number, limit: number | null, amount = 4): LogRecord => ({
  type: 'series',
  profile: 'burst',
  plan,
  rows: Array.from({ length: amount }, (_, at): SampleRow => {
    const sentAt = START + 5_000 + at * 10;
    return ['listPets', sentAt, sentAt, sentAt + 5, status, limit, limit, null, null, null];
  }),
});

export const listing = (at: number, isAnswered = true): LogRecord => {
  const exchange = exampleExchange({ id: `x${at}` });
  const none = { kind: 'none', code: 'refused', message: 'connect ECONNREFUSED' } as const;
  return {
    type: 'exchange',
    exchange: {
      ...exchange,
      sentAt: START + at * 10,
      latencyMs: 5,
      answer: isAnswered ? exchange.answer : none,
    },
    kept: [],
  };
};

/** Results of a complete run in which nothing was judged. */
export function judged(records: readonly LogRecord[], keyPlaces?: typeof EXAMPLE_HEADER.target.keyPlaces) {
  const header = {
    ...EXAMPLE_HEADER,
    target: { ...EXAMPLE_HEADER.target, figures: FIGURES, ...(keyPlaces && { keyPlaces }) },
    scope: {
      ...EXAMPLE_HEADER.scope,
      plans: ['free', 'pro', 'business'] as const,
      suiteKey: 'business' as const,
    },
  };
  const open = rows.flatMap(({ id, judgedBy }): LogRecord[] =>
    judgedBy.kind === 'load'
      ? [
          {
            type: 'finding',
            finding: {
              kind: 'inconclusive',
              requirement: id,
              reason: { code: 'too-little-data', text: 'The pro plan got no 429' },
              exchanges: [],
            },
          },
        ]
      : [],
  );
  const footer: LogRecord = {
    type: 'footer',
    complete: true,
    reason: null,
    finishedAt: '2026-11-20T10:01:03.100Z',
  };
  return resultsOf(gather([header, ...records, ...open, footer] as LogRecord[]), rows);
}

export const SOUND = [listing(1), series('free', 200, 60), series('business', 200, 1_000)];
