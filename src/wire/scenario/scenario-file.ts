import { loadContract } from '../../base/interface/contract.js';
import { chosenName, operationNames, petStatuses } from '../../base/interface/names.js';
import {
  array,
  closed,
  described,
  each,
  integer,
  mixed,
  type Of,
  oneOf,
  optional,
  published,
  refined,
  string,
} from '../../base/kernel/shape.js';
import { once } from '../../base/kernel/config-file.js';
import { operation, plan } from '../exchange/shapes.js';
import { METRICS } from './threshold.js';

/** Most phases, operations, journeys or thresholds of a file: more are hardly written by hand. */
const MOST = { maxItems: 100 };
const some = { minItems: 1, ...MOST };

/** Shapes of the listing's parameters that load sends, with the contract's bounds. */
const parameters = once(() => {
  const { pageSize } = loadContract();
  return { limit: integer(pageSize.min, pageSize.max), status: oneOf(petStatuses) };
});

const phase = closed({
  name: chosenName,
  duration: described('How long, e.g. 30s, 2m, 1h; at most 24 h in all.', string()),
  rate: optional(
    described(
      'Open loop: arrivals evenly spaced, whatever comes back; e.g. 1000/min, or from one rate to another.',
      mixed(string(), closed({ from: string(), to: string() })),
    ),
  ),
  connections: optional(
    described(
      'Closed loop: so many connections, each of which sends its next request as soon as its last is answered.',
      integer(1, 1000),
    ),
  ),
});

const share = once(() => {
  const { limit, status } = parameters();
  return closed({
    operation: optional(operation),
    journey: optional(described('In place of an operation: the name of one of journeys.', string())),
    weight: optional(refined(integer(0, 1000), { default: 1 })),
    query: optional(
      described(
        'Of listPets: what it is asked for; of several values each in turn.',
        closed({
          limit: optional(mixed(limit, array(limit, { minItems: 1 }))),
          status: optional(mixed(string<(typeof petStatuses)[number]>(), array(status, { minItems: 1 }))),
        }),
      ),
    ),
  });
});

export type StepFile = Of<ReturnType<typeof step>>;
const step = once(() => {
  const { limit, status } = parameters();
  return mixed(
    string<(typeof operationNames)[number]>({
      pattern: `^(${operationNames.join('|')})$`,
      $comment: `one of ${operationNames.join(', ')}`,
    }),
    closed({
      operation,
      query: optional(
        described('Of listPets.', closed({ limit: optional(limit), status: optional(status) })),
      ),
      until: optional(
        described('Of listPets: repeat it until it shows what the journey created.', oneOf(['shown'])),
      ),
      tries: optional(described('With until: the most listings; 5 if absent.', integer(1, 100))),
    }),
  );
});

export type JourneyFile = Of<ReturnType<typeof journey>>;
const journey = once(() =>
  closed({
    name: chosenName,
    think: optional(
      described('Pause between a response and the next request, e.g. 500ms; none if absent.', string()),
    ),
    steps: described(
      'Each an operation, or an object with its settings. getPet fetches what the journey created.',
      array(step(), { minItems: 1, maxItems: 20 }),
    ),
  }),
);

const bounds = each(METRICS, optional(string()));

export type ScenarioFile = Of<ReturnType<typeof scenarioFile>>;
/** Reads the contract when a file is checked: most commands read none. */
export const scenarioFile = once(() =>
  published(
    'Scenario of petstore-conformance load',
    'What is sent in which phase, with which keys, and what is to be kept while it is. docs/scale.md explains each.',
    closed({
      name: described('Stands in reports.', chosenName),
      phases: described(
        'One after the other. Each has a rate (open loop) or a number of connections (closed loop).',
        array(phase, some),
      ),
      operations: described('What is sent, shared out evenly by weight.', array(share(), some)),
      journeys: optional(
        described(
          'Requests that follow each other, each after the response before it and a time to think. Entries of operations ' +
            'send them.',
          array(journey(), some),
        ),
      ),
      keys: optional(
        described(
          "The plans whose keys are used, in turn; the target's largest plan if absent.",
          array(plan, { minItems: 1, uniqueItems: true }),
        ),
      ),
      overLimit: optional(
        described(
          'Whether a key may be asked for more than its plan allows.',
          refined(oneOf(['refuse', 'allow']), { default: 'refuse' }),
        ),
      ),
      thresholds: optional(
        described(
          'Each a sentence such as "p99 < 250ms", or { phase, operation, p95: "< 100ms" }.',
          array(
            mixed(string(), closed({ phase: optional(string()), operation: optional(operation), ...bounds })),
            MOST,
          ),
        ),
      ),
      abort: optional(
        described(
          'Ends the run early when a condition has held for so long.',
          closed({ when: string(), after: string() }),
        ),
      ),
    }),
  ),
);
