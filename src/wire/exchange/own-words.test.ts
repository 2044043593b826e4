import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactor } from './redact.js';
test('pieces of a key in the user’s own names, addresses and commands stay, and whole keys do not', () => {
  const key = 'localhost-key-123456';
  const command = "petstore-conformance run --target localhost.yaml --label 'build 123456'";
  const own = redactor([key], ['localhost', 'http://localhost:8080/v1', command, `label ${key}`]);
  for (const text of [
    command,
    'Nothing listens at http://localhost:8080/v1.',
    'localhost',
    `next  ${command} --verbose`,
  ])
    assert.equal(own(text), text);
  assert.equal(own('build 123456 of another text'), 'build [key] of another text');
  assert.equal(own(`label ${key}`), 'label [key]');
  assert.equal(own('localhost-key'), '[key]');
  assert.equal(own('http://localhost:8080/v1/pets?localhost-key-1'), 'http://localhost:8080/v1/pets?[key]');
});
