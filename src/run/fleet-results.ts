import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sliceIn, type Part } from '../capacity/fleet/part.js';
import type { RedisLink } from '../capacity/fleet/redis.js';
import { namesIn } from '../capacity/fleet/state.js';
import { readLog } from '../log/read.js';
import { FILES } from '../report/files.js';

/** What a log takes at most: its first violations in full, and of each second its figures and its histogram, in bytes. */
const MOST_BYTES = 16 * 2 ** 20;
const MOST_BYTES_A_SECOND = 8 * 2 ** 10;

/**
 * Takes the result of a slice from Redis into a folder of its own, as `load --slice` would have left it; null where it is not
 * there yet. Throws an Error for what no agent of this run has written.
 */
export async function takeResult({ control }: RedisLink, place: ResultPlace): Promise<Part | null> {
  const { prefix, run, index, count, name, directory, seconds } = place;
  const most = MOST_BYTES + MOST_BYTES_A_SECOND * seconds;
  const text = await control.getrange(namesIn(prefix).result(run, index), 0, most);
  if (text === '') return null;
  if (text.length > most) throw new RangeError('it is larger than any log of this run');
  const folder = join(directory, 'parts', String(index + 1));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, FILES.log);
  writeFileSync(file, gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength: most }));
  const log = await readLog(file);
  const slice = sliceIn(log);
  if (count > 1 && (slice?.index !== index || slice.count !== count)) throw new RangeError('it is of another part');
  return { name, log };
}

interface ResultPlace {
  readonly prefix: string;
  readonly run: string;
  readonly index: number;
  /** How many parts there are. */
  readonly count: number;
  /** How long the run is. */
  readonly seconds: number;
  readonly name: string;
  readonly directory: string;
}
