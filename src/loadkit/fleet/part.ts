import type { Finding } from '../../judge/findings/finding.js';
import type { LogHeader, PreflightFacts } from '../../log/record.js';
import type { RunLog } from '../../log/run-log.js';
import { parseSlice, type Slice } from '../../wire/scenario/slice.js';

/** One part of a run: its log, and its name in reports (its folder or agent). */
export interface Part {
  readonly name: string;
  readonly log: RunLog;
}

/**
 * Returns the slice of a log; null if it is no part of a load run. A part that did not start has it in its
 * header.
 */
export function sliceIn({ header, capacity }: RunLog): Slice | null {
  const slice = capacity?.scenario.slice ?? parseSlice(header.scope.selection?.part ?? '');
  return slice !== null && slice.count > 1 ? slice : null;
}

/**
 * Properties that all slices of a load run share, by name; undefined if one that did not start cannot know
 * it.
 */
type Marks = readonly (readonly [what: string, value: string | undefined])[];

function marksOf(log: RunLog): Marks {
  const { header, capacity } = log;
  const begins = capacity?.scenario.together?.beginsAt;
  return [
    ['its scenario is', header.scope.selection?.scenario],
    ['its scenario reads', capacity ? JSON.stringify(capacity.scenario.scenario) : undefined],
    ['the number of its parts is', String(sliceIn(log)?.count)],
    ['its address is', header.target.baseUrl],
    ['its start time is', begins === undefined ? undefined : new Date(begins).toISOString()],
    ['its kit version is', header.kit.version],
    ['its interface is', `${header.contract}${header.ledger}`],
    ['its writes are', header.scope.writes ? 'on' : 'off'],
  ];
}

/** Difference of two parts in a shared property, in words that follow the first one's name; null without one. */
function differenceOf(one: Marks, other: Marks): string | null {
  const at = one.findIndex(([, value], place) => {
    const theirs = other[place]?.[1];
    return value !== undefined && theirs !== undefined && value !== theirs;
  });
  const [what, value] = one[at] ?? [];
  if (what === undefined) return null;
  // A whole scenario or a digest does not help a reader.
  return (value ?? '').length > 60
    ? `${what} another`
    : `${what} ${value}, but the others’ ${other[at]?.[1]}`;
}

/**
 * Sorts logs as parts of one run by place: finds duplicates and parts of another run. `reference` agrees with
 * most others; `problems` are sentences without a full stop. Pure.
 */
export function sortParts(given: readonly Part[]) {
  const marks = new Map(given.map((part) => [part, marksOf(part.log)] as const));
  const parts = given.filter(({ log }) => sliceIn(log) !== null);
  const against = (part: Part, other: Part): string | null =>
    differenceOf(marks.get(part) ?? [], marks.get(other) ?? []);
  const agreeing = (part: Part): number => parts.filter((other) => against(part, other) === null).length;
  const reference = parts.reduce<Part | null>(
    (best, part) => (best && agreeing(best) >= agreeing(part) ? best : part),
    null,
  );
  const problems = given
    .filter((part) => !parts.includes(part))
    .map(({ name }) => `${name} is not a slice of a load run`);
  const byIndex = new Map<number, Part>();
  for (const part of parts) {
    const difference = reference && against(part, reference);
    const index = sliceIn(part.log)?.index ?? 0;
    const before = byIndex.get(index);
    if (difference !== null) problems.push(`${part.name} is of another run: ${difference}`);
    else if (before) problems.push(`part ${index + 1} exists twice: ${before.name} and ${part.name}`);
    else byIndex.set(index, part);
  }
  return { reference, count: reference ? (sliceIn(reference.log)?.count ?? 0) : 0, byIndex, problems };
}

/** Returns the id of a part's exchange in the whole: its own and the part's number, counted from 1. */
export const idInWhole = (id: string, part: number): string => (id === '' ? id : `${id}-${part}`);

/** Returns a part's finding with the ids of the whole. */
export function findingInWhole(finding: Finding, part: number): Finding {
  const named = (ids: readonly string[]): readonly string[] => ids.map((id) => idInWhole(id, part));
  if (!('exchanges' in finding)) return finding;
  const exchanges = named(finding.exchanges);
  if (finding.kind !== 'violated' || !finding.story) return { ...finding, exchanges };
  return { ...finding, exchanges, story: { ...finding.story, exchanges: named(finding.story.exchanges) } };
}

/** Merges the headers of parts into one: that of `reference`, with the start and the figures of all. */
export const headerOfAll = (logs: readonly RunLog[], reference: LogHeader): LogHeader => ({
  ...reference,
  target: {
    ...reference.target,
    figures: Object.assign({}, ...logs.map(({ header }) => header.target.figures)),
  },
  startedAt: logs.map(({ header }) => header.startedAt).toSorted()[0] ?? reference.startedAt,
});

/** Merges the preflight facts of parts; null without any. */
export function preflightOfAll(logs: readonly RunLog[]): PreflightFacts | null {
  const all = logs.flatMap(({ preflight }) => preflight ?? []);
  const [first] = all;
  if (!first) return null;
  return {
    ...first,
    plannedRequests: all.reduce((sum, { plannedRequests }) => sum + plannedRequests, 0),
    remarks: [...new Set(all.flatMap(({ remarks }) => remarks))],
  };
}

/** Returns the end of the last part; null if none has an end. */
export const finishOfAll = (logs: readonly RunLog[]): string | null =>
  logs
    .flatMap(({ footer }) => footer?.finishedAt ?? [])
    .toSorted()
    .at(-1) ?? null;

/** Reason why a part is incomplete, in words that follow its name; null if it is complete. */
export function whyOpen({ footer }: RunLog): string | null {
  if (footer === null) return 'has a log without an end';
  if (footer.obstacle) return `did not start: ${footer.obstacle.short}`;
  return footer.complete ? null : `was cut short: ${footer.reason ?? 'no reason given'}`;
}
