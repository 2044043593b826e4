import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hiddenInWords } from './secret-words.js';

const words = (secret: string, user = secret): readonly string[] => [
  'curl', '-H', `Cookie: ${secret}`, '-H', 'Accept: a', '--token', secret, '--limit', '5', '--verbose-auth', '-x',
  `--password=${secret}`, `http://${user}@a/`, `{"token":"${secret}"}`, 'https://a/?limit=5', 'app.js',
]; // prettier-ignore

test('the secrets of a command are hidden by their names, and the other words stay', () => {
  assert.deepEqual(hiddenInWords(words('abc-1f9', 'me:abc-1f9')), words('[redacted]'));
});
