import assert from 'node:assert/strict';
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
