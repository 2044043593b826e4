import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import type { FinishedRequest } from '../meter.js';
import type { SecondRecord } from '../../log/capacity-record.js';
import { requestRow, secondRow, CSV, NDJSON, type RowFormat, type OutputRow } from './rows.js';
import { whyUnreadable } from '../../base/kernel/yaml-source.js';
import { counted } from '../../base/kernel/format.js';
import { otlpMetrics, type MetricsOrigin } from './otlp-metrics.js';
import { badOption, badPlace } from '../../base/kernel/errors.js';

interface RecordsOptions {
  /** New file for rows. */
  readonly out?: string | undefined;
  /** Address of a collector. */
  readonly otlp?: string | undefined;
  /** True for a part, whose file holds only requests: the whole has the seconds, and takes over the file. */
  readonly isPart?: boolean;
}

/** Opens the receivers of a load run's data; undefined without any, to cost nothing. Throws UsageError. */
export async function openRecords({ out, otlp, isPart = false }: RecordsOptions, origin: MetricsOrigin) {
  if (out === undefined && otlp === undefined) return undefined;
  // Packages come first: a run that cannot begin leaves no file.
  const metrics = otlp === undefined ? null : await otlpMetrics(otlp, origin);
  const file = out === undefined ? null : samplesFile(out);
  return {
    second(second: SecondRecord): void {
      if (!isPart) file?.write(secondRow(origin, second));
      metrics?.second(second);
    },
    finished: (request: FinishedRequest): void => {
      file?.write(requestRow(origin, request));
      metrics?.finished(request);
    },
    /** Takes over the rows of a part's file, and removes it. A part that was lost may have none. */
    join: (part: string): void => file?.join(part),
    /**
     * Writes and sends the rest; returns a sentence for each destination, except for the complete file of a
     * part.
     */
    close: async (): Promise<readonly string[]> => [
      ...(file ? file.close(isPart) : []),
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
export function samplesFile(file: string, open = opened) {
  const format = FORMATS.find(([end]) => end.test(file))?.[1];
  if (!format)
    throw badOption(
      '--out takes a file that ends in .ndjson, .jsonl or .csv.',
      'Write it as --out run.csv. Nothing was sent.',
    );
  const descriptor = open(file);
  let [rows, waiting, problem] = [0, format.head, null as string | null];
  const attempt = (append: () => void): void => {
    if (problem === null)
      try {
        append();
      } catch (error) {
        problem =
          (error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'the disk is full' : whyUnreadable(error);
      }
  };
  const flush = (): void => {
    attempt(() => {
      const bytes = Buffer.from(waiting);
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
    });
    waiting = '';
  };
  return {
    write(row: OutputRow): void {
      if (problem !== null) return;
      rows += 1;
      waiting += format.row(row);
      if (waiting.length >= PIECE) flush();
    },
    join(part: string): void {
      flush();
      attempt(() => {
        rows += appended(part, descriptor, Buffer.byteLength(format.head));
      });
      rmSync(part, { force: true });
    },
    close(isQuiet: boolean): readonly string[] {
      flush();
      closeSync(descriptor);
      if (problem !== null)
        return [`${file} is incomplete: writing failed (${problem}). The run went on without it.`];
      return isQuiet ? [] : [`${file} holds ${counted(rows, 'row')}.`];
    },
  };
}

const LINE_END = 10;

/**
 * Copies a file from a place on, up to its last whole row; returns the number of rows. A missing file has
 * none.
 */
function appended(from: string, to: number, start: number): number {
  let source;
  try {
    source = openSync(from, 'r');
  } catch {
    return 0;
  }
  try {
    const piece = Buffer.alloc(PIECE);
    let [rows, at] = [0, start];
    for (
      let length = readSync(source, piece, 0, PIECE, at);
      length > 0;
      length = readSync(source, piece, 0, PIECE, at)
    ) {
      // A process that was killed may have left a cut row.
      const whole = piece.subarray(0, piece.subarray(0, length).lastIndexOf(LINE_END) + 1);
      if (whole.length === 0) break;
      for (let written = 0; written < whole.length;) written += writeSync(to, whole, written);
      rows += whole.reduce((sum, byte) => sum + Number(byte === LINE_END), 0);
      at += whole.length;
    }
    return rows;
  } finally {
    closeSync(source);
  }
}

/** `wx` opens no existing file and follows no link. */
function opened(file: string): number {
  try {
    return openSync(file, 'wx');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'EEXIST'
        ? 'it already exists'
        : code === 'ENOENT'
          ? 'its folder does not exist'
          : whyUnreadable(error);
    throw badPlace(
      `${file} cannot be written (${why}).`,
      'Name a new file with --out, in a folder that you can write to. Nothing was sent.',
      error,
    );
  }
}
