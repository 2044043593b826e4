import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { configPath } from '../kernel/config-file.js';
import { loadContract, parseContract } from './contract.js';
import { readInterface } from './interface-file.js';
import { loadLedger, parseLedger } from './ledger.js';

const text = (name: string): string => readFileSync(configPath('interface', `${name}.yaml`), 'utf8');

test('the values that the build has kept are those of the files', () => {
  assert.deepEqual(loadLedger().rows, parseLedger(text('requirements'), 'a.yaml').rows);
  assert.deepEqual(loadContract(), parseContract(text('openapi'), 'a.yaml'));
});

test('a file that the build has kept is not parsed again', () =>
  assert.doesNotThrow(() =>
    readInterface('plans', () => {
      throw new Error('parsed again');
    }),
  ));
