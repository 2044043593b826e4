import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { loadSchema } from '../../../base/kernel/config-file.js';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(loadSchema('results'));

/** Fails if results.json is not as its published schema describes it. */
export const expectPublished = (results: unknown): void =>
  assert.ok(validate(results), ajv.errorsText(validate.errors));
