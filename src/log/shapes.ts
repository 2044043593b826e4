import { count, list, loose, optional, moment, number, object, oneOf, orNull, text, truth } from '../contract/shape.js';
import { keyNames, operationNames, planNames } from '../contract/names.js';
import type { RequirementId } from '../contract/types.js';
import type { Exchange, Header } from '../exchange/types.js';
import type { Finding } from '../findings/finding.js';
import type { Scenario } from '../scenario/scenario.js';
import { ofAnswer, ofNumbers, quoted, redacted } from './redaction.js';

/** A kept body, with what redaction may have added. */
export const long = text(1_000_000);
export const longs = list(long);
/** Words of the target, or ones into which a user may type a key by mistake. */
export const told = redacted(long);
const quote = redacted(long, quoted);
const sent = redacted(long, ofNumbers);
export const plan = oneOf(planNames);
export const key = oneOf(keyNames);
export const operation = oneOf(operationNames);
export const requirement = text<RequirementId>();
export const ids = list(text());
const header = loose<Header>({ type: 'array', items: long, minItems: 2, maxItems: 2 });

export const exchange = loose<Exchange>(
  object({
    id: text(),
    probe: sent,
    operation: orNull(operation),
    intent: object({
      kind: oneOf(['expects', 'declared', 'open']),
      statuses: optional(list(count)),
      chargedTo: optional(text()),
      row: optional(text()),
    }),
    credential: object({ kind: oneOf(['valid', 'none', 'invalid']), plan: optional(key), manner: optional(long) }),
    request: object({ method: text(), path: sent, headers: list(header), body: orNull(sent) }),
    sentAt: moment,
    latencyMs: number,
    attempts: count,
    answer: redacted(
      {
        anyOf: [
          object({
            kind: oneOf(['response']),
            status: count,
            headers: list(header),
            text: long,
            cutFrom: optional(count),
          }),
          object({ kind: oneOf(['none']), code: text(), message: long }),
        ],
      },
      ofAnswer,
    ),
  }),
);

export const finding = loose<Finding>(
  object({
    kind: oneOf(['kept', 'violated', 'observed', 'inconclusive', 'not-applicable', 'untried', 'fault']),
    requirement: text(),
    message: optional(quote),
    expected: optional(quote),
    actual: optional(quote),
    measured: optional(
      object({
        most: optional(number),
        got: optional(number),
        dueMs: optional(number),
        tookMs: optional(number),
        status: optional(count),
        what: optional(list(quote)),
      }),
    ),
    plan: optional(key),
    by: optional(text()),
    exchanges: optional(ids),
    subject: optional(quote),
    value: optional(quote),
    reason: optional(object({ code: text(), text: quote })),
    what: optional(quote),
    story: optional(object({ replay: text(), steps: list(quote), exchanges: ids, seen: count, of: count })),
  }),
);

const condition = { metric: text(), comparison: text(), bound: number, unit: text() };
const name = redacted(text());
export const scenario = loose<Scenario>(
  object({
    name,
    phases: list(
      object({
        kind: oneOf(['open', 'closed']),
        name,
        seconds: number,
        from: optional(number),
        to: optional(number),
        connections: optional(count),
      }),
    ),
    operations: list(object({ operation, weight: number, limits: list(number), statuses: list(text()) })),
    keys: list(plan),
    overLimit: text(),
    thresholds: list(
      object({
        ...condition,
        text: name,
        phase: orNull(name),
        operation: orNull(operation),
        isDefault: optional(truth),
      }),
    ),
    abort: orNull(object({ when: object(condition), text: name, afterSeconds: number })),
  }),
);
