import { closeSync, openSync, writeSync } from 'node:fs';
import type { Sample } from '../capacity/meter.js';
import type { SecondRecord } from '../log/capacity-record.js';
import { sampleRow, secondRow, CSV, NDJSON, type RowFormat, type SampleRow } from '../report/machine/samples.js';
import { whyUnreadable } from '../contract/yaml-source.js';
import { counted } from '../format/format.js';
import { otlpMetrics, type MetricsOrigin } from './otlp-metrics.js';
import { badOption, UsageError } from '../contract/errors.js';

/** Receivers of a load run's seconds and requests, in addition to its report. */
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

/** Rows of a load run on their way to a file. */
interface SamplesFile {
  write(row: SampleRow): void;
  /** Writes what is left. What is to be said of the file, as a sentence. */
  close(): string;
}

/** Rows are handed to the system in pieces of about this many characters: a write for each of 40,000 a second would take the processor. */
const PIECE = 64 * 1024;

const FORMATS: readonly (readonly [end: RegExp, format: RowFormat])[] = [
  [/\.(?:ndjson|jsonl)$/i, NDJSON],
  [/\.csv$/i, CSV],
];

/**
 * Opens the file that `--out` names, in the format of its name's end. It is never written over, and no link is followed. A
 * disk that is full ends the file and not the run.
 * @throws UsageError where it is there already, cannot be written, or ends otherwise; nothing was sent then
 */
function samplesFile(file: string): SamplesFile {
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
    write(row) {
      if (problem !== null) return;
      rows += 1;
      waiting += format.row(row);
      if (waiting.length >= PIECE) flush();
    },
    close() {
      flush();
      closeSync(descriptor);
      return problem === null
        ? `${file} holds ${counted(rows, 'row')}.`
        : `${file} is not whole: it could not be written further (${problem}). The run went on without it.`;
    },
  };
}

/** `wx` opens neither what is there nor what a link points to. */
function opened(file: string): number {
  try {
    return openSync(file, 'wx');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'EEXIST' ? 'it is there already' : code === 'ENOENT' ? 'its folder is not there' : whyUnreadable(error);
    throw new UsageError(
      'report-dir',
      `${file} cannot be written (${why}).`,
      'Name a new file with --out, in a folder that may be written to. Nothing was sent.',
      { cause: error },
    );
  }
}
