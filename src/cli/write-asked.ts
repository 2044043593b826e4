import { writeFileSync } from 'node:fs';
import { whyUnreadable } from '../contract/yaml-source.js';
import { writeInPlace } from '../run/own-file.js';
import { UsageError } from '../contract/usage-error.js';

/**
 * Writes a file that was asked for. With `isThere` it writes over nothing: what it gives is thrown when the file is there
 * already.
 */
export function writeAsked(file: string, text: string, hint: string, isThere?: (cause: unknown) => UsageError): void {
  try {
    if (isThere) writeFileSync(file, text, { flag: 'wx' });
    else writeInPlace(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isThere && code === 'EEXIST') throw isThere(error);
    const why = code === 'ENOENT' ? 'its folder is not there' : whyUnreadable(error);
    throw new UsageError('report-dir', `${file} cannot be written (${why}).`, hint, { cause: error });
  }
}
