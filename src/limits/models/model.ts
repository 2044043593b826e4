import { minuteMs } from '../bounds.js';
import type { Figures } from '../series.js';
import { wasRefused, wasServed, type Sample } from '../sample.js';

/** What one key's run looked like to a limiter, in the order of sending. */
export interface Trace {
  readonly figures: Figures;
  readonly samples: readonly Sample[];
  /** Nothing unknown was sent in the two windows before this time, in our ms: earlier refusals prove nothing. */
  readonly knownSince: number;
}

/**
 * An algorithm. `misfit` says in words which answer it cannot have given, null when it explains all of them. A request is
 * counted somewhere between its sending and its answer: the most and the least that may count at a time are compared with
 * what was served and refused.
 */
export interface Model {
  readonly label: string;
  readonly misfit: (trace: Trace) => string | null;
}

/** Requests served, as times to be counted in spans. */
export interface Served {
  /** Of those, how many were surely counted after `from` and before `to`. */
  readonly surely: (from: number, to: number) => number;
  /** How many may have been. */
  readonly possibly: (from: number, to: number) => number;
}

/** How many of ascending `times` are at most `time`. */
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

/** The served requests of a trace as counts over spans; logarithmic. */
export function servedOf({ samples }: Trace): Served {
  const served = samples.filter(wasServed);
  const sent = ascending(served.map(({ sentAt }) => sentAt));
  const answered = ascending(served.map(({ answeredAt }) => answeredAt));
  return {
    surely: (from, to) => Math.max(0, upTo(answered, to) - upTo(sent, from)),
    possibly: (from, to) => Math.max(0, upTo(sent, to) - upTo(answered, from)),
  };
}

/** The refusals that a model has to explain: those of which all that counts is known. */
export const refusalsOf = ({ samples, knownSince }: Trace): readonly Sample[] =>
  samples.filter((sample) => wasRefused(sample) && sample.sentAt >= knownSince);

/** Where the phase of a clock-aligned window is looked for: this many places in a window. */
const PHASES = 60;

/** The first phase, of places all over a window, at which nothing misfits; the last misfit when there is none. */
export function anyPhase(figures: Figures, misfitAt: (phaseMs: number) => string | null): string | null {
  let misfit: string | null = null;
  for (let place = 0; place < PHASES; place += 1) {
    misfit = misfitAt((place / PHASES) * minuteMs(figures));
    if (misfit === null) return null;
  }
  return misfit;
}
