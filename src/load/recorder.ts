import { newHistogram, percentilesOf, recordMs } from '../log/histogram.js';
import type { Journal } from '../log/journal.js';
import type { LatencySummary, SampleRow } from '../log/record.js';
import { sampleToRow } from '../log/run-log.js';
import { wasRefused, wasServed, type Sample } from '../limits/sample.js';
import type { ProfileName, KeyName } from '../contract/names.js';

/** Most rows of a series in one log record, so that lines stay bounded. */
const ROWS_A_RECORD = 500;

interface SeriesTotals {
  readonly sent: number;
  readonly served: number;
  readonly refused: number;
  readonly latency: LatencySummary | null;
}

/** Writes a series into the log; keeps only one record's samples in memory. */
export interface SeriesRecorder {
  readonly take: (sample: Sample) => void;
  /** Writes the rest. */
  readonly close: () => SeriesTotals;
}

/** Opens a recorder that writes a profile's series in pieces, as it comes. */
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

/** Returns a histogram of latency in ms, counted from the intended time of sending. */
export function latencyHistogram(): {
  readonly take: (sample: Sample) => void;
  /** Returns percentiles; null without a response. */
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
