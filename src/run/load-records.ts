import type { Sample } from '../capacity/meter.js';
import type { SecondRecord } from '../log/capacity-record.js';
import { sampleRow, secondRow } from '../report/machine/samples.js';
import { otlpMetrics, type MetricsOrigin } from './otlp-metrics.js';
import { samplesFile } from './samples-file.js';

/** Where the seconds and requests of a load run go beyond its report. */
export interface LoadRecords {
  readonly second: (second: SecondRecord) => void;
  readonly sample: (sample: Sample) => void;
  /** Writes and sends what is left; a sentence for each place that was asked for. */
  readonly close: () => Promise<readonly string[]>;
}

/**
 * Opens the file of `--out` and the way to the collector of `--otlp`; undefined where neither was asked for, so that a run
 * pays nothing for it. Throws UsageError before anything is sent.
 */
export async function openRecords(
  { out, otlp }: { readonly out?: string | undefined; readonly otlp?: string | undefined },
  origin: MetricsOrigin,
): Promise<LoadRecords | undefined> {
  if (out === undefined && otlp === undefined) return undefined;
  // The packages first: a run that cannot begin leaves no file behind.
  const metrics = otlp === undefined ? null : await otlpMetrics(otlp, origin);
  const file = out === undefined ? null : samplesFile(out);
  return {
    second(second) {
      file?.write(secondRow(origin, second));
      metrics?.second(second);
    },
    sample(sample) {
      file?.write(sampleRow(origin, sample));
      metrics?.sample(sample);
    },
    close: async () => [...(file ? [file.close()] : []), ...(metrics ? [await metrics.close()] : [])],
  };
}
