import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { UserError } from '../../base/kernel/errors.js';
import { explainError } from './explain-error.js';

const HINT = 'Enterprise limits are custom. Put the agreed limits into a target file, or leave out the key.';

test('a terminal breaks an error between words, beside its label; a file does not', () => {
  const error = new UserError('configuration', 'plan-figures', 'No limits are known.', HINT);
  assert.deepEqual(explainError(error, false, 80), [
    'configuration   No limits are known.',
    'what to do      Enterprise limits are custom. Put the agreed limits into a',
    '                target file, or leave out the key.',
    'code            plan-figures',
  ]);
  assert.ok(explainError(error, false).includes(`what to do      ${HINT}`));
});

test('a command in a hint can be pasted where the kit was started', (t) => {
  const [, started = ''] = process.argv;
  t.after(() => void (process.argv[1] = started));
  process.argv[1] = join(process.cwd(), 'node_modules/.bin/petstore-conformance');
  const error = new UserError('usage', 'bad-option', 'What?', 'See petstore-conformance --help.');
  assert.ok(explainError(error, false).includes('what to do      See npx petstore-conformance --help.'));
});
