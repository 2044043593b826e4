import { statSync, type Stats } from 'node:fs';

/** Is true if a folder exists; false for an invalid path. */
export const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() ?? false;

/** Is true if a regular file exists: no folder, pipe, socket or device. */
export const isFile = (path: string): boolean => statsOf(path)?.isFile() ?? false;

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    // Too long, circular, below a file, or without permission.
    return undefined;
  }
}
