import { readFileSync } from 'node:fs';
import type { AnySchemaObject, ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { configPath } from '../base/kernel/config-file.js';

/** Returns a published JSON Schema, by the name before `.schema.json`. */
export const publishedSchema = (name: string): AnySchemaObject =>
  JSON.parse(readFileSync(configPath('schemas', `${name}.schema.json`), 'utf8')) as AnySchemaObject;

const checks = new Map<string, ValidateFunction>();

/**
 * Returns the check of documents by a published schema, with formats, as other programs check them. Compiled
 * once each.
 */
export function publishedCheck(name: string): ValidateFunction {
  const check = checks.get(name) ?? compiled(publishedSchema(name));
  checks.set(name, check);
  return check;
}

/** Options of a quick compilation: most processes of tests check a few documents. */
const QUICKLY = { inlineRefs: false, code: { optimize: false } } as const;

function compiled(schema: AnySchemaObject): ValidateFunction {
  const rules = { allowUnionTypes: true, strictRequired: false, strictTypes: false, allErrors: true };
  const ajv = new Ajv2020({ ...rules, ...QUICKLY });
  formats.default(ajv);
  return ajv.compile(schema);
}
