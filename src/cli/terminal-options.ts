import { loadLedger } from '../contract/ledger.js';
import type { TerminalOptions } from '../terminal/reporter.js';
import { readProof } from '../run/proof.js';

/** How a run is told on a terminal, with all that the kit knows of its rows. */
export const terminalOptions = (how: Omit<TerminalOptions, 'rows' | 'flaws'>): TerminalOptions => ({
  ...how,
  rows: loadLedger().requirements,
  flaws: () => readProof()?.flaws ?? [],
});
