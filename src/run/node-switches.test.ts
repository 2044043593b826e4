import assert from 'node:assert/strict';
import { test } from 'node:test';
import { switchesForChild, wordsOfOptions } from './node-switches.js';

const CASES: readonly (readonly [given: string, kept: string])[] = [
  ['--dns-result-order=ipv4first', '--dns-result-order=ipv4first'],
  ['--use-openssl-ca --tls-min-v1.3', '--use-openssl-ca --tls-min-v1.3'],
  ['--require ./preload.cjs --import ./preload.mjs', '--require ./preload.cjs --import ./preload.mjs'],
  ['--inspect --use-system-ca', '--use-system-ca'],
  ['--inspect-brk=9230 --inspect-port 0 -r a', '-r a'],
  ['--inspect_port 9229 --tls-cipher-list=A', '--tls-cipher-list=A'],
  ['--cpu-prof --cpu-prof-dir=x --no-warnings', '--no-warnings'],
  ['--max-old-space-size=4096 --use-openssl-ca', '--use-openssl-ca'],
  ['--max_old_space_size=4096 --test --test-reporter spec --watch --eval 1', ''],
  [
    '--require "./a folder/preload.cjs" --use-openssl-ca',
    '--require "./a folder/preload.cjs" --use-openssl-ca',
  ],
  ['', ''],
];

for (const [given, kept] of CASES)
  test(`of "${given}" a child gets "${kept}"`, () =>
    assert.equal(switchesForChild(wordsOfOptions(given)).join(' '), kept));
