import { changesOf, serviceOf } from '../../reference/index.js';
import type { Scenario } from './scenarios.js';

/**
 * Ids and categories of `large-ids`. Doubles of this size are 256 apart. These numbers are odd and a million
 * apart, so no double holds one, and a rounded one belongs to no animal. They lie near no power of two, which
 * a client may send on purpose.
 */
const BEYOND_DOUBLES = 1_234_567_890_123_456_789n;
const APART = 1_000_002n;

const beyondDoubles = (nth: bigint): bigint => BEYOND_DOUBLES + nth * APART;

/** Starts the reference server of a scenario, without sockets, with the key of one plan. */
export const scenarioService = (scenario: Scenario, key: string, now: () => number) =>
  serviceOf(
    {
      keys: { business: key },
      now,
      ...(scenario.animals !== undefined && { animals: scenario.animals }),
      ...(scenario.hasLargeIds && {
        change: (behaviour) => ({
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
        }),
      }),
    },
    changesOf(scenario),
  );
