import type { Figures } from '../limits/series.js';
import { newHistogram, percentilesOf, recordMs } from '../log/histogram.js';
import type { Journal } from '../log/journal.js';
import type { LatencySummary, ProfileMark, SampleRow } from '../log/record.js';
import { sampleToRow } from '../log/run-log.js';
import { wasRefused, wasServed, type Sample } from '../limits/sample.js';
import type { ProfileName, KeyName } from '../contract/names.js';

/** A record of the log holds at most so many rows of a series, so that no line of it grows without bound. */
const ROWS_A_RECORD = 500;

/** What a series came to. */
export interface SeriesTotals {
  /** Put on the wire. */
  readonly sent: number;
  readonly served: number;
  readonly refused: number;
  readonly latency: LatencySummary | null;
}

/** A series on its way into the log: of all its samples, only a record's worth is held. */
export interface SeriesRecorder {
  readonly take: (sample: Sample) => void;
  /** Writes what is left. */
  readonly close: () => SeriesTotals;
}

/** Writes a profile's series as it comes, in pieces. */
export function seriesRecorder(journal: Journal, profile: ProfileName, plan: KeyName): SeriesRecorder {
  const histogram = latencyHistogram();
  const totals = { sent: 0, served: 0, refused: 0 };
  let rows: SampleRow[] = [];
  const write = (): void => {
    if (rows.length > 0) journal.append({ type: 'series', profile, plan, rows });
    rows = [];
  };
  return {
    take(sample) {
      totals.sent += 1;
      if (wasServed(sample)) totals.served += 1;
      if (wasRefused(sample)) totals.refused += 1;
      histogram.take(sample);
      rows.push(sampleToRow(sample));
      if (rows.length === ROWS_A_RECORD) write();
    },
    close() {
      write();
      return { ...totals, latency: histogram.summary() };
    },
  };
}

/** What one profile of one key came to. */
export interface ProfileOutcome {
  readonly profile: ProfileName;
  readonly key: KeyName;
  readonly figures: Figures;
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Of the requests with this key since the last outcome of it: also those that were sent for another key's sake. */
  readonly totals: SeriesTotals;
  readonly sentence: string;
  readonly marks: readonly ProfileMark[];
}

/** Writes what a profile came to. */
export function recordOutcome(journal: Journal, outcome: ProfileOutcome): void {
  const { profile, key, figures, startedAt, finishedAt, totals, sentence, marks } = outcome;
  journal.append({
    type: 'profile',
    summary: {
      profile,
      plan: key,
      startedAt,
      finishedAt,
      sent: totals.sent,
      served: totals.served,
      refused: totals.refused,
      allowance: profile === 'day-quota' ? figures.perDay : figures.perMinute,
      latency: totals.latency,
      sentence,
      marks: [...marks].sort((one, other) => one.at - other.at),
    },
  });
}

/** Latency percentiles in ms, from the time at which each request was meant to be sent. */
export function latencyHistogram(): {
  readonly take: (sample: Sample) => void;
  /** Null without any answer. */
  readonly summary: () => LatencySummary | null;
} {
  const histogram = newHistogram();
  return {
    take({ status, intendedAt, answeredAt }) {
      if (status !== 0) recordMs(histogram, answeredAt - intendedAt);
    },
    summary() {
      if (histogram.totalCount === 0) return null;
      const { p50, p90, p99, max } = percentilesOf(histogram);
      return { count: histogram.totalCount, min: histogram.minNonZeroValue / 1000, p50, p90, p99, max };
    },
  };
}
