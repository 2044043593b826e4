import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { UsageError } from '../../base/kernel/errors.js';
import { decoderOf } from '../../base/kernel/text-encoding.js';
import { checkRegular } from '../../base/kernel/places.js';
import { whyUnreadable } from '../../base/kernel/yaml-source.js';
import { EntryScanner, type ScannedEntry } from './scan-entries.js';

/** First bytes of a gzip file (RFC 1952, 2.3.1). */
const GZIP: readonly number[] = [0x1f, 0x8b];
/** First bytes of a ZIP archive: its first member, or the end of an empty one. */
const ZIP: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
];

/**
 * Yields the entries of a HAR file in their order, and returns whether the file is complete. It may be
 * gzipped, in UTF-8 or UTF-16, with or without a byte order mark. A file of any length needs memory for one
 * entry. Throws UsageError for a file that cannot be read, or is no HAR file.
 */
export async function* entriesOf(file: string): AsyncGenerator<ScannedEntry, boolean> {
  const scanner = new EntryScanner();
  let decoder: TextDecoder | undefined;
  let isCut = false;
  try {
    for await (const piece of bytesOf(file)) {
      decoder ??= decoderOf(piece);
      yield* scanner.push(decoder.decode(piece, { stream: true }));
    }
    yield* scanner.push(decoder?.decode() ?? '');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // A gzip file that was cut short ends in an error, and has entries before it.
    isCut = (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR';
    if (!isCut)
      throw new UsageError(
        'traffic-unreadable',
        `${file} cannot be read (${whyUnreadable(error)}).`,
        'Name a HAR file.',
        { cause: error },
      );
  }
  const { complete, hasEntries } = scanner.end();
  if (!hasEntries)
    throw new UsageError(
      'not-har',
      `${file} is no HAR file: it has no log.entries.`,
      'Save the traffic as HAR 1.2.',
    );
  return complete && !isCut;
}

const PIECE_BYTES = 256 * 1024;

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  checkRegular(await stat(file));
  const first = await beginningOf(file);
  if (ZIP.some((bytes) => beginsWith(first, bytes)))
    throw new UsageError(
      'traffic-zip',
      `${file} is a ZIP archive.`,
      'Unpack it into a folder, and name the HAR file in it: its bodies stand next to it.',
    );
  yield* beginsWith(first, GZIP)
    ? gunzipped(file)
    : (createReadStream(file, { highWaterMark: PIECE_BYTES }) as Bytes);
}

type Bytes = AsyncIterable<Buffer>;

function gunzipped(file: string): Bytes {
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  const stream = createReadStream(file, { highWaterMark: PIECE_BYTES });
  // A pipe does not pass errors on.
  stream.on('error', (error) => gunzip.destroy(error));
  return stream.pipe(gunzip);
}

const beginsWith = (bytes: Buffer, wanted: readonly number[]): boolean =>
  wanted.every((byte, at) => bytes[at] === byte);

async function beginningOf(file: string): Promise<Buffer> {
  const bytes = createReadStream(file, { end: 3 }) as Bytes;
  for await (const first of bytes) return first;
  return Buffer.alloc(0);
}
