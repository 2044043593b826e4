import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Sample } from '../../judge/limits/sample.js';
import { memoryJournal } from '../../log/journal.js';
import { reporterOf, writeSeries } from './reporter.js';

const sample = (latencyMs: number, status = 200): Sample => ({
  intendedAt: 1000,
  sentAt: 1000.5,
  answeredAt: 1000 + latencyMs,
  operation: 'listPets',
  status,
  limit: 60,
  remaining: 1,
  reset: 1,
  retryAfter: null,
  date: null,
});

const FIGURES = { perMinute: 60, perDay: 1000, minuteSeconds: 60, daySeconds: 86_400 };

const latencyOf = (samples: readonly Sample[]) =>
  writeSeries(memoryJournal(), 'burst', 'business', samples).latency;

const near = (actual: number | undefined, wanted: number): void =>
  assert.ok(Math.abs((actual ?? 0) - wanted) < 0.02, `${actual} for ${wanted}`);

describe('the record of a profile', () => {
  it('has percentiles from the intended time, to a fraction of a millisecond', () => {
    const latency = latencyOf(Array.from({ length: 100 }, (_, index) => sample((index + 1) / 10)));
    assert.equal(latency?.count, 100);
    near(latency?.min, 0.1);
    near(latency?.p50, 5);
    near(latency?.p90, 9);
    near(latency?.p99, 9.9);
    near(latency?.max, 10);
  });

  it('excludes requests without response', () => {
    assert.equal(latencyOf([sample(3, 0)]), null);
    assert.equal(latencyOf([sample(3, 0), sample(4)])?.count, 1);
  });

  it('says how the requests ended that no question reported', () => {
    const ends = (
      [
        [200, ''],
        [403, ': the last request got 403'],
        [0, ': the last request got no response'],
      ] as const
    ).map(([status, end]) => {
      const journal = memoryJournal();
      const session = {
        key: 'free',
        figures: FIGURES,
        samples: () => [sample(1), sample(2, status)],
      } as const;
      reporterOf(session, journal, { now: () => 2000 }).rest();
      const [summary] = journal.records.flatMap((record) =>
        record.type === 'profile' ? [record.summary] : [],
      );
      return [summary?.sentence, `Ended without a result${end}.`];
    });
    for (const [said, expected] of ends) assert.equal(said, expected);
  });

  it('is written in pieces, and a whole Business run needs less than 2 MB', () => {
    const journal = memoryJournal();
    const samples = Array.from({ length: 2200 }, () => sample(1.234567));
    assert.equal(writeSeries(journal, 'burst', 'business', samples).sent, 2200);
    assert.equal(journal.records.length, 5);
    assert.ok(journal.records.every((record) => record.type === 'series' && record.rows.length <= 500));
    assert.ok(JSON.stringify(journal.records).length < 2_000_000);
  });
});
