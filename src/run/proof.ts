import { existsSync, readFileSync } from 'node:fs';
import { configPath } from '../contract/config-file.js';
import { loadLedger } from '../contract/ledger.js';
import type { TerminalOptions } from '../report/terminal/reporter.js';
import type { Proof } from '../report/pages/input.js';

/** The result of the self-test that this version of the kit carries; null where it carries none. */
export function readProof(): Proof | null {
  const file = configPath('proof.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Proof) : null;
}

/** How a run is told on a terminal, with all that the kit knows of its rows. */
export const terminalOptions = (how: Omit<TerminalOptions, 'rows' | 'flaws'>): TerminalOptions => ({
  ...how,
  rows: loadLedger().requirements,
  flaws: () => readProof()?.flaws ?? [],
});
