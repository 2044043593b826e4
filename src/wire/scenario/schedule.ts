import type { PetStatus } from '../../base/interface/contract.js';
import type { OperationName } from '../../base/interface/types.js';
import type { OpenPhase, OperationShare, Phase } from './scenario.js';

/** Returns the arrivals of a phase after some seconds, with fractions; a ramp accelerates steadily. */
export const arrivedBy = ({ from, to, seconds }: OpenPhase, at: number): number => {
  const t = Math.min(seconds, Math.max(0, at));
  return from * t + ((to - from) * t * t) / (2 * seconds);
};

/**
 * Returns the arrivals of a phase, evenly spaced. The nth is due after n - 1/2, so that phases join without a
 * gap or a pair. Pure, and computed on demand: a day's arrivals take no memory.
 */
export function arrivalsOf(phase: OpenPhase) {
  const { from, to, seconds } = phase;
  const gain = (to - from) / seconds;
  // Allows for rounding: 16.666… per second for a minute are 1,000.
  const count = Math.round(arrivedBy(phase, seconds) + 1e-9);
  return {
    /** Exact: 1000/min for a minute are 1,000. */
    count,
    /** Returns when an arrival is due, ms from the start of its phase; places count from 0. */
    at: (place: number): number => {
      const due = place + 0.5;
      // The stable form of the quadratic formula; without gain it is due / from.
      const root = Math.sqrt(Math.max(0, from * from + 2 * gain * due));
      return Math.min(seconds, (2 * due) / (from + root)) * 1000;
    },
  };
}

export interface Turn {
  readonly operation: OperationName;
  /** For listPets; undefined if the scenario names none. */
  readonly limit?: number;
  readonly status?: PetStatus;
  /** Name of the journey that begins here. */
  readonly journey?: string;
}

export type Turns = ReturnType<typeof turnsOf>;

/**
 * Distributes places by weight, evenly mixed and always in the same order (smooth weighted round robin): the
 * next place goes to the operation furthest behind its share. Query values take turns, in all combinations.
 */
export function turnsOf(shares: readonly OperationShare[]) {
  const used = shares.filter(({ weight }) => weight > 0);
  if (used.length === 0) throw new RangeError('There is nothing to send.');
  const divisor = used.reduce((divisor, { weight }) => gcd(divisor, weight), 0);
  const weights = used.map(({ weight }) => weight / divisor);
  const period = weights.reduce((sum, weight) => sum + weight, 0);
  const turns = used.map(turnsOfShare);
  const credit = weights.map(() => 0);
  const seen = weights.map(() => 0);
  /** For each place of a period, its share and the number of earlier places of that share. */
  const places = Array.from({ length: period }, () => {
    weights.forEach((weight, at) => (credit[at] = (credit[at] ?? 0) + weight));
    const next = credit.indexOf(Math.max(...credit));
    credit[next] = (credit[next] ?? 0) - period;
    const before = seen[next] ?? 0;
    seen[next] = before + 1;
    return { next, before };
  });
  return {
    /** Number of places after which the operations repeat. */
    period,
    /** Returns a turn. Equal turns of one operation are one object, which serves as a key. */
    at: (place: number): Turn => {
      const { next, before } = places[place % period] ?? { next: 0, before: 0 };
      const own = turns[next] ?? [];
      const turn = own[(Math.floor(place / period) * (weights[next] ?? 0) + before) % own.length];
      if (turn === undefined) throw new RangeError('A turn without an operation.');
      return turn;
    },
  };
}

/** Turns of an operation, one for each pair of values: statuses change each turn, limits after all statuses. */
function turnsOfShare({ operation, limits, statuses, journey }: OperationShare): readonly Turn[] {
  if (journey !== undefined) return [{ operation, journey }];
  const [first, ...others] = statuses.map((status) => ({ status }));
  const [least, ...more] = limits.map((limit) => ({ limit }));
  return [least ?? {}, ...more].flatMap((limit) =>
    [first ?? {}, ...others].map((status) => ({ operation, ...limit, ...status })),
  );
}

const gcd = (one: number, other: number): number => (other === 0 ? one : gcd(other, one % other));

/** A phase with its time, in ms from the start of the run, and the arrivals of all earlier open phases. */
export type PlacedPhase = ReturnType<typeof placed>[number];

export function placed(phases: readonly Phase[]) {
  let startMs = 0;
  let before = 0;
  return phases.map((phase) => {
    /** Number of arrivals; null for closed loop, where it is unknown. */
    const count = phase.kind === 'open' ? arrivalsOf(phase).count : null;
    const here = { phase, startMs, endMs: startMs + phase.seconds * 1000, before, count } as const;
    startMs = here.endMs;
    before += count ?? 0;
    return here;
  });
}
