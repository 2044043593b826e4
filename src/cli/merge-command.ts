import { redactor } from '../exchange/redact.js';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mergeParts } from '../capacity/fleet/merge.js';
import { sortParts, type Part } from '../capacity/fleet/part.js';
import { isFolder } from '../contract/places.js';
import { LogError, readLog } from '../log/read.js';
import { FILES } from '../report/files.js';
import { makeReportDir } from '../run/report-dir.js';
import { badOption, UsageError } from '../contract/usage-error.js';
import { isShard } from '../run/merge-shards.js';
import { finishMerged } from './finish-merged.js';
import { handedIn } from './handed-in.js';
import type { Io } from './io.js';
import { quoted } from './command-line.js';
import type { MergeArguments } from './command-table.js';
import { logIn, mergeShards } from './merge-shards.js';

/** `merge DIR...`: puts the parts of a run, or of a load run, together, and judges the whole; nothing is sent. */
export const mergeCommand = (args: MergeArguments, io: Io): Promise<number> =>
  handedIn(
    () => merged(args, io),
    (cause) =>
      new LogError('log-damaged', `${args.dirs.join(', ')}: a record has not the shape of its kind`, { cause }),
  );

async function merged(args: MergeArguments, io: Io): Promise<number> {
  const { dirs, reportDir, reporter } = args;
  const given: Part[] = [];
  for (const name of dirs.flatMap(foldersIn)) given.push({ name, log: await readLog(logIn(name)) });
  if (given.some(({ log }) => isShard(log))) return mergeShards(given, args, io);
  const alone = (['baseline', 'certify', 'notify'] as const).find((name) => Boolean(args[name]));
  if (alone)
    throw badOption(`--${alone} goes with the parts of a run.`, 'Leave it out: a load run has its thresholds.');
  const { reference, count, byIndex, problems } = sortParts(given);
  if (!reference)
    throw new UsageError(
      'no-log',
      `${given.length === 1 ? `${given[0]?.name} is` : 'None of these is'} the folder of a part of a run.`,
      'Parts are what run --shard I/N and load --slice I/N write; name their folders, or the folder that holds them all.',
    );
  const { header, capacity } = [...byIndex.values()].find(({ log }) => log.capacity)?.log ?? reference.log;
  const { part: _, ...selection } = header.scope.selection ?? {};
  const logs = [...byIndex.values()].map(({ log }) => log);
  const directory = makeReportDir(reportDir, header.target.name, new Date());
  const records = mergeParts(byIndex, {
    header: {
      ...header,
      target: { ...header.target, figures: Object.assign({}, ...logs.map((log) => log.header.target.figures)) },
      scope: { ...header.scope, plans: [...new Set(logs.flatMap((log) => log.header.scope.plans))], selection },
      startedAt: logs.map((log) => log.header.startedAt).toSorted()[0] ?? header.startedAt,
      command: ['petstore-conformance merge', ...dirs.map(quoted)].join(' '),
    },
    scenario: capacity?.scenario.scenario ?? null,
    count,
    beginsAt: capacity?.scenario.together?.beginsAt ?? 0,
    ended: null,
    problems,
    senders: new Map(),
  });
  return finishMerged(records, { directory, redact: redactor([]), reporter, io });
}

/** A folder of a run itself, or those of a folder that holds several. */
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
    'Name the folders that run --shard I/N or load --slice I/N wrote, or the one that holds them all.',
  );
}
