import { statSync, type Stats } from 'node:fs';

/** Whether a folder is there; a path that cannot be followed leads to none. */
export const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() ?? false;

/** Whether a file is there, and neither a folder nor a pipe, a socket or a device. */
export const isFile = (path: string): boolean => statsOf(path)?.isFile() ?? false;

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    // Too long, in a circle, below a file, or not to be looked into.
    return undefined;
  }
}
