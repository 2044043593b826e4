import type { ClientScenario, OperationName } from '../../base/interface/names.js';

/** How a refusal says when to come back: seconds, or a date so many seconds ahead. */
type Wait =
  | { readonly kind: 'seconds'; readonly seconds: number }
  | { readonly kind: 'date'; readonly seconds: number };

/**
 * What the reference server does to one request. `refuse`: 429. `ban`: 429 with another code. `unavailable`: 503 with
 * Retry-After. `redirect`: 307 to another origin.
 */
export type Step =
  | { readonly kind: 'refuse' | 'ban'; readonly wait: Wait }
  | { readonly kind: 'unavailable'; readonly seconds: number }
  | { readonly kind: 'redirect' };

/** What happens to the first requests of a key, as data: nothing in it is random. */
export interface Weather {
  /** Steps for the first requests of a key to these operations; later ones are served. */
  readonly steps: readonly Step[];
  /** Operations whose requests take steps; all by default. */
  readonly operations?: readonly OperationName[];
  /** Set if the requests that arrive together take the steps together, and a later one none. */
  readonly together?: true;
}

/** What a client meets at the reference server. */
export interface Scenario extends Weather {
  readonly name: ClientScenario;
  /** Variants of the reference server, and its animals at the start. */
  readonly variants?: readonly string[];
  readonly animals?: number;
  /** Set if ids and categories are beyond 2^53. */
  readonly hasLargeIds?: true;
}

const seconds = (count: number): Wait => ({ kind: 'seconds', seconds: count });
const refuse = (wait: Wait): Step => ({ kind: 'refuse', wait });

/** The scenarios, in their order. Apart from none, the shortest wait is one second, the smallest that Retry-After can name. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'calm', steps: [] },
  {
    name: 'limited',
    // A client that waits a blind 1, 2, 4 s would obey 1, then 2, without reading either.
    steps: [refuse(seconds(2)), refuse(seconds(1))],
  },
  {
    name: 'limited-by-date',
    steps: [refuse({ kind: 'date', seconds: 3 })],
  },
  {
    name: 'limited-creation',
    steps: [refuse(seconds(1))],
    operations: ['createPet'],
  },
  {
    name: 'limited-again',
    steps: Array.from({ length: 5 }, () => refuse(seconds(1))),
  },
  {
    name: 'limited-zero',
    // Only backoff is left to a client that may come back at once.
    steps: Array.from({ length: 4 }, () => refuse(seconds(0))),
  },
  {
    name: 'limited-in-parallel',
    steps: Array.from({ length: 4 }, () => refuse(seconds(1))),
    together: true,
  },
  {
    name: 'banned',
    steps: [refuse(seconds(1)), { kind: 'ban', wait: seconds(3) }],
  },
  {
    name: 'unavailable',
    steps: [{ kind: 'unavailable', seconds: 1 }],
  },
  {
    name: 'large-ids',
    steps: [],
    hasLargeIds: true,
  },
  {
    name: 'more-members',
    steps: [],
    variants: ['extra-members'],
  },
  { name: 'empty-store', steps: [], animals: 0 },
  { name: 'redirected', steps: [{ kind: 'redirect' }] },
];

/** Returns the scenario of a name. */
export const scenarioOf = (name: ClientScenario): Scenario => {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (!found) throw new TypeError(`The scenario ${name} is not defined.`);
  return found;
};
