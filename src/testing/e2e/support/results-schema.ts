import assert from 'node:assert/strict';
import { publishedCheck } from '../../published-check.js';

/** Fails if results.json is not as its published schema describes it. */
export function expectPublished(results: unknown): void {
  const validate = publishedCheck('results');
  assert.ok(validate(results), JSON.stringify(validate.errors?.slice(0, 5), null, 2));
}
