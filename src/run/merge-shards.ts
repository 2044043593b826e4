import {
  findingInWhole,
  finishOfAll,
  headerOfAll,
  idInWhole,
  preflightOfAll,
  sortParts,
  whyOpen,
  type Part,
  type PartKind,
} from '../capacity/fleet/part.js';
import { loadLedger } from '../contract/ledger.js';
import type { Acceptance, LogHeader, LogRecord, PreflightFacts } from '../log/record.js';
import type { RunLog } from '../log/run-log.js';
import { capital, counted, listed, moment } from '../format/format.js';
import { selectionOfWhole, shardOf } from '../verdict/shard.js';
import { rowsOfShard, selectRequirements } from './select.js';

/** Parts of a run with sharded suites, as `run --shard` leaves them. */
const OF_SHARDS: PartKind = {
  of: 'a sharded run',
  sliceIn: ({ header }) => shardOf(header.scope.selection),
  marksOf: ({ header }) => [
    ['the number of its parts is', String(shardOf(header.scope.selection)?.count)],
    ['its target is', header.target.name],
    ['its address is', header.target.baseUrl],
    ['its build is', header.label ?? 'not named'],
    ['its kit version is', header.kit.version],
    ['its interface is', `${header.contract}${header.ledger}`],
    ['its --as-of date is', header.scope.asOf],
    ['its selection is', JSON.stringify(selectionOfWhole(header.scope.selection) ?? 'everything')],
    ['its opt-ins are', listed(header.scope.includes) || 'none'],
    ['its writes are', header.scope.writes ? 'on' : 'off'],
    ['its windows are', `${header.target.windows.minute} s and ${header.target.windows.day} s`],
    ['its keys are', header.target.exclusive ? 'its own' : 'shared'],
  ],
};

/** Sorts the parts of one run, or returns why they are none: some missing, repeated or from another run, a clause each. Pure. */
export function sortShards(given: readonly Part[]) {
  const { count, byIndex, problems } = sortParts(given, OF_SHARDS);
  const missing = Array.from({ length: count }, (_, index) => index).filter((index) => !byIndex.has(index));
  const strange = [...byIndex.values()]
    .filter(({ log }) => !isOwnShare(log))
    .map(({ name }) => `${name} does not have exactly its share`);
  const all = [...problems, ...strange, ...missing.map((index) => `part ${index + 1} of ${count} is missing`)];
  const [first, ...others] = [...byIndex].toSorted(([one], [other]) => one - other).map(([, part]) => part);
  if (!first || all.length > 0) return { ok: false, problems: all } as const;
  return { ok: true, parts: [first, ...others] } as const;
}

/** True if a part judged exactly its share: overlaps or gaps make no whole. */
function isOwnShare({ header: { scope } }: RunLog): boolean {
  const shard = shardOf(scope.selection);
  const rows = loadLedger().requirements;
  return (
    shard !== null &&
    listed(rowsOfShard(rows, selectRequirements(rows, selectionOfWhole(scope.selection)), shard)) ===
      listed(scope.selected ?? [])
  );
}

/** Is true if a log is a part of a sharded run. */
export const isShard = ({ header }: RunLog): boolean => shardOf(header.scope.selection) !== null;

type Parts = readonly [Part, ...Part[]];

const logsOf = (parts: readonly Part[]): readonly RunLog[] => parts.map(({ log }) => log);

/** Returns the first record of the merged run: the last part's, which sent the load, without its shard. */
export function headerOfWhole(parts: Parts, acceptance: Acceptance): LogHeader {
  // A finished run needs no time limit.
  const { mostSeconds: _, ...last } = (parts.at(-1) ?? parts[0]).log.header;
  const selection = selectionOfWhole(last.scope.selection);
  const { requirements } = loadLedger();
  return headerOfAll(logsOf(parts), {
    ...last,
    scope: { ...last.scope, selection, selected: selectRequirements(requirements, selection) },
    acceptance,
    command: last.command.replace(/ --shard \S+/, ''),
  });
}

/** Merges the preflight facts of all parts; null without any. Parts follow each other. */
export function preflightOfWhole(parts: readonly Part[]): PreflightFacts | null {
  const facts = preflightOfAll(logsOf(parts));
  return (
    facts && {
      ...facts,
      plannedSeconds: parts.reduce((sum, { log }) => sum + (log.preflight?.plannedSeconds ?? 0), 0),
      remarks: [...new Set([putTogether(parts), ...driveAllKeys(parts), ...facts.remarks])],
    }
  );
}

const putTogether = (parts: readonly Part[]): string =>
  `this run was merged from ${counted(parts.length, 'part')}: ${listed(
    parts.map(({ log: { header } }) => moment(header.startedAt)),
  )}`;

/** Reports parts that ran in parallel with a key of one plan: only the user knows if that was one key. */
function driveAllKeys(parts: readonly Part[]): readonly string[] {
  const spans = parts.map(({ log: { header, footer } }, index) => ({
    part: index + 1,
    plan: header.scope.suiteKey,
    from: Date.parse(header.startedAt),
    until: Date.parse(footer?.finishedAt ?? header.startedAt),
  }));
  return spans.flatMap((one, at) =>
    spans
      .slice(at + 1)
      .filter((other) => other.plan === one.plan && one.from < other.until && other.from < one.until)
      .map(
        (other) =>
          `parts ${one.part} and ${other.part} ran at the same time, each with a ${capital(one.plan)} key: if it was the same key, each used up allowance that the other counted on`,
      ),
  );
}

/** End of the merged run: complete if every part is. */
export function footerOfWhole(parts: Parts): Extract<LogRecord, { type: 'footer' }> {
  const logs = logsOf(parts);
  const obstacles = logs.flatMap(({ footer }) => footer?.obstacle ?? []);
  const fault = logs.find(({ footer }) => footer?.fault !== undefined)?.footer?.fault;
  const at = logs.findIndex((log) => whyOpen(log) !== null);
  const open = logs[at];
  const reason = open === undefined ? null : `part ${at + 1} of ${parts.length} ${whyOpen(open)}`;
  return {
    type: 'footer',
    complete: reason === null,
    reason,
    finishedAt: finishOfAll(logs) ?? parts[0].log.header.startedAt,
    // If no part could start, nothing was judged; otherwise the results stand.
    ...(obstacles.length === parts.length && { obstacle: obstacles[0] }),
    ...(fault !== undefined && { fault }),
  };
}

/** Converts a part's record for the merged log, with new ids of exchanges; null for a record that it has once. Pure. */
export function recordOfWhole(record: LogRecord, part: number): LogRecord | null {
  if (ONCE.has(record.type)) return null;
  if (record.type === 'exchange')
    return { ...record, exchange: { ...record.exchange, id: idInWhole(record.exchange.id, part) } };
  return record.type === 'finding' ? { ...record, finding: findingInWhole(record.finding, part) } : record;
}

/** Records that the merged log has once. */
const ONCE: ReadonlySet<LogRecord['type']> = new Set<LogRecord['type']>(['header', 'preflight', 'footer']);
