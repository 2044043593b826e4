import type { Journey } from './journey-file.js';
import type { OperationShare, Scenario } from './scenario.js';
import { turnsOf } from './schedule.js';

/** Requests that an arrival of a schedule causes with one key: more than one where journeys begin. */
export interface PerArrival {
  /** On average, for the key that has the most. */
  readonly mean: number;
  /** Beyond the average, at most, in any run of arrivals. */
  readonly more: number;
  /** Time from an arrival to its last request, ms. */
  readonly lastsMs: number;
}

/** Requests of a scenario without journeys. */
export const ONE_EACH: PerArrival = { mean: 1, more: 0, lastsMs: 0 };

const mostRequestsOf = ({ steps }: Journey): number => steps.reduce((sum, { tries }) => sum + tries, 0);

/** Time that a response is given in plans of a journey, ms. A really slower one spreads its requests further. */
const RESPONSE_MS = 1000;

/** Returns the names in a scenario that its author chose. */
export const namesInScenario = ({ name, phases, journeys = [] }: Scenario): readonly string[] => [
  name,
  ...[...phases, ...journeys].map((one) => one.name),
];

export const journeysByName = (journeys: readonly Journey[] = []): ReadonlyMap<string, Journey> =>
  new Map(journeys.map((journey) => [journey.name, journey]));

/**
 * Returns the requests of an arrival, if each journey needs all its tries. Pure.
 *
 * @param keys number of keys that take turns: turns may give one of them all journeys
 */
export function perArrivalOf(
  operations: readonly OperationShare[],
  journeys: readonly Journey[] | undefined,
  keys: number,
): PerArrival {
  const byName = journeysByName(journeys);
  const used = operations.flatMap(({ journey = '' }) => byName.get(journey) ?? []);
  if (used.length === 0) return ONE_EACH;
  const { period, at } = turnsOf(operations);
  const requestsAt = (place: number): number => {
    const journey = byName.get(at(place).journey ?? '');
    return journey ? mostRequestsOf(journey) : 1;
  };
  const ofKeys = Array.from({ length: keys }, (__, key) => {
    const own = Array.from({ length: period }, (_, turn) => requestsAt(key + turn * keys));
    const mean = own.reduce((sum, requests) => sum + requests, 0) / period;
    let [ahead, least, most] = [0, 0, 0];
    for (const requests of own) {
      ahead += requests - mean;
      [least, most] = [Math.min(least, ahead), Math.max(most, ahead)];
    }
    return { mean, more: most - least };
  });
  return {
    mean: Math.max(...ofKeys.map(({ mean }) => mean)),
    more: Math.max(...ofKeys.map(({ more }) => more)),
    lastsMs: Math.max(
      ...used.map((journey) => (mostRequestsOf(journey) - 1) * (journey.thinkMs + RESPONSE_MS)),
    ),
  };
}
