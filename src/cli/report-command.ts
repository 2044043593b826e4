import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadLedger } from '../contract/ledger.js';
import { LogError, readLog } from '../log/read.js';
import type { RunLog } from '../log/run-log.js';
import { renderFinal } from '../report/terminal/reporter.js';
import { FILES } from '../report/files.js';
import { readProof } from '../run/proof.js';
import { shownPath } from '../run/report-dir.js';
import { nextCommand } from '../run/next-command.js';
import { writeReports } from '../run/write-reports.js';
import { EXIT_CODES } from '../verdict/verdict.js';
import type { Results } from '../verdict/results.js';
import type { Io } from './io.js';

/** `report LOG|DIR`: renders everything again from a log; nothing is sent, and the target need not be there. */
export async function reportCommand(
  { path, verbose }: { readonly path: string; readonly verbose: boolean },
  io: Io,
): Promise<number> {
  const file = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, FILES.log) : path;
  const log = await readLog(file);
  const directory = dirname(file);
  const results = written(file, directory, log);
  const next = nextCommand(results, log.header, shownPath(directory));
  io.out.write(
    renderFinal(
      results,
      log,
      { report: shownPath(join(directory, FILES.page)), ...(next !== null && { next }) },
      {
        stream: io.out,
        reporter: 'list',
        verbose,
        env: io.env,
        rows: loadLedger().requirements,
        flaws: () => readProof()?.flaws ?? [],
      },
    ),
  );
  return EXIT_CODES[results.verdict];
}

/** Writes the reports. A log that was handed in may hold what no run writes, and then the kit is not to blame. */
function written(file: string, directory: string, log: RunLog): Results {
  try {
    return writeReports(directory, log, null);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw new LogError('log-damaged', `${file}: a record has not the shape of its kind`, { cause: error });
  }
}
