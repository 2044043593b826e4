import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../base/interface/ledger.js';
import { filesStating } from './suite-files.js';

test('each requirement of the suites stands in a file, and a selection loads only its files', () => {
  for (const { id, judgedBy } of loadLedger().requirements)
    if (judgedBy.kind === 'suite') assert.ok(filesStating([id]), id);
  assert.deepEqual(filesStating(['list-ok', 'list-order', 'base-path-v1']), [
    'endpoints-listing-bounds.spec.js',
    'endpoints-listing-contents.spec.js',
    'versioning.spec.js',
  ]);
});

test('without a file for a requirement, all files are loaded', () =>
  assert.equal(filesStating(['list-ok', 'rate-429']), null));
