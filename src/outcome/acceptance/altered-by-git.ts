import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../../base/kernel/errors.js';

/**
 * What git may make of a certified file on its way to a reader: other line ends, or a pointer in place of the
 * file. Neither says anything about a certificate.
 */

/** First line of a Git LFS pointer (git-lfs, docs/spec.md). */
const POINTER = 'version https://git-lfs.github.com/spec/';

/** Throws UsageError `lfs-pointer` for the beginning of a file that is only a pointer to it. */
export function checkNoLfsPointer(beginning: string, file: string): void {
  if (!beginning.startsWith(POINTER)) return;
  throw new UsageError(
    'lfs-pointer',
    `${file} cannot be checked: it is a pointer of Git LFS, not the file itself.`,
    `Fetch the file with git lfs pull, and run again.`,
  );
}

/**
 * Throws UsageError where a log is not as it was certified only because of git: a pointer of Git LFS, or line
 * ends of Windows. A log that differs in anything else is left to its reader.
 *
 * @param certified SHA-256 of the certified logs, in hexadecimal
 */
export async function checkNotAlteredByGit(logFile: string, certified: readonly string[]): Promise<void> {
  const read = await asRead(logFile);
  if (read === null) return;
  checkNoLfsPointer(read.beginning, logFile);
  const [found, withLineFeeds] = read.hashes;
  if (certified.includes(found) || !certified.includes(withLineFeeds)) return;
  throw new UsageError(
    'line-ends',
    `${logFile} cannot be checked: its line ends were changed to those of Windows (CRLF), as git does with core.autocrlf.`,
    // A reset of the whole checkout would take the reader's own changes, and this line.
    `Add the line "${basename(logFile)} -text" to .gitattributes, delete the file, then: git checkout -- ${logFile}`,
  );
}

/** Null for a file that cannot be read, which its reader reports. */
async function asRead(file: string) {
  try {
    return { beginning: await beginningOf(file), hashes: await hashesOf(file) };
  } catch {
    return null;
  }
}

async function beginningOf(file: string): Promise<string> {
  for await (const piece of createReadStream(file, { end: POINTER.length - 1 })) return String(piece);
  return '';
}

const [CR, LF] = [0x0d, 0x0a];

/** In hexadecimal; `withLineFeeds` has CRLF as LF. */
async function hashesOf(file: string): Promise<readonly [found: string, withLineFeeds: string]> {
  const [found, normal] = [createHash('sha256'), createHash('sha256')];
  // A CR at the end of a piece belongs to an LF that begins the next one.
  let waits = false;
  await pipeline(createReadStream(file), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      found.update(piece);
      const whole = waits ? Buffer.concat([Buffer.of(CR), piece]) : piece;
      waits = whole.at(-1) === CR;
      const rest = waits ? whole.subarray(0, -1) : whole;
      normal.update(rest.filter((byte, at) => byte !== CR || rest[at + 1] !== LF));
    }
  });
  if (waits) normal.update(Buffer.of(CR));
  return [found.digest('hex'), normal.digest('hex')];
}
