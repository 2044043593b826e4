import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateWords } from './changes.js';

test('a pass of a client counts its requests, and one of a service its responses', () => {
  const passed = { outcome: 'passed', evidence: 1200 } as const;
  assert.equal(stateWords({ ...passed, id: 'client-waits' }), 'passed, on 1,200 requests');
  assert.equal(stateWords({ ...passed, id: 'list-ok' }), 'passed, on 1,200 responses');
});
