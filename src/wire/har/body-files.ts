import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve, sep } from 'node:path';

/** A body in its own file, or why it was not read, to follow the file's name. */
export type BodyFile =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'unread'; readonly why: string };

/** Largest file to read, bytes: the service's largest page has 20 kB. */
const MOST_BYTES = 16 * 2 ** 20;

const unread = (why: string): BodyFile => ({ kind: 'unread', why });

/**
 * Returns a reader of the files next to a HAR file, as Playwright writes bodies with `attach`. It reads
 * regular files in the folder of the HAR file and below it, and none to which a link leads out of it.
 */
export function bodyFilesOf(har: string): (name: string) => BodyFile {
  return (name) => {
    try {
      const folder = realpathSync(dirname(har));
      const isWithin = (path: string): boolean =>
        path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
      const named = resolve(folder, name);
      if (isAbsolute(name) || name.includes('\0') || !isWithin(named))
        return unread('is not in the folder of the HAR file');
      const path = realpathSync(named);
      if (!isWithin(path)) return unread('leads out of the folder of the HAR file');
      const stats = statSync(path);
      if (!stats.isFile()) return unread('is no regular file');
      if (stats.size > MOST_BYTES) return unread('is too large');
      return { kind: 'read', bytes: readFileSync(path) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return unread(code === 'ENOENT' || code === 'ENOTDIR' ? 'is missing' : 'cannot be read');
    }
  };
}
