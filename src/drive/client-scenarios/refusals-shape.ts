import { operationNames } from '../../base/interface/names.js';
import {
  array,
  closed,
  described,
  either,
  integer,
  oneOf,
  optional,
  published,
  type Of,
} from '../../base/kernel/shape.js';

/** An hour: no client of a test waits longer. */
const seconds = integer(1, 3600);

const refusal = closed({
  kind: oneOf(['refuse', 'ban']),
  wait: closed({ kind: described('Form of Retry-After.', oneOf(['seconds', 'date'])), seconds }),
});

/** What a server does to one request, in place of serving it. */
export type Step = Of<typeof step>;
const step = either(
  described('A 429 with Retry-After; for ban, with another error code.', refusal),
  described('A 503 with Retry-After.', closed({ kind: oneOf(['unavailable']), seconds })),
  described(
    'A 307 to another port of this machine, which records whether the key comes with it.',
    closed({ kind: oneOf(['redirect']) }),
  ),
);

/**
 * What happens to the first requests of a key, as data: nothing in it is random. Also the file that `proxy
 * --refuse` takes.
 */
export type Refusals = Of<typeof REFUSALS>;
export const REFUSALS = published(
  'Refusals of petstore-conformance proxy',
  'What the proxy answers to the first requests of each key, in place of the server. Later requests pass.',
  closed({
    steps: described(
      'One entry for each request, in the order in which they arrive.',
      array(step, { minItems: 1, maxItems: 100 }),
    ),
    operations: optional(
      described(
        'Operations whose requests take steps; all by default.',
        array(oneOf(operationNames), { minItems: 1, uniqueItems: true }),
      ),
    ),
    together: optional(described('Requests that arrive together take the steps together.', oneOf([true]))),
  }),
);
