import { grouped, sum } from '../../base/kernel/format.js';
import { encoded, sumOfTexts } from '../../log/histogram.js';
import { mergeJourneys } from '../journey-meter.js';
import {
  sumByName,
  sumOfCounts,
  eachTime,
  failedIn,
  occurring,
  percentilesOfSecond,
  timesOfSecond,
  timesOfTexts,
} from '../figures.js';
import { causeCounts, type CauseCount } from '../causes.js';
import { commonGaps, type Stopped } from '../silence.js';
import { placeOf, type PartSecond } from './decide-refusals.js';
import { subjectName, subjectOf } from '../subjects.js';
import type { CapacityPhaseRecord, OperationRecord, SecondRecord } from '../../log/capacity-record.js';
import type { ViolationCount } from '../../log/load-shapes.js';
import type { PlacedPhase } from '../../wire/scenario/schedule.js';

interface PartPhase {
  readonly name: string;
  /** Start of the part by its own clock, Unix ms. */
  readonly startAt: number;
  readonly record: CapacityPhaseRecord;
}

/**
 * Merges a phase from its parts: adds counts and histograms, never averages. Pure.
 *
 * @param beginsAt start of the whole, Unix ms
 * @param isWhole true if every part is there
 * @param violations violations, with kinds of all parts combined
 */
export function mergePhase(
  { phase, startMs, count }: PlacedPhase,
  pieces: readonly PartPhase[],
  beginsAt: number,
  isWhole: boolean,
  violations: readonly ViolationCount[],
): CapacityPhaseRecord {
  const records = pieces.map(({ record }) => record);
  const saturated = pieces.flatMap(({ name, record }) =>
    record.saturated ? [{ ...record.saturated, agent: name }] : [],
  );
  const added = (amount: 'droppedHeld' | 'followed' | 'again' | 'shortPages'): number =>
    sum(records, (record) => record[amount] ?? 0);
  const exhausted = pieces.flatMap(({ name, record }) =>
    (record.exhausted ?? []).map((limit) => ({ ...limit, name })),
  );
  const longest = pieces.toSorted((one, other) => stoodIn(other) - stoodIn(one))[0];
  const followed = added('followed');
  const waiting = records.flatMap(({ gaps, startedAt, finishedAt }) =>
    gaps ? [{ gaps, doneMs: finishedAt - startedAt }] : [],
  );
  const stopped = stoppedOfAll(pieces);
  const ends = pieces.map(({ startAt, record }) => record.finishedAt - startAt);
  const [first] = saturated.toSorted((one, other) => one.fromMs - other.fromMs);
  return {
    type: 'capacity-phase',
    phase: phase.name,
    startedAt: Math.round(beginsAt + startMs),
    finishedAt: Math.round(beginsAt + Math.max(startMs, ...ends)),
    intended: count === null ? null : count + followed,
    droppedLate: sum(records, ({ droppedLate }) => droppedLate),
    droppedFull: sum(records, ({ droppedFull }) => droppedFull),
    ...occurring({
      followed,
      journeys: mergeJourneys(records.flatMap((record) => record.journeys ?? [])),
      droppedHeld: added('droppedHeld'),
      again: added('again'),
      shortPages: added('shortPages'),
      exhausted: sumOfCauses(exhausted).map((limit) => ({
        ...limit,
        agents: exhausted.filter(({ cause }) => cause === limit.cause).map(({ name }) => name),
      })),
      causes: sumOfCauses(records.flatMap(({ causes = [] }) => causes)),
    }),
    ...(longest && stoodIn(longest) > 0 && { stoodMs: stoodIn(longest), stoodBy: longest.name }),
    ...(waiting.length > 0 && waiting.length === records.length && { gaps: commonGaps(waiting) }),
    ...(stopped && { stopped }),
    operations: mergeOperations(records),
    byKey: sumByName(records.map(({ byKey }) => byKey)),
    violations,
    saturated: first ?? null,
    lagMs: Math.max(0, ...records.map(({ lagMs }) => lagMs)),
    cpu: Math.max(0, ...records.map(({ cpu }) => cpu)),
    whole: isWhole && records.every(({ whole }) => whole),
    remarks: pieces.flatMap(({ name, record }) => record.remarks.map((remark) => `${name}: ${remark}`)),
  };
}

const stoodIn = ({ record }: PartPhase): number => record.stoodMs ?? 0;

function sumOfCauses(all: readonly CauseCount[]): readonly CauseCount[] {
  const counts = causeCounts();
  for (const { cause, count } of all) counts.add(cause, count);
  return counts.all();
}

/** Returns when responses ended: for all parts the last end, otherwise that of the first part, with its name. */
function stoppedOfAll(pieces: readonly PartPhase[]): Stopped | null {
  const ends = pieces.flatMap(({ name, record: { stopped } }) =>
    stopped ? [{ ...stopped, agent: name }] : [],
  );
  const inOrder = ends.toSorted((one, other) => one.afterMs - other.afterMs);
  const [first] = inOrder;
  const last = inOrder.at(-1);
  if (!first || !last) return null;
  if (ends.length < pieces.length) return first;
  const { agent: _, ...end } = last;
  return { ...end, failed: sum(ends, ({ failed }) => failed) };
}

function mergeOperations(records: readonly CapacityPhaseRecord[]): readonly OperationRecord[] {
  const byName = grouped(
    records.flatMap(({ operations }) => operations),
    ({ operation }) => operation,
  );
  return [...byName].map(([operation, all]) => ({
    operation,
    ...sumOfCounts(all),
    // A part of an older kit counted only arrivals.
    ...(all.every(({ inTime }) => inTime !== undefined) && { inTime: sum(all, ({ inTime = 0 }) => inTime) }),
    ...eachTime((of) => encoded(sumOfTexts(all.map((one) => one[of])))),
    ...(all.some(({ failed }) => failed !== undefined) && {
      failed: eachTime((of) => encoded(failedIn(all, of))),
    }),
  }));
}

/**
 * Merges the seconds of all parts: adds counts and histograms, keeps the worst health of generators. Seconds
 * at the same time after each part's start belong together; clocks are not compared. Pure.
 *
 * @param beginsAt start of the whole, Unix ms
 */
export function mergeSeconds(placed: readonly PartSecond[], beginsAt: number): readonly SecondRecord[] {
  const groups = grouped(placed, (one) => `${one.second.phase} ${placeOf(one)}`);
  return [...groups.values()]
    .map((group): SecondRecord => {
      const all = group.map(({ second }) => second);
      const most = (of: (second: SecondRecord) => number): number => Math.max(...all.map(of));
      const length = new Map<number, number>();
      for (const { part, second } of group) length.set(part, (length.get(part) ?? 0) + second.ms);
      return {
        type: 'second',
        phase: all[0]?.phase ?? '',
        at: Math.round(beginsAt + Math.max(...group.map(({ endMs }) => endMs))),
        ms: Math.max(...length.values()),
        ...sumOfCounts(all),
        intended: sum(all, ({ intended }) => intended),
        dropped: sum(all, ({ dropped }) => dropped),
        ...percentilesOfSecond(timesOfTexts(all)),
        ...operationsOf(all),
        lagMs: most(({ lagMs }) => lagMs),
        busy: most(({ busy }) => busy),
        cpu: most(({ cpu }) => cpu),
        underWay: sum(all, ({ underWay }) => underWay),
        lateMs: most(({ lateMs }) => lateMs),
        behind: all.some(({ behind }) => behind),
      };
    })
    .toSorted((one, other) => one.at - other.at);
}

/** Merges the seconds' operations; nothing where a part has none. */
function operationsOf(seconds: readonly SecondRecord[]): Pick<SecondRecord, 'operations'> {
  if (seconds.some(({ operations }) => operations === undefined)) return {};
  const bySubject = grouped(
    seconds.flatMap(({ operations = [] }) => operations),
    subjectName,
  );
  return {
    operations: [...bySubject.values()].map((all) => ({
      ...subjectOf(all[0]),
      served: sum(all, ({ served }) => served),
      ...timesOfSecond(timesOfTexts(all)),
    })),
  };
}

/** Time after a second's end until all agents' figures are due in the live view, ms. */
const SETTLED_MS = 1500;

/**
 * Merges the seconds of all agents during the run.
 *
 * @param startAt start of the run by this machine's clock, Unix ms
 */
export function liveSeconds(startAt: number) {
  const seen = new Map<number, number>();
  let waiting: PartSecond[] = [];
  return {
    add(part: number, begin: number, seconds: readonly SecondRecord[]): void {
      for (const second of seconds) {
        if (second.at <= (seen.get(part) ?? 0)) continue;
        seen.set(part, second.at);
        waiting.push({ part, second, endMs: second.at - begin });
      }
    },
    /** Returns the merged seconds that are due, each once. */
    take(elapsedMs: number): readonly SecondRecord[] {
      const until = Math.floor((elapsedMs - SETTLED_MS) / 1000) * 1000 + SETTLED_MS / 3;
      const due = waiting.filter(({ endMs }) => endMs <= until);
      waiting = waiting.filter(({ endMs }) => endMs > until);
      return mergeSeconds(due, startAt);
    },
  };
}
