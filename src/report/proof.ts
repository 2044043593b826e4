import { existsSync, readFileSync } from 'node:fs';
import { configPath } from '../base/kernel/config-file.js';
import type { Proof } from './pages/input.js';

/** Returns the self-test result in this version of the kit; null for none. */
export function readProof(): Proof | null {
  const file = configPath('proof.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Proof) : null;
}
