import { existsSync, readFileSync } from 'node:fs';
import { configPath } from '../contract/config-file.js';
import type { Proof } from '../report/pages/input.js';

/** The result of the self-test that this version of the kit carries; null where it carries none. */
export function readProof(): Proof | null {
  const file = configPath('proof.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Proof) : null;
}
