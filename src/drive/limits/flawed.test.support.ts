import type { RequirementId } from '../../base/interface/types.js';
import {
  calendarWindow,
  fixedFromFirst,
  slidingLogNewest,
  slidingLogOldest,
} from '../../testing/limiters/limiters.js';
import type { Behaviour } from '../../testing/limiters/server.js';
import type { Circumstances } from '../../testing/simulated/simulate.js';

export interface Flawed {
  readonly behaviour: () => Behaviour;
  /** Row whose family turns red, and no other row. */
  readonly row: RequirementId;
  /** Other rows that the same mistake turns red. */
  readonly also?: readonly RequirementId[];
  /** Is true if a chance could explain what it shows: a key’s row is then open. */
  readonly isOpen?: boolean;
  readonly around?: Partial<Circumstances>;
}

/** Its headers contradict the plan as well. */
export const TOLD_WRONG = { also: ['rate-headers-wellformed'] } as const satisfies Partial<Flawed>;

export const WITHOUT_HEADERS = { also: ['rate-headers-present'] } as const satisfies Partial<Flawed>;

/** So far away that a bucket would refill by some requests during a burst. */
export const FIFTY_MS = { around: { latencyMs: 50, jitterMs: 5 } } as const satisfies Partial<Flawed>;

/** Names each behaviour, and gives it to one row. */
export const all = (
  row: RequirementId,
  of: Readonly<Record<string, () => Behaviour>>,
  more: Pick<Flawed, 'also' | 'around'> = {},
): Readonly<Record<string, Flawed>> =>
  Object.fromEntries(Object.entries(of).map(([name, behaviour]) => [name, { behaviour, row, ...more }]));

export const WINDOWS = {
  'from the first request': fixedFromFirst,
  'of the clock': calendarWindow,
  'of a log': slidingLogOldest,
  'of a log, Reset by the newest request': slidingLogNewest,
};
