import { appendFileSync, createReadStream, existsSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Redact } from '../../exchange/redact.js';
import type { Sample } from '../../limits/sample.js';
import type { SampleRow } from '../../log/record.js';
import { rowToSample, sampleToRow } from '../../log/run-log.js';
import type { Target } from '../../targets/target.js';
import type { Secret } from '../../targets/secret.js';

/** How far a day's allowance has been used, kept across an interruption. */
export interface DayPlace {
  /** What was sent between two times, Unix ms, in order and one by one; rows that cannot be read are left out. */
  read(since: number, until: number): AsyncIterable<Sample>;
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
    async *read(since, until) {
      if (!existsSync(file)) return;
      for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
        const sample = sampleIn(line);
        if (sample !== null && sample.sentAt >= since && sample.sentAt < until) yield sample;
      }
    },
    append: (samples) => {
      // A line that a crash cut off is ended here, so that it takes nothing with it.
      if (samples.length > 0) appendFileSync(file, samples.map((sample) => `\n${lineOf(sample, redact)}`).join(''));
    },
    forget: () => rmSync(file, { force: true }),
  };
}

const lineOf = (sample: Sample, redact: Redact): string =>
  JSON.stringify(sampleToRow(sample), (_, cell: unknown) => (typeof cell === 'string' ? redact(cell) : cell));

/** A row has this many cells; a last line that a crash cut off has not, or does not parse. */
const CELLS = 10;

function sampleIn(line: string): Sample | null {
  try {
    const row = JSON.parse(line) as SampleRow;
    return Array.isArray(row) && row.length === CELLS ? rowToSample(row) : null;
  } catch {
    return null;
  }
}
