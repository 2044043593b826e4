import { loadLedger } from '../contract/ledger.js';
import { createTerminalReporter } from '../report/terminal/reporter.js';
import type { RunReporter } from '../run/run-reporter.js';
import { readProof } from '../run/proof.js';
import type { Io } from './io.js';
import type { RunArguments } from './command-table.js';

/** What tells a run on the terminal, as its options ask. */
export const reporterOf = ({ reporter, verbose }: Pick<RunArguments, 'reporter' | 'verbose'>, io: Io): RunReporter =>
  createTerminalReporter({
    stream: io.out,
    reporter,
    verbose,
    env: io.env,
    rows: loadLedger().requirements,
    flaws: () => readProof()?.flaws ?? [],
  });
