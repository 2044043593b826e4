import { newHistogram, percentilesOf, recordMs } from '../../log/histogram.js';
import type { Journal } from '../../log/journal.js';
import { sampleToRow } from '../../log/run-log.js';
import { refusedIn, servedIn, type Sample } from '../../judge/limits/sample.js';
import type { ProfileName, KeyName } from '../../base/interface/names.js';

/** Most rows of a series in one log record, so that lines stay bounded. */
const ROWS_A_RECORD = 500;

/** Writes a profile's series into the log in pieces, and returns its totals with the latency in ms. */
export function writeSeries(
  journal: Journal,
  profile: ProfileName,
  plan: KeyName,
  samples: readonly Sample[],
) {
  for (let from = 0; from < samples.length; from += ROWS_A_RECORD) {
    const rows = samples.slice(from, from + ROWS_A_RECORD).map(sampleToRow);
    journal.append({ type: 'series', profile, plan, rows });
  }
  const histogram = newHistogram();
  for (const { status, intendedAt, answeredAt } of samples)
    if (status !== 0) recordMs(histogram, answeredAt - intendedAt);
  const { p50, p90, p99, max } = percentilesOf(histogram);
  const latency = {
    count: histogram.totalCount,
    min: histogram.minNonZeroValue / 1000,
    p50,
    p90,
    p99,
    max,
  };
  return {
    sent: samples.length,
    served: servedIn(samples),
    refused: refusedIn(samples),
    latency: latency.count === 0 ? null : latency,
  };
}
