import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Part of the build: removes what was built from sources that are gone, because the tests run whatever is
 * built.
 */

const built = resolve(import.meta.dirname, '../..');
const sources = resolve(built, '..');

/** Endings of a source, by the ending of what is built from it. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.js'],
  '.js.map': ['.ts', '.tsx'],
  '.d.ts': ['.ts', '.tsx'],
  '.cjs': ['.cts', '.cjs'],
  '.cjs.map': ['.cts'],
  '.d.cts': ['.cts'],
  '.css': ['.css'],
};

for (const name of readdirSync(built, { recursive: true, encoding: 'utf8' })) {
  const [ending, endings] = Object.entries(SOURCES).find(([each]) => name.endsWith(each)) ?? [];
  if (ending === undefined || endings === undefined) continue;
  const stem = join(sources, name.slice(0, -ending.length));
  if (!endings.some((each) => existsSync(stem + each))) rmSync(join(built, name));
}
