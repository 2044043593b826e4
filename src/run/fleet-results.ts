import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Part } from '../capacity/fleet/part.js';
import type { RedisLink } from '../capacity/fleet/redis.js';
import { namesIn } from '../capacity/fleet/state.js';
import { readLog } from '../log/read.js';
import { FILES } from '../report/files.js';

/** A log that is larger than this, unpacked, was not written by an agent: a day's seconds and histograms are some 50 MB. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Takes the result of a slice from Redis into a folder of its own, as `load --slice` would have left it; null where it is not there yet. */
export async function takeResult(
  { control }: RedisLink,
  { prefix, run, index, name, directory }: ResultPlace,
): Promise<Part | null> {
  const text = await control.get(namesIn(prefix).result(run, index));
  if (text === null) return null;
  const folder = join(directory, 'parts', String(index + 1));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, FILES.log);
  writeFileSync(file, gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength: MOST_BYTES }));
  return { name, log: await readLog(file) };
}

interface ResultPlace {
  readonly prefix: string;
  readonly run: string;
  readonly index: number;
  readonly name: string;
  readonly directory: string;
}
