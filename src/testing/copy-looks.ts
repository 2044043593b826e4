import { cpSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Part of the build: copies the pages' style sheets and scripts to dist, because the compiler does not. */

const built = resolve(import.meta.dirname, '..');
const sources = resolve(built, '../../src');

for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' }))
  if (/\.(?:css|js)$/.test(name)) cpSync(join(sources, name), join(built, name));
