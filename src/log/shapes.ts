import { count, list, loose, optional, moment, number, object, oneOf, orNull, text, truth } from '../contract/shape.js';
import { keyNames, operationNames, planNames } from '../contract/names.js';
import type { RequirementId } from '../contract/types.js';
import type { Exchange, Header } from '../exchange/types.js';
import type { Finding } from '../findings/finding.js';
import type { Scenario } from '../scenario/scenario.js';

/** Shapes that several records share, and loose ones of types that other rooms define. */

/** A kept body, with what redaction may have added. */
export const long = text(1_000_000);
export const longs = list(long);
export const plan = oneOf(planNames);
export const key = oneOf(keyNames);
export const operation = oneOf(operationNames);
export const requirement = text<RequirementId>();
export const ids = list(text());
const header = loose<Header>({ type: 'array', items: long, minItems: 2, maxItems: 2 });

export const exchange = loose<Exchange>(
  object({
    id: text(),
    probe: long,
    operation: orNull(operation),
    intent: object({
      kind: oneOf(['expects', 'declared', 'open']),
      statuses: optional(list(count)),
      chargedTo: optional(text()),
      row: optional(text()),
    }),
    credential: object({ kind: oneOf(['valid', 'none', 'invalid']), plan: optional(key), manner: optional(long) }),
    request: object({ method: text(), path: long, headers: list(header), body: orNull(long) }),
    sentAt: moment,
    latencyMs: number,
    attempts: count,
    answer: {
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
  }),
);

export const finding = loose<Finding>(
  object({
    kind: oneOf(['kept', 'violated', 'observed', 'inconclusive', 'not-applicable', 'untried', 'fault']),
    requirement: text(),
    message: optional(long),
    expected: optional(long),
    actual: optional(long),
    plan: optional(key),
    by: optional(text()),
    exchanges: optional(ids),
    subject: optional(long),
    value: optional(long),
    reason: optional(object({ code: text(), text: long })),
    what: optional(long),
    story: optional(object({ replay: text(), steps: longs, exchanges: ids, seen: count, of: count })),
  }),
);

const condition = { metric: text(), comparison: text(), bound: number, unit: text() };
export const scenario = loose<Scenario>(
  object({
    name: text(),
    phases: list(
      object({
        kind: oneOf(['open', 'closed']),
        name: text(),
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
        text: text(),
        phase: orNull(text()),
        operation: orNull(operation),
        isDefault: optional(truth),
      }),
    ),
    abort: orNull(object({ when: object(condition), text: text(), afterSeconds: number })),
  }),
);
