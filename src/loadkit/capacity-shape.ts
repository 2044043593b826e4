import {
  added,
  array,
  described,
  implies,
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
import { growing } from '../base/kernel/tolerant.js';
import {
  AGENT,
  COUNTS,
  EXHAUSTED,
  FAILURE,
  figure,
  FIND,
  SATURATED,
  STOPPED,
  VIOLATION,
} from '../log/load-shapes.js';
import type { Percentiles } from '../log/histogram.js';
import { operation } from '../wire/exchange/shapes.js';
import { LATENCIES } from '../wire/scenario/threshold.js';

const amount = integer(0);
const texts = array(string());

const percentiles = loose<Percentiles>(map(figure, { required: LATENCIES }));

const TIMES = {
  latencyMs: described('From the intended moment of sending, in milliseconds.', percentiles),
  serviceMs: described('From the actual moment of sending, in milliseconds.', percentiles),
};

/** Figures of a phase or of one operation in it, in blocks of some seconds, to compare runs. */
export type Blocks = Of<typeof blocks>;
const blocks = object({
  seconds: refined(number, { minimum: 1 }),
  // In ms: the mean of the seconds' percentiles, by their logarithms.
  p50: array(number),
  p95: optional(array(number)),
  p99: array(number),
  // Successful responses per second.
  throughput: array(number),
});

const operationResult = object({
  operation,
  blocks: optional(
    described('As those of the phase. Absent where the phase has none, or one operation only.', blocks),
  ),
  ...COUNTS,
  ...TIMES,
});

const journey = object({
  journey: string(),
  blocks: optional(
    described(
      'As those of the phase; throughput is of finished journeys. Absent where the phase has none.',
      blocks,
    ),
  ),
  started: amount,
  finished: amount,
  notShown: described('Ended because no listing showed what they created.', amount),
  latencyMs: described('Of finished journeys, with the time to think, in milliseconds.', percentiles),
  steps: described(
    'In order; latencies from the moment that the journey planned for the step.',
    array(
      object({
        operation,
        blocks: optional(
          described(
            'As those of the phase. Absent where it has none, or where the journey has one step.',
            blocks,
          ),
        ),
        answered: amount,
        latencyMs: percentiles,
      }),
    ),
  ),
});

export type PhaseResult = Of<typeof phase>;
const phase = object({
  name: string(),
  intended: amount,
  ...COUNTS,
  dropped: described('Arrivals that could not be sent in time.', amount),
  journeys: optional(
    described(
      'Sequences of requests, each from the planned start of the journey. Absent without any.',
      array(journey),
    ),
  ),
  again: optional(
    described(
      'Part of sent: requests that were sent a second time, because they were lost with their connection. Absent where none.',
      amount,
    ),
  ),
  shortPages: optional(
    described(
      'Listings with fewer than half of the animals that they should show by the listing before the run. Absent where none.',
      amount,
    ),
  ),
  closed: optional(
    described(
      'Of a closed loop, which sends nothing while it waits: its connections, its length in seconds, those in which no ' +
        'response came, and how many times that was. Each is longer than 200 ms and than ten median latencies.',
      object({
        connections: amount,
        seconds: figure,
        silentSeconds: figure,
        gaps: added(amount),
      }),
    ),
  ),
  blocks: optional(
    described(
      'Figures in blocks of seconds, for compare: one value for each block. Absent where the phase is too short or its rate ' +
        'changes.',
      blocks,
    ),
  ),
  perSecond: described(
    'Throughput: successful responses within the time of the phase, to requests of any phase, per second. docs/scale.md ' +
      'defines it.',
    figure,
  ),
  ...TIMES,
  operations: array(operationResult),
  saturated: added(
    described(
      "Since when the generator was itself the bottleneck, in milliseconds after the phase's beginning, and what it sent a " +
        'second then, and its share of a processor.',
      mixed(SATURATED, nothing),
    ),
  ),
  exhausted: optional(
    described(
      "How often this machine could not connect, by the system's error code. Absent where it always could.",
      array(EXHAUSTED),
    ),
  ),
  causes: optional(
    described('Requests without a complete response, by cause. Absent without any.', array(FAILURE)),
  ),
  stopped: optional(
    described('Where no response came any more before the end of the phase. Absent where some did.', STOPPED),
  ),
  whole: added(described('False where the run ended before the phase did.', truth)),
  remarks: added(texts),
});

export type ThresholdResult = Of<typeof threshold>;
const threshold = refined(
  object({
    text: string(),
    // Null without a measurement.
    value: mixed(number, nothing),
    unit: added(
      described('Milliseconds, a share of 0 to 1, or a number.', growing(oneOf(['ms', 'share', 'number']))),
    ),
    outcome: oneOf(['met', 'missed', 'inconclusive']),
    reason: optional(string()),
  }),
  implies({ properties: { outcome: oneOf(['inconclusive']) } }, { required: ['reason'] }),
);

/** A figure that changed steadily over a phase. */
export type Drift = Of<typeof drift>;
const drift = object({
  phase: string(),
  metric: growing(oneOf(['p50', 'p99'])),
  low: described('A share: 0.08 is 8 % more at the end than at the beginning.', number),
  high: number,
  ms: described('Time that the change took.', figure),
});

/** `capacity` of results.json. */
export type CapacityResults = Of<typeof CAPACITY>;
export const CAPACITY = object({
  scenario: string(),
  asked: optional(
    described(
      'What the scenario asked for, a text a line; thresholds stand in thresholds.',
      object({ phases: texts, operations: texts, keys: texts, rules: texts }),
    ),
  ),
  phases: array(phase),
  thresholds: array(threshold),
  violations: added(described('By kind, with how many answers showed each.', array(VIOLATION))),
  generator: object({
    loopLagMs: figure,
    machine: optional(
      described('Its processors and memory. compare judges speeds only of equal machines.', string()),
    ),
    cpu: described('Of one processor.', figure),
    saturated: truth,
  }),
  drift: optional(
    described(
      'Figures that changed steadily over a phase of five minutes or more, with a 99.9 % interval of the change over it. ' +
        'Absent where nothing is sure.',
      array(drift),
    ),
  ),
  find: optional(
    described(
      'Of load --find: the search for the highest rate that holds its conditions. Absent in any other load run.',
      FIND,
    ),
  ),
  agents: described(
    'The parts that the run was put together from; empty where one process sent all of it.',
    array(AGENT),
  ),
  problems: optional(
    described(
      'Why the whole cannot be judged: a part that is missing, lost or late. Absent where it can.',
      array(string(), { minItems: 1 }),
    ),
  ),
  part: optional(
    described('Which part of a scenario this is.', object({ index: integer(1), count: integer(1) })),
  ),
  remarks: added(texts),
});
