import { cpSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildLedger } from '../contract/ledger.js';

/** Part of the build: keeps the ledger's rows, and copies the style sheets and scripts, which the compiler does not. */

const built = resolve(import.meta.dirname, '..');
const sources = resolve(built, '../../src');

for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' }))
  if (/\.(?:css|js)$/.test(name)) cpSync(join(sources, name), join(built, name));

buildLedger();
