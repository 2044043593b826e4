import { appendFileSync, closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../capacity/fleet/part.js';
import { isFolder } from '../contract/places.js';
import { readLog, recordsOf } from '../log/read.js';
import type { LogRecord } from '../log/record.js';
import { FILES } from '../report/files.js';
import { finishRun } from '../run/finish.js';
import { footerOfWhole, headerOfWhole, preflightOfWhole, recordOfWhole, sortShards } from '../run/merge-shards.js';
import { earlierRuns, makeReportDir, runToCompare } from '../run/report-dir.js';
import { UsageError } from '../contract/usage-error.js';
import { acceptanceOf, notifyTo, readBaseline, reportUrlFrom, tellOthers } from './acceptance.js';
import type { Io } from './io.js';
import { reporterOf } from './reporter-of.js';
import type { MergeArguments } from './command-table.js';

/** Puts the parts of a run together, writes the log of the whole, and ends as the whole run would have. */
export async function mergeShards(given: readonly Part[], args: MergeArguments, io: Io): Promise<number> {
  const shards = sortShards(given);
  if (!shards.ok)
    throw new UsageError(
      'not-one-run',
      `These are not the parts of one run: ${shards.problems.join('; ')}.`,
      'Name the folder of each part of one run once: of run --shard 1/N, 2/N and so on, with the same target, options and kit.',
    );
  const { parts } = shards;
  const baseline = readBaseline(args.baseline);
  const notify = await notifyTo(args.notify, io.env);
  const base = reportUrlFrom(args.reportUrl);
  const header = headerOfWhole(parts, { acceptance: acceptanceOf(args.certify, baseline) });
  const before = runToCompare(earlierRuns('reports', header.target.name), header.scope.selection);
  const directory = makeReportDir(args.reportDir, header.target.name, new Date());
  const file = join(directory, FILES.log);
  const facts = preflightOfWhole(parts);
  // Each part was redacted where it was written, with the keys that it had.
  const descriptor = openSync(file, 'a');
  const append = (record: LogRecord): void => appendFileSync(descriptor, `${JSON.stringify(record)}\n`);
  try {
    append(header);
    if (facts) append({ type: 'preflight', facts });
    for (const [index, { name }] of parts.entries())
      for await (const record of recordsOf(logIn(name))) {
        const kept = recordOfWhole(record, index + 1);
        if (kept) append(kept);
      }
    append(footerOfWhole(parts));
  } finally {
    closeSync(descriptor);
  }
  const log = await readLog(file);
  const reporter = reporterOf(args, io);
  const finished = await finishRun({ log, directory, before, baseline, reporter, io });
  if (notify) await tellOthers(notify, { ...finished, directory }, base, io);
  return finished.code;
}

/** The log of a run: in its folder, or the file that was named. */
export const logIn = (path: string): string => (isFolder(path) ? join(path, FILES.log) : path);
