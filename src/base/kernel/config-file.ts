import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { packageRoot } from './package.js';

export const configPath = (...segments: readonly string[]): string =>
  join(packageRoot(), 'config', ...segments);

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const PACKAGE_HINT =
  'This file belongs to the kit. Undo your changes to it, or install the kit again.';

export function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: compute() }).value;
}
