import { test } from 'node:test';
import { expectGoneFrom, KEY } from './redact.test.support.js';

const LARGE: Readonly<Record<string, string>> = {
  'key pieces of five characters': `${KEY.slice(0, 5)}-`.repeat(175_000),
  'the first character of the key': 'p'.repeat(1_048_576),
  'percent escapes': '%41'.repeat(350_000),
  'double Base64': Buffer.from(Buffer.from(KEY.repeat(28_000)).toString('base64')).toString('base64'),
  'decimal byte values': '107, '.repeat(210_000),
};

// A search that backtracks at every character would not end here. The bench measures the time.
for (const [what, text] of Object.entries(LARGE))
  test(`a megabyte of ${what} is redacted completely`, () => expectGoneFrom(text));
