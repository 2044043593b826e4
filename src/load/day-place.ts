import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Redact } from '../exchange/redact.js';
import type { Sample } from '../limits/sample.js';
import type { SampleRow } from '../log/record.js';
import { rowToSample, sampleToRow } from '../log/run-log.js';
import type { Target } from '../target/target.js';
import type { Secret } from '../target/secret.js';

/** How far a day's allowance has been used, kept across an interruption. */
export interface DayPlace {
  /** What was sent since a time, Unix ms; rows that cannot be read are left out. */
  read(since: number): readonly Sample[];
  append(samples: readonly Sample[]): void;
  /** The day has been used up: the next run begins anew. */
  forget(): void;
}

/**
 * A place in a file, one row a line; what the target wrote into its headers is redacted. The file is named after a
 * digest of address and key together, so that another server's or another key's day is never taken for this one's.
 * @param directory the folder of the runs: the next run has a folder of its own and must find the file
 */
export function dayPlaceIn(
  directory: string,
  { baseUrl }: Pick<Target, 'baseUrl'>,
  key: Secret,
  redact: Redact,
): DayPlace {
  const digest = createHash('sha256').update(`${baseUrl}\n${key.reveal()}`).digest('hex').slice(0, 16);
  const file = join(directory, `day-quota-${digest}.ndjson`);
  return {
    read: (since) =>
      (existsSync(file) ? rowsOf(readFileSync(file, 'utf8')) : []).filter(({ sentAt }) => sentAt >= since),
    append: (samples) => {
      if (samples.length > 0) appendFileSync(file, samples.map((sample) => `${lineOf(sample, redact)}\n`).join(''));
    },
    forget: () => rmSync(file, { force: true }),
  };
}

const lineOf = (sample: Sample, redact: Redact): string =>
  JSON.stringify(sampleToRow(sample), (_, cell: unknown) => (typeof cell === 'string' ? redact(cell) : cell));

/** A row has this many cells; a last line that a crash cut off has not, or does not parse. */
const CELLS = 10;

function rowsOf(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    try {
      const row = JSON.parse(line) as SampleRow;
      return Array.isArray(row) && row.length === CELLS ? [rowToSample(row)] : [];
    } catch {
      return [];
    }
  });
}
