import { join } from 'node:path';
import { placed } from '../scenario/schedule.js';
import type { Redact } from '../exchange/redact.js';
import { fileJournal, redactRecord } from '../log/journal.js';
import { readLog } from '../log/read.js';
import type { LogRecord } from '../log/record.js';
import { FILES } from '../report/files.js';
import { capacityReporter } from '../report/terminal/capacity-lines.js';
import { shownPath, writeLatest } from '../run/report-dir.js';
import { writeReports, writeStepSummary } from '../run/write-reports.js';
import { EXIT_CODES } from '../verdict/verdict.js';
import type { Io } from './io.js';

/** Where a run that was put together from parts goes, and how it is told. */
export interface FinishMerged {
  readonly directory: string;
  /** Each part was redacted where it was written, with the keys that it had; this is for what whoever puts them together adds. */
  readonly redact: Redact;
  readonly reporter: 'auto' | 'list' | 'github' | 'quiet';
  readonly io: Io;
}

/** Writes the log of a run that was put together, reports it, and gives its exit code. */
export async function finishMerged(
  records: readonly LogRecord[],
  { directory, redact, reporter, io }: FinishMerged,
): Promise<number> {
  const file = join(directory, FILES.log);
  const journal = fileJournal(file, redact);
  for (const record of records) journal.append(record);
  journal.close();
  const log = await readLog(file);
  const phases = placed(log.capacity?.scenario.scenario.phases ?? []);
  const told = capacityReporter({ stream: io.out, env: io.env, reporter, plan: { phases } });
  for (const record of records) if (record.type === 'capacity-phase') told.record(redactRecord(record, redact));
  const results = writeReports(directory, log, null);
  writeLatest(directory, results);
  writeStepSummary(results, io.env);
  told.finish(results, log, shownPath(join(directory, FILES.page)));
  return EXIT_CODES[results.verdict];
}
