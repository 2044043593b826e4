import type { PetStatus } from '../../base/interface/contract.js';
import { operation } from '../exchange/shapes.js';
import { NAME } from './threshold.js';
import {
  count as integer,
  list,
  number,
  object,
  oneOf,
  optional,
  text,
  type Of,
} from '../../base/kernel/shape.js';
import { nearestName } from '../../base/kernel/nearest-name.js';
import type { OperationName } from '../../base/interface/types.js';
import type { YamlPath } from '../../base/kernel/yaml-source.js';
import { durationOf, type Fail } from './mistakes.js';
import type { JourneyFile, ScenarioFile, StepFile } from './scenario-file.js';

/** Requests that follow each other, each after the response before and a time to think. */
export type Journey = Of<typeof JOURNEY>;
export const JOURNEY = object({
  name: NAME,
  thinkMs: number,
  steps: list(
    object({
      operation,
      limit: optional(number),
      status: optional(text<PetStatus>()),
      /** `shown`: the listing is repeated until it shows the animal that the journey created. */
      until: oneOf(['once', 'shown']),
      /** Most requests of this step. */
      tries: integer,
    }),
  ),
});

/**
 * Listings until an animal is shown, if the file names no number: with a second to think, most stores have it
 * then.
 */
const USUAL_TRIES = 5;

export const operationOf = (step: StepFile): OperationName =>
  typeof step === 'string' ? step : step.operation;

/** Throws ConfigError. */
export function journeyOf({ name, think, steps }: JourneyFile, path: YamlPath, fail: Fail): Journey {
  const seconds =
    think === undefined ? 0 : durationOf(think, [...path, 'think'], `The time to think of "${name}"`, fail);
  return {
    name,
    thinkMs: seconds * 1000,
    steps: steps.map((given, place) => {
      const step = typeof given === 'string' ? { operation: given } : given;
      const { operation, query, until, tries } = step;
      const here = [...path, 'steps', place];
      const hasCreated = steps.slice(0, place).some((earlier) => operationOf(earlier) === 'createPet');
      if (query !== undefined && operation !== 'listPets')
        return fail([...here, 'query'], `${operation} takes no query.`, 'a query only with listPets');
      if (operation === 'getPet' && !hasCreated)
        return fail(
          here,
          'getPet of a journey fetches what the journey created.',
          'createPet in an earlier step',
        );
      if (until !== undefined && (operation !== 'listPets' || !hasCreated))
        return fail(
          [...here, 'until'],
          'Only a listing can show what the journey created.',
          'until with listPets, and createPet in an earlier step',
        );
      if (tries !== undefined && until === undefined)
        return fail([...here, 'tries'], 'A step without until is sent once.', 'tries only with until: shown');
      return {
        operation,
        ...query,
        until: until ?? 'once',
        tries: until === undefined ? 1 : (tries ?? USUAL_TRIES),
      };
    }),
  };
}

/** Checks journeys against the rest of the file. Throws ConfigError. */
export function checkJourneys({ journeys = [], operations, phases }: ScenarioFile, fail: Fail): void {
  const names = journeys.map(({ name }) => name);
  const sent = operations.flatMap(({ journey }) => journey ?? []);
  for (const [at, name] of names.entries()) {
    if (names.indexOf(name) !== at)
      fail(['journeys', at, 'name'], `Two journeys have the name "${name}".`, 'a unique name');
    if (!sent.includes(name))
      fail(
        ['journeys', at, 'name'],
        `No entry of operations sends the journey "${name}".`,
        `an entry such as { journey: ${name}, weight: 1 }`,
        nearestName(name, sent),
      );
  }
  const closed = phases.findIndex(({ connections }) => connections !== undefined);
  // In closed loop a request has no intended start.
  if (sent.length > 0 && closed >= 0)
    fail(
      ['phases', closed, 'connections'],
      `The phase "${phases[closed]?.name}" has connections, but a journey begins on a schedule.`,
      'a rate in every phase of a scenario with journeys',
    );
}
