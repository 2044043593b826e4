import type { Phase } from '../wire/scenario/scenario.js';
import type { SecondRecord } from '../log/capacity-record.js';
import { sum } from './figures.js';

/** Figures of a phase in blocks of some seconds, to compare two runs. */
export interface PhaseBlocks {
  /** Length of a block, s. */
  readonly seconds: number;
  /** One value for each block, in ms: the mean of the seconds' percentiles, by their logarithms. */
  readonly p50: readonly number[];
  readonly p90: readonly number[];
  readonly p99: readonly number[];
  /** Successful responses per second. */
  readonly throughput: readonly number[];
}

/** Shortest block, s: neighbouring seconds depend on each other, blocks of 5 s much less. */
const LEAST_SECONDS = 5;
/** Most blocks of a phase, for the size of results. */
const MOST_BLOCKS = 120;
/** Fewest blocks that a comparison can use. */
const LEAST_BLOCKS = 8;
/** Seconds at the beginning of a phase that are left out: connections open, caches fill. */
const WARM_SECONDS = 3;
/** Shortest whole second, ms. */
const LEAST_MS = 500;

/** Returns the blocks of a phase; null where it is too short, or its rate changes. Pure. */
export function blocksOf(phase: Phase | undefined, seconds: readonly SecondRecord[]): PhaseBlocks | null {
  if (phase === undefined || (phase.kind === 'open' && phase.from !== phase.to)) return null;
  const own = seconds.filter(({ phase: name, ms }) => name === phase.name && ms >= LEAST_MS).slice(WARM_SECONDS);
  const length = Math.max(LEAST_SECONDS, Math.ceil(own.length / MOST_BLOCKS));
  const count = Math.floor(own.length / length);
  if (count < LEAST_BLOCKS) return null;
  const blocks = Array.from({ length: count }, (_, at) => own.slice(at * length, (at + 1) * length));
  return {
    seconds: length,
    p50: blocks.flatMap((block) => meanOf(block, ({ p50 }) => p50)),
    p90: blocks.flatMap((block) => meanOf(block, ({ p90 }) => p90)),
    p99: blocks.flatMap((block) => meanOf(block, ({ p99 }) => p99)),
    throughput: blocks.map((block) => rounded(servedIn(block))),
  };
}

/** Returns the mean of a figure by its logarithm; nothing for a block without responses, which the throughput shows. */
function meanOf(block: readonly SecondRecord[], of: (second: SecondRecord) => number): readonly number[] {
  const values = block.map(of).filter((value) => value > 0);
  if (values.length === 0) return [];
  return [rounded(Math.exp(sum(values, Math.log) / values.length))];
}

const servedIn = (block: readonly SecondRecord[]): number =>
  (sum(block, ({ served }) => served) * 1000) / sum(block, ({ ms }) => ms);

const rounded = (value: number): number => Number(value.toPrecision(5));
