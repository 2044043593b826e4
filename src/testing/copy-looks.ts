import { cpSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildContract } from '../base/interface/contract.js';
import { buildLedger } from '../base/interface/ledger.js';
import { buildPlans } from '../base/interface/plans.js';

/**
 * Part of the build: writes the parsed values of the interface's files, and copies style sheets and scripts,
 * which the compiler leaves out.
 */

const built = resolve(import.meta.dirname, '..');
const sources = resolve(built, '../../src');

for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' }))
  if (/\.(?:css|js)$/.test(name)) cpSync(join(sources, name), join(built, name));

buildLedger();
buildContract();
buildPlans();
