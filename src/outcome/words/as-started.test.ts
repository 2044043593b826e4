import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { shellWord } from '../../base/kernel/visible.js';
import { asStarted } from './as-started.js';

const STARTED: readonly (readonly [script: string, command: string])[] = [
  ['/home/a/node_modules/.bin/petstore-conformance', 'npx petstore-conformance run'],
  ['/home/a/.npm/_npx/1/node_modules/.bin/petstore-conformance', 'npx petstore-conformance run'],
  ['C:\\a\\node_modules\\petstore-conformance\\dist\\src\\cli\\main.js', 'npx petstore-conformance run'],
  ['/usr/local/bin/petstore-conformance', 'petstore-conformance run'],
  [resolve('dist/src/cli/main.js'), `node ${shellWord('dist/src/cli/main.js')} run`],
];
for (const [script, command] of STARTED)
  test(`the next command works where ${script.replace(process.cwd(), '.')} was started`, () =>
    assert.equal(asStarted('petstore-conformance run', script), command));
