import {
  added,
  anything,
  array,
  described,
  integer,
  loose,
  map,
  mixed,
  nothing,
  number,
  object,
  type Of,
  oneOf,
  optional,
  refined,
  string,
  truth,
} from '../base/kernel/shape.js';
import type { RequirementId } from '../base/interface/types.js';
import { growing } from '../base/kernel/tolerant.js';
import { redacted } from '../wire/exchange/redaction.js';
import { operation } from '../wire/exchange/shapes.js';

export const figure = refined(number, { minimum: 0 });

const amount = integer(0);

export type Counts = Of<typeof counts>;
export const COUNTS = {
  /** Put on the wire. */
  sent: amount,
  /** Successful responses: the operation did its work. */
  served: amount,
  refused: added(described('Refused with 429 beyond the allowance: neither served nor an error.', amount)),
  errors: described('429 inside the allowance, 5xx, and no whole answer.', amount),
  violations: described('Answers that break a row of the ledger.', amount),
  byStatus: map(amount, { propertyNames: { pattern: '^([1-9][0-9][0-9]|none)$' } }),
};
const counts = object(COUNTS);

/** Requests that got no complete response for the same cause. */
export const FAILURE = object({ cause: redacted(string()), count: amount });

/** Connections that could not be opened for the same cause, a limit of the machine. */
export const EXHAUSTED = object({
  cause: redacted(string()),
  count: amount,
  agents: optional(
    described('The parts whose machines had the limit, of several.', array(redacted(string()))),
  ),
});

/** The end of responses before the end of a phase, in logs and results. */
export const STOPPED = object({
  afterMs: described(
    'Time from the start of the phase until no response came any more; 0 if none came.',
    figure,
  ),
  ofMs: described('Planned length of the phase.', figure),
  failed: described('Requests from then on, none of which got a complete response.', amount),
  cause: described('Of the last of them.', redacted(string())),
  agent: optional(described('The part that got no response any more, where others did.', redacted(string()))),
});

/** The generator's saturation; of a whole, that of one part. */
export const SATURATED = object({
  fromMs: figure,
  perSecond: figure,
  cpu: optional(figure),
  agent: optional(described('The part that was, of several.', loose<string>(anything))),
});

/** A sender of a part, in logs and results. */
export type AgentRecord = Of<typeof AGENT>;
export const AGENT = object({
  name: redacted(string()),
  part: described('Which part it had, from 1 on.', integer(1)),
  offsetMs: described(
    'By how much the clock that all share was ahead of the local one; null where nobody asked.',
    mixed(number, nothing),
  ),
  errorMs: described('How well the offset is known.', mixed(number, nothing)),
  sent: amount,
  dropped: amount,
  lateMs: described('By how much it began late.', figure),
  loopLagMs: figure,
  cpu: figure,
  saturated: truth,
  problem: described(
    'Why its part is not all that it was to be, in words that go on from its name; null where it is.',
    redacted(mixed(string(), nothing)),
  ),
});

export type ViolationCount = Of<typeof VIOLATION>;
export const VIOLATION = object({
  requirement: string<RequirementId>(),
  operation: added(operation),
  message: redacted(string()),
  /** The exchange of the first. */
  exchange: added(string()),
  count: integer(1),
});

export type FindStep = Of<typeof findStep>;
const findStep = object({
  phase: described('Name of its phase in phases.', redacted(string())),
  role: growing(oneOf(['warm', 'climb', 'bisect', 'confirm', 'again'])),
  perSecond: described('Arrivals per second.', figure),
  seconds: figure,
  sent: amount,
  throughput: described('Successful responses per second.', figure),
  p50: figure,
  p99: figure,
  errors: described('Share of requests with an error.', refined(figure, { maximum: 1 })),
  outcome: described(
    'generator: the generator was the bottleneck, so the step says nothing about the server.',
    growing(oneOf(['holds', 'misses', 'generator'])),
  ),
  stopped: optional(
    described('Where no response came any more before the end of the step. Absent where some did.', STOPPED),
  ),
  /** What missed, as clauses; empty where the step holds. */
  reasons: array(redacted(string())),
});

/** Its `perSecond` is the rate that it names, in arrivals per second. */
export type FindAnswer = Of<typeof answer>;
const answer = described(
  'found: the highest rate that holds. bound: the highest rate allowed holds. none: even the lowest misses. worse: the ' +
    'server got worse during the search. unsteady: no rate held for long. generator: it was the bottleneck. stopped: the ' +
    'server stopped responding. ended: the search was interrupted.',
  object({
    kind: growing(oneOf(['found', 'bound', 'none', 'worse', 'unsteady', 'generator', 'stopped', 'ended'])),
    perSecond: figure,
  }),
);

export const FIND = object({
  conditions: array(string()),
  most: described('Highest rate that was tried, arrivals per second.', figure),
  mostIs: described(
    'Why no higher rate was tried: --find-most, or the plans of the keys.',
    growing(oneOf(['option', 'plan'])),
  ),
  samples: described('Requests that a step needs for its conditions.', amount),
  steps: array(findStep),
  answer,
});
