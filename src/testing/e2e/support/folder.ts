import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** An empty folder outside the checkout, gone after the test. */
export function folder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'petstore-e2e-'));
  context.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** All files below a folder, with their paths from it and their bytes. */
export const filesIn = (path: string): readonly { readonly name: string; readonly bytes: Buffer }[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ name: file.slice(path.length + 1), bytes: readFileSync(file) }));

/** A folder and all below it that anybody but the owner can read, write or look into. */
export const openToOthers = (path: string): readonly string[] =>
  [path, ...readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))].filter(
    (file) => (lstatSync(file).mode & 0o077) !== 0,
  );
