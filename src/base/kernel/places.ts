import { statSync, type Stats } from 'node:fs';

/** Is true if a folder exists; false for an invalid path. */
export const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() ?? false;

/** Is true if a regular file exists: no folder, pipe, socket or device. */
export const isFile = (path: string): boolean => statsOf(path)?.isFile() ?? false;

/**
 * Checks that a path is a regular file: a pipe may never have data, and a device has no end. Throws EISDIR or
 * ENXIO.
 */
export function checkRegular(stats: Stats): void {
  if (!stats.isFile())
    throw Object.assign(new Error('no file'), { code: stats.isDirectory() ? 'EISDIR' : 'ENXIO' });
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    // Too long, circular, below a file, or without permission.
    return undefined;
  }
}
