import { build } from 'hdr-histogram-js';
import { wasRefused, wasServed } from '../limits/answers.js';
import type { Sample } from '../limits/sample.js';
import type { Figures, KeyName } from '../limits/series.js';
import type { Journal } from '../log/journal.js';
import type { LatencySummary, ProfileMark, SampleRow } from '../log/record.js';
import { sampleToRow } from '../log/run-log.js';

/** A record of the log holds at most so many rows of a series, so that no line of it grows without bound. */
const ROWS_A_RECORD = 500;

/** Writes a profile's series, in pieces. */
export function recordSeries(journal: Journal, profile: string, plan: KeyName, samples: readonly Sample[]): void {
  for (let from = 0; from < samples.length; from += ROWS_A_RECORD) {
    const rows = samples.slice(from, from + ROWS_A_RECORD).map((sample): SampleRow => sampleToRow(sample));
    journal.append({ type: 'series', profile, plan, rows });
  }
}

/** What one profile of one key came to. */
export interface ProfileOutcome {
  readonly profile: string;
  readonly key: KeyName;
  readonly figures: Figures;
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Requests with this key since the last outcome of it: also those that were sent for another key's sake. */
  readonly sent: number;
  readonly samples: readonly Sample[];
  readonly sentence: string;
  readonly marks: readonly ProfileMark[];
}

/** Writes what a profile came to. */
export function recordOutcome(journal: Journal, outcome: ProfileOutcome): void {
  const { profile, key, figures, startedAt, finishedAt, sent, samples, sentence, marks } = outcome;
  journal.append({
    type: 'profile',
    summary: {
      profile,
      plan: key,
      startedAt,
      finishedAt,
      sent,
      served: samples.filter(wasServed).length,
      refused: samples.filter(wasRefused).length,
      allowance: profile === 'day-quota' ? figures.perDay : figures.perMinute,
      latency: latencyOf(samples),
      sentence,
      marks: [...marks].sort((one, other) => one.at - other.at),
    },
  });
}

/** The histogram counts whole numbers: thousandths of a millisecond keep what a fast target differs by. */
const UNITS_A_MS = 1000;
/** Three digits of each percentile are more than a network repeats. */
const DIGITS = 3;

/** Latency percentiles in ms, from the time at which each request was meant to be sent; null without any answer. */
export function latencyOf(samples: readonly Sample[]): LatencySummary | null {
  const answered = samples.filter(({ status }) => status !== 0);
  if (answered.length === 0) return null;
  const histogram = build({ numberOfSignificantValueDigits: DIGITS, autoResize: true });
  for (const { intendedAt, answeredAt } of answered) {
    histogram.recordValue(Math.max(1, Math.round((answeredAt - intendedAt) * UNITS_A_MS)));
  }
  const at = (percentile: number): number => histogram.getValueAtPercentile(percentile) / UNITS_A_MS;
  return {
    count: answered.length,
    min: histogram.minNonZeroValue / UNITS_A_MS,
    p50: at(50),
    p90: at(90),
    p99: at(99),
    max: histogram.maxValue / UNITS_A_MS,
  };
}
