import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnySchemaObject } from 'ajv';
import { packageRoot } from './package.js';

/** The absolute path of a file in the package's `config/` folder. */
export const configPath = (...segments: readonly string[]): string => join(packageRoot(), 'config', ...segments);

/** One of the package's JSON Schemas, by the name before `.schema.json`. */
export const loadSchema = (name: string): AnySchemaObject =>
  JSON.parse(readFileSync(configPath('schemas', `${name}.schema.json`), 'utf8')) as AnySchemaObject;

/** The SHA-256 of a text in hexadecimal. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The hint for faults in files that the package itself carries. */
export const PACKAGE_HINT = 'This file belongs to the kit: install it again, or mend the file if you changed it.';

/** A function that computes its value on the first call and remembers it for the process. */
export function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: compute() }).value;
}
