import { cpSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildLedger } from '../base/interface/ledger.js';

/** Part of the build: writes the ledger's parsed rows, and copies style sheets and scripts, which the compiler leaves out. */

const built = resolve(import.meta.dirname, '..');
const sources = resolve(built, '../../src');

for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' }))
  if (/\.(?:css|js)$/.test(name)) cpSync(join(sources, name), join(built, name));

buildLedger();
