import type * as Histograms from 'hdr-histogram-js';
import { inflateSync } from 'node:zlib';
import { createRequire } from 'node:module';
import { once } from '../base/kernel/config-file.js';
import { LATENCIES, type LatencyMetric } from '../wire/scenario/threshold.js';

/** Loaded with the first histogram: only runs of a load scenario have some. */
const library = once(() => createRequire(import.meta.url)('hdr-histogram-js') as typeof Histograms);

/** Markers of HdrHistogram's encoding V2, packed and unpacked, with variable-length words. */
const PACKED = 0x1c849314;
const UNPACKED = 0x1c849313;
/** Length of cookie and length; then with digits, range and ratio. */
const PACKED_HEAD = 8;
const HEAD = 40;
/** Range of a histogram: 1 us to an hour, longer than any request may take, to three figures. */
const DIGITS = 3;
const LOWEST_US = 1;
const LONGEST_US = 3_600_000_000;
/** Largest number of counts in this range. */
const MOST_COUNTS = 23_552;
/** Most bytes (of seven bits) per count: a day at a million a second needs six. */
const MOST_WORD = 7;
const MOST_BYTES = HEAD + MOST_COUNTS * MOST_WORD;

/**
 * Returns whether a text is a histogram of the kit: the decoding library trusts even lengths that exhaust
 * memory.
 */
export function isHistogram(text: string): boolean {
  try {
    const packed = Buffer.from(text, 'base64');
    if (packed.readInt32BE(0) !== PACKED || packed.readInt32BE(4) !== packed.length - PACKED_HEAD)
      return false;
    const bytes = inflateSync(packed.subarray(PACKED_HEAD), { maxOutputLength: MOST_BYTES });
    return (
      bytes.readInt32BE(0) === UNPACKED &&
      bytes.readInt32BE(4) === bytes.length - HEAD &&
      bytes.readInt32BE(12) === DIGITS &&
      bytes.readBigInt64BE(16) === BigInt(LOWEST_US) &&
      bytes.readBigInt64BE(24) === BigInt(LONGEST_US) &&
      fits(bytes.subarray(HEAD))
    );
  } catch {
    return false;
  }
}

/**
 * Returns whether all counts (ZigZag, LEB128) end within the range. A negative count is a run of that many
 * zeros.
 */
function fits(words: Buffer): boolean {
  let [at, word, length] = [0, 0, 0];
  for (const byte of words) {
    if (length === MOST_WORD) return false;
    word += (byte % 128) * 128 ** length;
    length += 1;
    if (byte >= 128) continue;
    at += word % 2 === 1 ? (word + 1) / 2 : 1;
    [word, length] = [0, 0];
  }
  return length === 0 && at <= MOST_COUNTS;
}

/** Returns an empty histogram of times in microseconds. */
export const newHistogram = (): Histograms.Histogram =>
  library().build({
    lowestDiscernibleValue: LOWEST_US,
    highestTrackableValue: LONGEST_US,
    numberOfSignificantValueDigits: DIGITS,
    bitBucketSize: 32,
    useWebAssembly: false,
  });

export const recordMs = (histogram: Histograms.Histogram, ms: number): void =>
  histogram.recordValue(Math.min(LONGEST_US, Math.max(1, Math.round(ms * 1000))));

/** Percentiles in ms; 0 for an empty histogram. */
export type Percentiles = Readonly<Record<LatencyMetric, number>>;

const SHARES: Readonly<Record<Exclude<LatencyMetric, 'max'>, number>> = {
  p50: 50,
  p90: 90,
  p95: 95,
  p99: 99,
  p999: 99.9,
};

/** Returns the share of values that a percentile covers, 0 to 1. */
export const shareOf = (metric: Exclude<LatencyMetric, 'max'>): number => SHARES[metric] / 100;

/** Returns one percentile in ms, to the microsecond; by its name, or of 0 to 100. */
export function percentileMs(histogram: Histograms.Histogram, metric: LatencyMetric | number): number {
  if (histogram.totalCount === 0) return 0;
  if (metric === 'max') return histogram.maxValue / 1000;
  // The library returns the upper end of a range of values, which may be above the longest.
  const upper = histogram.getValueAtPercentile(typeof metric === 'number' ? metric : SHARES[metric]);
  return Math.min(upper, histogram.maxValue) / 1000;
}

/** Each walks through the counts below it. */
export const percentilesOf = (histogram: Histograms.Histogram): Percentiles =>
  Object.fromEntries(LATENCIES.map((metric) => [metric, percentileMs(histogram, metric)])) as Percentiles;

/**
 * Counts are added, never averaged. An addition walks through all counts of the range, so empty histograms,
 * as of a second's errors, are left out.
 */
export function sumOf(histograms: readonly Histograms.Histogram[]): Histograms.Histogram {
  const sum = newHistogram();
  for (const each of histograms) if (each.totalCount > 0) sum.add(each);
  return sum;
}

export const sumOfTexts = (texts: readonly (string | undefined)[]): Histograms.Histogram =>
  sumOf(texts.flatMap((text) => (text === undefined ? [] : [decoded(text)])));

/** Encodes a histogram as text for a log, in the standard HdrHistogram format. */
export const encoded = (histogram: Histograms.Histogram): string =>
  library().encodeIntoCompressedBase64(histogram);

/** Throws for a text that is no histogram. */
export const decoded = (text: string): Histograms.Histogram =>
  library().decodeFromCompressedBase64(text, 32, false);
