import { newHistogram, percentilesOf, recordMs } from '../../log/histogram.js';
import type { Journal } from '../../log/journal.js';
import type { SampleRow } from '../../log/record.js';
import { sampleToRow } from '../../log/run-log.js';
import { wasRefused, wasServed, type Sample } from '../../judge/limits/sample.js';
import type { ProfileName, KeyName } from '../../base/interface/names.js';

/** Most rows of a series in one log record, so that lines stay bounded. */
const ROWS_A_RECORD = 500;

/** Writes a profile's series into the log in pieces, as it comes; keeps only one record's samples in memory. */
export function seriesRecorder(journal: Journal, profile: ProfileName, plan: KeyName) {
  /** Latency in ms, from the intended time of sending. */
  const histogram = newHistogram();
  const totals = { sent: 0, served: 0, refused: 0 };
  let rows: SampleRow[] = [];
  const write = (): void => {
    if (rows.length > 0) journal.append({ type: 'series', profile, plan, rows });
    rows = [];
  };
  return {
    take: (sample: Sample): void => {
      totals.sent += 1;
      if (wasServed(sample)) totals.served += 1;
      if (wasRefused(sample)) totals.refused += 1;
      if (sample.status !== 0) recordMs(histogram, sample.answeredAt - sample.intendedAt);
      rows.push(sampleToRow(sample));
      if (rows.length === ROWS_A_RECORD) write();
    },
    /** Writes the rest. */
    close() {
      write();
      const { p50, p90, p99, max } = percentilesOf(histogram);
      const latency = { count: histogram.totalCount, min: histogram.minNonZeroValue / 1000, p50, p90, p99, max };
      return { ...totals, latency: latency.count === 0 ? null : latency };
    },
  };
}
