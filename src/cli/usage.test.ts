import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usageError } from './usage.js';

for (const [words, sentence, help] of [
  [['run', '--tagret', 'x'], 'There is no option --tagret.', /Did you mean --target\?/],
  [['init', '--name', 'x'], 'init takes no --name.', /petstore-conformance init --help/],
  [['--name', 'x'], '--name stands without a command.', /See petstore-conformance --help/],
  [['run', '-q'], 'There is no option -q.', /See petstore-conformance --help/],
] as const)
  test(`${words.join(' ')}: ${sentence}`, () => {
    const unknown = words.find((word) => word.startsWith('-'))?.replace(/^-+/, '');
    const error = usageError(`Unknown argument: ${unknown}`, words);
    assert.equal(error.message, sentence);
    assert.match(error.hint, help);
  });
