import { minuteMs } from '../bounds.js';
import type { Figures } from '../series.js';
import { wasRefused, wasServed, type Sample } from '../sample.js';

/** Requests and responses of one key, in order of sending. */
export interface Trace {
  readonly figures: Figures;
  readonly samples: readonly Sample[];
  /** All requests of the two windows before this time are known, Unix ms. Refusals before it prove nothing. */
  readonly knownSince: number;
}

/**
 * An algorithm. `misfit` describes a response that it cannot have given; null if it explains all of them. A request is
 * counted between its sending and its response. So a model compares bounds of the count with responses.
 */
export interface Model {
  readonly label: string;
  readonly misfit: (trace: Trace) => string | null;
}

/** Allowed requests as counts over spans. */
export interface Served {
  /** Number that were certainly counted after `from` and before `to`. */
  readonly surely: (from: number, to: number) => number;
  /** Number that may have been. */
  readonly possibly: (from: number, to: number) => number;
}

/** Number of ascending `times` that are at most `time`. */
function upTo(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const ascending = (times: readonly number[]): readonly number[] => times.toSorted((one, other) => one - other);

/** Counts the allowed requests of a trace over spans, in logarithmic time. */
export function servedOf({ samples }: Trace): Served {
  const served = samples.filter(wasServed);
  const sent = ascending(served.map(({ sentAt }) => sentAt));
  const answered = ascending(served.map(({ answeredAt }) => answeredAt));
  return {
    surely: (from, to) => Math.max(0, upTo(answered, to) - upTo(sent, from)),
    possibly: (from, to) => Math.max(0, upTo(sent, to) - upTo(answered, from)),
  };
}

/** Returns the refusals that a model has to explain: all that counts before them is known. */
export const refusalsOf = ({ samples, knownSince }: Trace): readonly Sample[] =>
  samples.filter((sample) => wasRefused(sample) && sample.sentAt >= knownSince);

/** Number of phases to try for a clock-aligned window. */
const PHASES = 60;

/** Tries phases all over a window. Returns null if one of them fits, else the last misfit. */
export function anyPhase(figures: Figures, misfitAt: (phaseMs: number) => string | null): string | null {
  let misfit: string | null = null;
  for (let place = 0; place < PHASES; place += 1) {
    misfit = misfitAt((place / PHASES) * minuteMs(figures));
    if (misfit === null) return null;
  }
  return misfit;
}
