import assert from 'node:assert/strict';
import { publishedCheck } from '../../published-check.js';

const validate = publishedCheck('results');

/** Fails if results.json is not as its published schema describes it. */
export const expectPublished = (results: unknown): void =>
  assert.ok(validate(results), JSON.stringify(validate.errors?.slice(0, 5), null, 2));
