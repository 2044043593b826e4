import { loadLedger } from '../contract/ledger.js';
import type { TerminalOptions } from '../terminal/reporter.js';
import { readProof } from '../run/proof.js';

/** Adds the kit's rows and flaws to the options of a terminal reporter. */
export const terminalOptions = (how: Omit<TerminalOptions, 'rows' | 'flaws'>): TerminalOptions => ({
  ...how,
  rows: loadLedger().requirements,
  flaws: () => readProof()?.flaws ?? [],
});
