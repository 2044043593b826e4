import { levels, partNumber } from '../../base/interface/names.js';
import type { RequirementId } from '../../base/interface/types.js';
import {
  added,
  anything,
  array,
  closed,
  described,
  implies,
  integer,
  loose,
  number,
  object,
  type Of,
  oneOf,
  optional,
  refined,
  type Shape,
  someText,
  string,
} from '../../base/kernel/shape.js';
import type { ReasonCode, Violation } from '../../judge/findings/finding.js';
import { STORY } from '../../judge/findings/shape.js';
import { EXCHANGE } from '../../wire/exchange/types.js';
import { type Outcome, VERDICTS, WORST_FIRST } from '../../judge/verdict.js';

export const amount = integer(0);
export const positive = refined(number, { exclusiveMinimum: 0 });
export const whole: Shape<number> = { type: 'integer' };
export const day = string({ format: 'date' });
export const moment = string({ format: 'date-time' });
const ids = array(someText);
export const requirementId = string<RequirementId>();
export const verdict = oneOf(VERDICTS);
export const counts = described(
  'How many requirements had each outcome.',
  closed(
    Object.fromEntries(WORST_FIRST.map((outcome) => [outcome, amount])) as Readonly<
      Record<Outcome, Shape<number>>
    >,
  ),
);

export const finding = closed({
  message: someText,
  expected: optional(string()),
  actual: optional(string()),
  kind: optional(
    described(
      'What was found, in words that stay the same from run to run: operation, class of request, and what was wrong. ' +
        'Comparisons and baselines rest on it. Absent in results of earlier kits, and for faults of the kit.',
      someText,
    ),
  ),
  exchanges: ids,
  story: optional(
    described(
      'The requests that show a violation which exploring found, and how to perform them again.',
      object(STORY),
    ),
  ),
});

/** A violation. `plan` and `measured` are not in results.json. */
export type ResultFinding = Of<typeof finding> & Pick<Violation, 'plan' | 'measured'>;

export type RequirementResult = Of<typeof requirement>;
export const requirement = refined(
  object({
    id: string<RequirementId>({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
    level: oneOf(levels),
    part: partNumber,
    statement: someText,
    outcome: oneOf(WORST_FIRST),
    reason: optional(
      described(
        'Why it was not judged, or not to the end.',
        closed({ code: string<ReasonCode>({ pattern: '^[a-z]+(-[a-z]+)*$' }), text: someText }),
      ),
    ),
    acceptedUntil: optional(
      described(
        'The last day on which the baseline accepts this outcome; absent where it does not.',
        string(),
      ),
    ),
    heldUpBy: optional(
      described('The broken requirements that kept this one from being judged.', array(requirementId)),
    ),
    partly: optional(
      described(
        'What was not tried of a requirement that passed; absent where all was.',
        array(someText, { minItems: 1, uniqueItems: true }),
      ),
    ),
    observed: optional(
      described(
        'What was seen where the interface leaves the choice to the service.',
        array(closed({ subject: optional(string()), value: string(), exchanges: ids })),
      ),
    ),
    durationMs: optional(
      described(
        'How long the run took for what this row asked for first, waiting included; absent where it asked for nothing that ' +
          'another had not.',
        refined(whole, { exclusiveMinimum: 0 }),
      ),
    ),
    findings: described('What was violated.', array(loose<ResultFinding>(finding))),
    evidence: added(described('Number of responses that support the outcome.', loose<number>(anything))),
  }),
  {
    allOf: [
      implies(
        { properties: { outcome: oneOf(['failed', 'warned', 'error']) } },
        { properties: { findings: { type: 'array', minItems: 1 } } },
      ),
      implies(
        { properties: { outcome: oneOf(['inconclusive', 'not-applicable']) } },
        { required: ['reason'] },
      ),
      implies({ required: ['partly'] }, { properties: { outcome: oneOf(['passed']) } }),
      implies({ properties: { outcome: oneOf(['failed']) } }, { properties: { level: oneOf(['must']) } }),
    ],
  },
);

const { id, sentAt, latencyMs, attempts, request, answer } = EXCHANGE;

export const exchange = described(
  'A request and its answer; $PETSTORE_KEY stands where a key stood.',
  object({ id, sentAt, latencyMs, attempts: optional(attempts), request, answer }),
);
