import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { decodedText } from '../../base/kernel/text-encoding.js';
import { whyUnreadable } from '../../base/kernel/yaml-source.js';
import type { Place } from './placeholders.js';
import { size } from '../../base/kernel/format.js';
import { ConfigError, type ConfigErrorCode } from '../../base/kernel/errors.js';

const SCHEME = 'file:';
/** More than any header that servers accept by default (8 KiB for nginx and Node): a longer text is no key. */
const MOST_BYTES = 8_192;
/** Permission bit of users who are neither the owner nor in the group. */
const READABLE_BY_ALL = 0o004;
/** Windows has access lists instead, and shows the same mode for all. */
const tellsReaders = process.platform !== 'win32';

/** Returns the key of a setting, next to which its plan may stand. */
export const keyIn = (setting: unknown): unknown =>
  typeof setting === 'object' && setting !== null && 'key' in setting ? setting.key : setting;

/** Returns the path of a value that names a file: `file:PATH` or `{ file: PATH }`; undefined for any other. */
export function pathIn(value: unknown): string | undefined {
  if (typeof value === 'string')
    return value.startsWith(SCHEME) ? value.slice(SCHEME.length).trim() : undefined;
  const path = typeof value === 'object' && value !== null && 'file' in value ? value.file : undefined;
  return typeof path === 'string' ? path : undefined;
}

/**
 * Reads the only line of a file as a key, with a warning about its permissions. Throws ConfigError
 * `key-file`, without path and content: both may be a key.
 *
 * @param name place of the key, for errors
 * @param folder base of a relative path
 */
export function readKeyFile(
  path: string,
  name: string,
  folder: string,
  place: Place,
): { readonly key: string; readonly warning?: string } {
  const origin = place.file === undefined ? 'this folder' : 'the target file';
  const fail = (why: string, hint: string, code: ConfigErrorCode = 'key-file'): never => {
    throw new ConfigError({
      code,
      message: `The file of ${name} ${why}.`,
      ...place,
      expected: `a file with the key on its only line, its path relative to ${origin}`,
      hint,
    });
  };
  if (path === '') return fail('is not named', 'Write its path after "file:".');
  const descriptor = open(resolve(folder, path), (why) =>
    fail(`cannot be read (${why})`, 'Check that it exists and is readable.'),
  );
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) return fail('is a folder', 'Name a file in it.');
    if (!stats.isFile()) return fail('is a pipe, a socket or a device', 'Name a regular file.');
    const bytes = Buffer.alloc(MOST_BYTES + 1);
    const length = readSync(descriptor, bytes, 0, bytes.length, 0);
    if (length > MOST_BYTES)
      return fail(
        `is longer than ${size(MOST_BYTES)}, too long for a key`,
        'Name a file that contains only the key.',
      );
    const key = decodedText(bytes.subarray(0, length)).replace(/[\r\n]+$/, '');
    if (key === '') return fail('is empty', 'Write the key into it.');
    if (/[\r\n]/.test(key))
      return fail(
        'has more than one line',
        'Name a file that contains only the key: no comment, no second key.',
      );
    const warning = `the file of ${name} is readable by every user of this machine; run chmod 600 on it`;
    return { key, ...(tellsReaders && (stats.mode & READABLE_BY_ALL) !== 0 && { warning }) };
  } finally {
    closeSync(descriptor);
  }
}

/** Opens without waiting: a pipe without a writer would block the command forever. */
function open(file: string, fail: (why: string) => never): number {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return fail(whyUnreadable(error));
  }
}
