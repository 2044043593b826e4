import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Makes an empty folder outside the checkout, and removes it after the test. */
export function folder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'petstore-e2e-'));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Returns all files below a folder, with relative paths and bytes. */
export const filesIn = (path: string): readonly { readonly name: string; readonly bytes: Buffer }[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ name: file.slice(path.length + 1), bytes: readFileSync(file) }));

/** Returns the folder and everything below it that others than the owner can read, write or enter. */
export const openToOthers = (path: string): readonly string[] =>
  [path, ...readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))].filter(
    (file) => (lstatSync(file).mode & 0o077) !== 0,
  );
