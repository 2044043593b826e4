import { serviceOf, type Change } from '../../reference/index.js';
import { isObject } from '../../reference/json.js';
import type { Answer } from '../../reference/messages.js';
import type { Scenario } from './scenarios.js';

/**
 * Ids and categories of `large-ids`. Doubles of this size are 256 apart. These numbers are odd and a million
 * apart, so no double holds one, and a rounded one belongs to no animal. They lie near no power of two, which
 * a client may send on purpose.
 */
const BEYOND_DOUBLES = 1_234_567_890_123_456_789n;
const APART = 1_000_002n;

const beyondDoubles = (nth: bigint): bigint => BEYOND_DOUBLES + nth * APART;

const largeIds: Change = (behaviour) => ({
  ...behaviour,
  idOf: (nth) => beyondDoubles(BigInt(nth)),
  renderAnimal: (animal, context) =>
    // Categories of clients come back as they were sent.
    behaviour.renderAnimal(
      animal.addedAt === Number.NEGATIVE_INFINITY
        ? { ...animal, categoryId: beyondDoubles(animal.categoryId) }
        : animal,
      context,
    ),
});

/**
 * Members of animals and errors that the interface does not name: a text, a number, null, an object and
 * lists.
 */
const OF_ANIMALS = { category: { name: null }, tags: [], createdAt: '2026-01-01T00:00:00Z', price: 12.5 };
const OF_ERRORS = { requestId: 'r-1', details: [{ field: 'name' }], help: null };

const moreMembers: Change = (behaviour) => ({
  ...behaviour,
  renderAnimal: (animal, context) => ({ ...behaviour.renderAnimal(animal, context), ...OF_ANIMALS }),
  finish: (answer, context) => behaviour.finish(answer.status < 400 ? answer : withMembers(answer), context),
});

const withMembers = ({ body, ...answer }: Answer): Answer => ({
  ...answer,
  body:
    body.kind === 'json' && isObject(body.value) ? { ...body, value: { ...body.value, ...OF_ERRORS } } : body,
});

/** Starts the reference server of a scenario, without sockets, with the key of one plan. */
export const scenarioService = (scenario: Scenario, key: string, now: () => number) =>
  serviceOf(
    { keys: { business: key }, now, ...(scenario.animals !== undefined && { animals: scenario.animals }) },
    [...(scenario.hasLargeIds ? [largeIds] : []), ...(scenario.hasMoreMembers ? [moreMembers] : [])].map(
      (change) => ({ change, options: {} }),
    ),
  );
