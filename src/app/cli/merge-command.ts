import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '../../base/kernel/visible.js';
import { redactor, type Redact } from '../../wire/exchange/redact.js';
import { mergeParts } from '../../loadkit/fleet/merge.js';
import { headerOfAll, sortParts, type Part } from '../../loadkit/fleet/part.js';
import { isFolder } from '../../base/kernel/places.js';
import { readLog } from '../../log/read.js';
import { FILES } from '../../log/files.js';
import { makeReportDir, logIn } from '../../run/report-dir.js';
import type { LogRecord } from '../../log/record.js';
import { placed } from '../../wire/scenario/schedule.js';
import { WHOLE } from '../../wire/scenario/slice.js';
import { fileJournal, redactRecord } from '../../log/journal.js';
import { capacityReporter } from '../../report/terminal/capacity-lines.js';
import { finishLoad } from '../../run/write-reports.js';
import { handedIn } from './named-files.js';
import type { Io } from './io.js';
import type { Arguments } from './command-options.js';
import { UsageError } from '../../base/kernel/errors.js';

/** `merge DIR...`: merges the slices of a load run, and judges the whole; sends nothing. */
export const mergeCommand = (args: Arguments<'merge'>, io: Io): Promise<number> =>
  handedIn('log-damaged', `${args.dirs.join(', ')}: a record has a wrong shape`, () => merged(args, io));

async function merged(args: Arguments<'merge'>, io: Io): Promise<number> {
  const { dirs, reportDir, reporter } = args;
  const given: Part[] = [];
  for (const name of dirs.flatMap(foldersIn)) given.push({ name, log: await readLog(logIn(name)) });
  const { reference, count, byIndex, problems } = sortParts(given);
  if (!reference)
    throw new UsageError(
      'no-log',
      `${given.length === 1 ? `${given[0]?.name} is` : 'None of these is'} the folder of a slice of a load run.`,
      'load --slice I/N writes slices. Name their folders, or the folder with all of them.',
    );
  const { header, capacity } = [...byIndex.values()].find(({ log }) => log.capacity)?.log ?? reference.log;
  const { part: _, ...selection } = header.scope.selection ?? {};
  const logs = [...byIndex.values()].map(({ log }) => log);
  const directory = makeReportDir(reportDir, header.target.name, new Date());
  const records = mergeParts(byIndex, {
    header: headerOfAll(logs, {
      ...header,
      scope: {
        ...header.scope,
        plans: [...new Set(logs.flatMap((log) => log.header.scope.plans))],
        selection,
      },
      command: ['petstore-conformance merge', ...dirs.map(shellWord)].join(' '),
    }),
    scenario: capacity?.scenario.scenario ?? null,
    count,
    beginsAt: capacity?.scenario.together?.beginsAt ?? 0,
    ended: null,
    problems,
    senders: new Map(),
  });
  return finishMerged(records, directory, redactor([]), reporter, io);
}

/** Returns the folder if it is a run's, or else the runs' folders in it. */
function foldersIn(path: string): readonly string[] {
  if (!isFolder(path)) return [path];
  const inside = readdirSync(path).toSorted();
  if (inside.includes(FILES.log)) return [path];
  const below = inside
    .map((name) => join(path, name))
    .filter((folder) => isFolder(folder) && readdirSync(folder).includes(FILES.log));
  if (below.length > 0) return below;
  throw new UsageError(
    'no-log',
    `There is no run in ${path}.`,
    'Name the folders that load --slice I/N wrote, or the folder with all of them.',
  );
}

/**
 * Writes the log of a merged run, reports it, and returns its exit code.
 *
 * @param redact for text that merging adds; each part is redacted already, with its own keys
 */
export async function finishMerged(
  records: readonly LogRecord[],
  directory: string,
  redact: Redact,
  reporter: Arguments<'merge'>['reporter'],
  io: Io,
): Promise<number> {
  const file = join(directory, FILES.log);
  const journal = fileJournal(file, redact);
  for (const record of records) journal.append(record);
  journal.close();
  const log = await readLog(file);
  const { phases = [], thresholds = [] } = log.capacity?.scenario.scenario ?? {};
  const plan = { phases: placed(phases), scenario: { thresholds }, slice: WHOLE };
  const told = capacityReporter({ stream: io.out, env: io.env, reporter, plan });
  for (const record of records)
    if (record.type === 'capacity-phase') told.record(redactRecord(record, redact));
  return finishLoad(directory, log, told, io);
}
