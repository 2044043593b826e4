import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { packageRoot } from './package.js';

/** Returns the absolute path of a file in the package's `config/` folder. */
export const configPath = (...segments: readonly string[]): string =>
  join(packageRoot(), 'config', ...segments);

/** Returns the SHA-256 of a text in hexadecimal. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Hint for faults in the package's own files. */
export const PACKAGE_HINT =
  'This file belongs to the kit. Undo your changes to it, or install the kit again.';

/** Returns a function that computes its value once per process. */
export function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: compute() }).value;
}
