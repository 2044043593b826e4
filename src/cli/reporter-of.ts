import { loadLedger } from '../contract/ledger.js';
import type { TerminalReporter } from '../report/terminal/reporter.js';
import { createTerminalReporter } from '../report/terminal/reporter.js';
import { readProof } from '../run/proof.js';
import type { Io } from './io.js';
import type { RunArguments } from './run-options.js';

/** What tells a run on the terminal, as its options ask. */
export const reporterOf = (
  { reporter, verbose }: Pick<RunArguments, 'reporter' | 'verbose'>,
  io: Io,
): TerminalReporter =>
  createTerminalReporter({
    stream: io.out,
    reporter,
    verbose,
    env: io.env,
    rows: loadLedger().requirements,
    flaws: () => readProof()?.flaws ?? [],
  });
