import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Part of the build: keeps only the declarations that the package's entry leads to. The others cannot be
 * imported, and would be a quarter of the tarball.
 */

const root = resolve(import.meta.dirname, '../..');
const wanted = new Set<string>();

function want(file: string): void {
  if (wanted.has(file)) return;
  wanted.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:from |import\()['"](\.[^'"]+)\.js['"]/g,
  ))
    want(resolve(dirname(file), `${name}.d.ts`));
}

want(join(root, 'src/index.d.ts'));
for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }))
  if (name.endsWith('.d.ts') && !wanted.has(join(root, name))) rmSync(join(root, name));
