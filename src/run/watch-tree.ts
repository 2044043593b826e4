import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { REPORTS } from './report-dir.js';

/** Folders that other programs write, such as this kit's reports. */
const FOREIGN = new Set(['node_modules', '.git', REPORTS]);

export const isOfInterest = (file: string): boolean => !file.split(sep).some((part) => FOREIGN.has(part));

interface TreeOptions {
  /** @param file path from the folder */
  readonly onChange: (file: string) => void;
  /** Called once, when the system allows no more watches. */
  readonly onLimit: () => void;
  /** Watches one folder; for tests. */
  readonly watchOne?: (folder: string, listener: (event: string, name: string | null) => void) => FSWatcher;
}

/** Errors of a system whose watches are used up: inotify's limit, and that of open files. */
const USED_UP: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);

/**
 * Watches a folder and those below it, each by itself: Node's recursive watch takes foreign folders too, and
 * a folder of dependencies can use up the system's watches. Throws the error if the folder itself cannot be
 * watched.
 *
 * @returns a function that ends it
 */
export function watchTree(folder: string, { onChange, onLimit, watchOne = watch }: TreeOptions): () => void {
  const watchers = new Map<string, FSWatcher>();
  let isAtLimit = false;
  const add = (directory: string): void => {
    if (watchers.has(directory) || isAtLimit) return;
    try {
      const watcher = watchOne(directory, (_, name) => name !== null && changed(join(directory, name)));
      // A folder that vanished is no reason to end; its parent reports it.
      watcher.on('error', () => remove(directory));
      watchers.set(directory, watcher);
    } catch (error) {
      if (USED_UP.has((error as NodeJS.ErrnoException).code)) {
        isAtLimit = true;
        onLimit();
        return;
      }
      if (directory === folder) throw error;
    }
    for (const below of foldersIn(directory)) add(below);
  };
  const remove = (directory: string): void => {
    watchers.get(directory)?.close();
    watchers.delete(directory);
  };
  const changed = (path: string): void => {
    const file = relative(folder, path);
    if (!isOfInterest(file)) return;
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    if (isFolder) add(path);
    else remove(path);
    onChange(file);
  };
  add(folder);
  return () => [...watchers.keys()].forEach(remove);
}

const foldersIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !FOREIGN.has(entry.name))
      .map(({ name }) => join(directory, name));
  } catch {
    // It vanished meanwhile.
    return [];
  }
};
