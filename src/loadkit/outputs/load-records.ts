import { closeSync, openSync, writeSync } from 'node:fs';
import type { Sample } from '../meter.js';
import type { SecondRecord } from '../../log/capacity-record.js';
import { sampleRow, secondRow, CSV, NDJSON, type RowFormat, type SampleRow } from './samples.js';
import { whyUnreadable } from '../../base/kernel/yaml-source.js';
import { counted } from '../../base/kernel/format.js';
import { otlpMetrics, type MetricsOrigin } from './otlp-metrics.js';
import { badOption, UsageError } from '../../base/kernel/errors.js';

/** Opens the receivers of a load run's data; undefined without any, to cost nothing. Throws UsageError. */
export async function openRecords(
  { out, otlp }: { readonly out?: string | undefined; readonly otlp?: string | undefined },
  origin: MetricsOrigin,
) {
  if (out === undefined && otlp === undefined) return undefined;
  // Packages come first: a run that cannot begin leaves no file.
  const metrics = otlp === undefined ? null : await otlpMetrics(otlp, origin);
  const file = out === undefined ? null : samplesFile(out);
  return {
    second(second: SecondRecord): void {
      file?.write(secondRow(origin, second));
      metrics?.second(second);
    },
    sample: (sample: Sample): void => {
      file?.write(sampleRow(origin, sample));
      metrics?.sample(sample);
    },
    /** Writes and sends the rest; returns a sentence for each destination. */
    close: async (): Promise<readonly string[]> => [
      ...(file ? [file.close()] : []),
      ...(metrics ? [await metrics.close()] : []),
    ],
  };
}

/** Characters per write: one write for each of 40,000 rows a second would use up the processor. */
const PIECE = 64 * 1024;

const FORMATS: readonly (readonly [end: RegExp, format: RowFormat])[] = [
  [/\.(?:ndjson|jsonl)$/i, NDJSON],
  [/\.csv$/i, CSV],
];

/** Opens a new file for `--out`, never through a link. A full disk ends it, not the run. Throws UsageError. */
function samplesFile(file: string) {
  const format = FORMATS.find(([end]) => end.test(file))?.[1];
  if (!format)
    throw badOption(
      '--out takes a file that ends in .ndjson, .jsonl or .csv.',
      'Write it as --out run.csv. Nothing was sent.',
    );
  const descriptor = opened(file);
  let [rows, waiting, problem] = [0, format.head, null as string | null];
  const flush = (): void => {
    if (problem === null)
      try {
        const bytes = Buffer.from(waiting);
        for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
      } catch (error) {
        problem = (error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'the disk is full' : whyUnreadable(error);
      }
    waiting = '';
  };
  return {
    write(row: SampleRow): void {
      if (problem !== null) return;
      rows += 1;
      waiting += format.row(row);
      if (waiting.length >= PIECE) flush();
    },
    /** Writes the rest; returns a sentence about the file. */
    close(): string {
      flush();
      closeSync(descriptor);
      return problem === null
        ? `${file} holds ${counted(rows, 'row')}.`
        : `${file} is incomplete: writing failed (${problem}). The run went on without it.`;
    },
  };
}

/** `wx` opens no existing file and follows no link. */
function opened(file: string): number {
  try {
    return openSync(file, 'wx');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'EEXIST' ? 'it already exists' : code === 'ENOENT' ? 'its folder does not exist' : whyUnreadable(error);
    throw new UsageError(
      'report-dir',
      `${file} cannot be written (${why}).`,
      'Name a new file with --out, in a folder that you can write to. Nothing was sent.',
      { cause: error },
    );
  }
}
