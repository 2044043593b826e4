import { sum } from '../base/kernel/format.js';
import type { Blocks } from './capacity-shape.js';
import type { Phase } from '../wire/scenario/scenario.js';
import type { SecondRecord } from '../log/capacity-record.js';
import { isWholeSecond } from './figures.js';
import { subjectName, type Subject } from './subjects.js';

/** Shortest block, s: neighbouring seconds depend on each other, blocks of 5 s much less. */
const LEAST_SECONDS = 5;
/** Most blocks of a phase, for the size of results. */
const MOST_BLOCKS = 120;
/** Fewest blocks that a comparison can use. */
const LEAST_BLOCKS = 8;
/** Seconds at the beginning of a phase that are left out: connections open, caches fill. */
const WARM_SECONDS = 3;

/** Shortest phase that a comparison can use, s. */
export const LEAST_COMPARED_SECONDS = WARM_SECONDS + LEAST_BLOCKS * LEAST_SECONDS;

/** Figures of a second; percentiles are 0 where no response came. */
interface Figures {
  readonly served: number;
  readonly p50: number;
  readonly p95?: number | undefined;
  readonly p99: number;
}

const NONE: Figures = { served: 0, p50: 0, p95: 0, p99: 0 };

/**
 * Returns the blocks of a phase, and of each operation and journey in it; null where the phase is too short,
 * or its rate changes. Pure.
 */
export function blocksOf(phase: Phase | undefined, seconds: readonly SecondRecord[]) {
  if (phase === undefined || (phase.kind === 'open' && phase.from !== phase.to)) return null;
  const own = seconds
    .filter((second) => second.phase === phase.name && isWholeSecond(second))
    .slice(WARM_SECONDS);
  const length = Math.max(LEAST_SECONDS, Math.ceil(own.length / MOST_BLOCKS));
  const count = Math.floor(own.length / length);
  if (count < LEAST_BLOCKS) return null;
  const groups = Array.from({ length: count }, (_, at) => own.slice(at * length, (at + 1) * length));
  const blocks = (of: (second: SecondRecord) => Figures): Blocks => {
    const means = (figure: (one: Figures) => number): readonly number[] =>
      groups.flatMap((group) => meanOf(group.map((second) => figure(of(second)))));
    return {
      seconds: length,
      p50: means(({ p50 }) => p50),
      p95: means(({ p95 = 0 }) => p95),
      p99: means(({ p99 }) => p99),
      throughput: groups.map((group) =>
        rounded((sum(group, (second) => of(second).served) * 1000) / sum(group, ({ ms }) => ms)),
      ),
    };
  };
  const bySecond = new Map(
    own.map((second) => [second, new Map((second.operations ?? []).map((one) => [subjectName(one), one]))]),
  );
  const names = new Set([...bySecond.values()].flatMap((subjects) => [...subjects.keys()]));
  const ofSubjects = new Map(
    [...names].map((name) => [name, blocks((one) => bySecond.get(one)?.get(name) ?? NONE)]),
  );
  return {
    whole: blocks((second) => second),
    /** Returns the blocks of a subject in it. The throughput of a journey is of finished ones. */
    of: (subject: Subject): Blocks | undefined => ofSubjects.get(subjectName(subject)),
  };
}

/**
 * Returns the mean of values by their logarithms; nothing for a block without responses, which the throughput
 * shows.
 */
function meanOf(values: readonly number[]): readonly number[] {
  const known = values.filter((value) => value > 0);
  return known.length === 0 ? [] : [rounded(Math.exp(sum(known, Math.log) / known.length))];
}

const rounded = (value: number): number => Number(value.toPrecision(5));
