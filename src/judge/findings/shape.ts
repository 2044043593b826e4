import {
  array,
  count,
  described,
  integer,
  kinds,
  list,
  number,
  object,
  oneOf,
  optional,
  someText,
  string,
  text,
  type Of,
} from '../../base/kernel/shape.js';
import { quoted, redacted } from '../../wire/exchange/redaction.js';
import { ids, key, quote, requirement } from '../../wire/exchange/shapes.js';

/** Reasons why something was not fully judged. The codes are stable: programs read them from results.json. */
export type ReasonCode =
  | 'not-selected'
  | 'no-key'
  | 'writes-off'
  | 'opt-in'
  | 'production'
  | 'keys-shared'
  | 'removal-date'
  | 'store-too-large'
  | 'listings-cut-short'
  | 'store-too-small'
  | 'thrift'
  | 'untestable'
  | 'not-observed'
  | 'beyond-traffic'
  | 'did-not-end'
  | 'file-missing'
  | 'prerequisite'
  | 'too-little-data'
  | 'machine-busy'
  | 'slow-responses'
  | 'rate-limited'
  | 'transport'
  | 'body-too-large'
  | 'untrusted'
  | 'key-refused'
  | 'keys-swapped'
  | 'server-stopped'
  | 'own-limit'
  | 'unavailable'
  | 'headers-missing'
  | 'clock-unknown'
  | 'refused-legally'
  | 'interrupted'
  | 'not-started'
  | 'nothing-judged'
  | 'not-retried'
  | 'own-suite';

export type Reason = Of<typeof reason>;
const reason = object({ code: text<ReasonCode>(), text: quote });

/** Shortest sequence of requests, found by exploring, that shows a violation. */
export type Story = Of<typeof story>;
export const STORY = {
  /** The seed only where it needs no story. */
  replay: described(
    'SEED:PATH, for --replay.',
    string({ pattern: '^-?[0-9]+(?:[:,](?:[0-9]+|pets/-?[0-9]+))*$' }),
  ),
  /** One line per request with its response; repeated equal lines are one line with a count. */
  steps: array(redacted(string(), quoted)),
  /** The steps as ids of exchanges. */
  exchanges: array(someText),
  /** Times seen, out of times tried. */
  seen: integer(0),
  of: integer(0),
};
const story = object(STORY);

/**
 * Measured values of a violation that no single exchange shows. Likely causes depend on them, not on the
 * message.
 */
export type Measured = Of<typeof measured>;
const measured = object({
  /** Amount due or permitted, and the amount found. */
  most: optional(number),
  got: optional(number),
  /** Time due and time taken, ms. */
  dueMs: optional(number),
  tookMs: optional(number),
  status: optional(count),
  /** Names of what is wrong: operations, headers, kinds of fault. */
  what: optional(list(quote)),
});

/**
 * One judgement on one requirement. `kept`: the statement held in these exchanges. `violated`: it did not;
 * level decides whether that fails or warns. `untried`: a part was left out, which decides nothing. `fault`:
 * the kit itself failed.
 */
export type Finding = Of<typeof finding>;
export const finding = kinds({
  kept: { requirement, message: optional(quote), exchanges: ids },
  violated: {
    requirement,
    /** A sentence with the target as its subject. */
    message: quote,
    expected: optional(quote),
    actual: optional(quote),
    measured: optional(measured),
    /** Plan whose key shows it under load. */
    plan: optional(key),
    /** Warns at any level: a 5xx where the interface is silent, or an unstable operation. */
    warns: optional(oneOf([true])),
    exchanges: ids,
    story: optional(story),
  },
  observed: {
    requirement,
    /** Subject of the observation, where a row has several. */
    subject: optional(quote),
    value: quote,
    exchanges: ids,
  },
  /** `by`: requirement that blocks this one. */
  inconclusive: { requirement, reason, by: optional(requirement), exchanges: ids },
  'not-applicable': { requirement, reason },
  /** `what`: untested part and reason, worded to follow “not tested:”. */
  untried: { requirement, what: quote },
  fault: { requirement, message: quote },
});
