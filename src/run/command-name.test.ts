import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandName } from './command-name.js';

test('a command is named by its script, or by its program', () => {
  for (const [words, name] of [
    ['node my-client.js', 'my-client.js'],
    ['/usr/bin/node --enable-source-maps dist/sync.js --all', 'sync.js'],
    ['env MODE=half RETRIES=3 python3 -u tools/client.py', 'client.py'],
    ['python3.12 -m petshop', 'petshop'],
    ['bun run client.ts', 'client.ts'],
    ['npm test', 'npm'],
    ['./bin/petshop sync', 'petshop'],
    ['node -e fetch(1)', 'node'],
    ['bash -c curl', 'bash'],
    ['node', 'node'],
    ['env A=1', 'env'],
    ['', 'client'],
  ] as const)
    assert.equal(commandName(words === '' ? [] : words.split(' ')), name, words);
});
