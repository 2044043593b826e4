import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { folder } from '../e2e/support/folder.js';
import { findLines } from './account.js';
import { PINNED } from './pinned.js';
import { judgeCase } from './replay.js';

/** Some of them wait for windows to end. */
const SIDE_BY_SIDE = 8;

describe('what the hunt found once', { concurrency: SIDE_BY_SIDE }, () => {
  for (const [hunt, subject] of PINNED)
    test(`${hunt}: ${JSON.stringify(subject)}`, async (t) => {
      const came = await judgeCase(hunt, subject, folder(t));
      assert.equal(came.type, 'judged', came.type === 'found' ? findLines(came.find).join('\n') : '');
    });
});
