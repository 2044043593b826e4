import type { ClientScenario } from '../../base/interface/names.js';
import type { Step, Refusals } from './refusals-shape.js';

export interface Scenario extends Refusals {
  readonly name: ClientScenario;
  /** Number of animals at the start, if not the usual one. */
  readonly animals?: number;
  /** Set if animals and errors have members that the interface does not name. */
  readonly hasMoreMembers?: true;
  /** Set if ids and categories are beyond 2^53. */
  readonly hasLargeIds?: true;
}

type Wait = Extract<Step, { kind: 'refuse' | 'ban' }>['wait'];

const seconds = (count: number): Wait => ({ kind: 'seconds', seconds: count });
const refuse = (wait: Wait): Step => ({ kind: 'refuse', wait });

/**
 * The scenarios, in their order. Apart from none, the shortest wait is one second, the smallest that
 * Retry-After can name.
 */
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
    // Only backoff is left to a client that may come back immediately.
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
    // What a client does at a 503 is open. It still has to rest after the 429 that follows.
    steps: [{ kind: 'unavailable', seconds: 1 }, refuse(seconds(1))],
  },
  {
    name: 'large-ids',
    steps: [],
    hasLargeIds: true,
  },
  {
    name: 'more-members',
    steps: [],
    hasMoreMembers: true,
  },
  { name: 'empty-store', steps: [], animals: 0 },
  { name: 'redirected', steps: [{ kind: 'redirect' }] },
];

export const scenarioOf = (name: ClientScenario): Scenario => {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (!found) throw new TypeError(`The scenario ${name} is not defined.`);
  return found;
};
