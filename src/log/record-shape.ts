import {
  count,
  has,
  list,
  map,
  moment,
  number,
  object,
  oneOf,
  orNull,
  text,
  truth,
  type Shape,
} from '../contract/shape.js';
import { isHistogram } from './histogram.js';
import type { LogRecord } from './record.js';
import { operationNames, keyNames, planNames, profileNames } from '../contract/names.js';

/** A kept body, with what redaction may have added. */
const LONG = text(1_000_000);
const plan = oneOf(planNames);
const key = oneOf(keyNames);
const operation = oneOf(operationNames);
const texts = list(text(LONG['maxLength'] as number));
const ids = list(text());
const histogram = { ...text(LONG['maxLength'] as number), format: 'histogram' };
/** Formats checked beyond a text's length. */
export const FORMATS = { histogram: isHistogram };
const header = { type: 'array', items: LONG, minItems: 2, maxItems: 2 };
const figures = object({ perMinute: count, perDay: count });

const counts = { sent: count, served: count, refused: count, errors: count, violations: count, byStatus: map(count) };

const exchange = object({
  id: text(),
  probe: LONG,
  operation: orNull(operation),
  intent: object(
    { kind: oneOf(['expects', 'declared', 'open']) },
    { statuses: list(count), chargedTo: text(), row: text() },
  ),
  credential: object({ kind: oneOf(['valid', 'none', 'invalid']) }, { plan: key, manner: LONG }),
  request: object({ method: text(), path: LONG, headers: list(header), body: orNull(LONG) }),
  sentAt: moment,
  latencyMs: number,
  attempts: count,
  answer: {
    anyOf: [
      object({ kind: oneOf(['response']), status: count, headers: list(header), text: LONG }, { cutFrom: count }),
      object({ kind: oneOf(['none']), code: text(), message: LONG }),
    ],
  },
});

const reason = object({ code: text(), text: LONG });
const finding = object(
  {
    kind: oneOf(['kept', 'violated', 'observed', 'inconclusive', 'not-applicable', 'untried', 'fault']),
    requirement: text(),
  },
  {
    message: LONG,
    expected: LONG,
    actual: LONG,
    exchanges: ids,
    subject: LONG,
    value: LONG,
    reason,
    what: LONG,
    story: object({ replay: text(), steps: texts, exchanges: ids, seen: count, of: count }),
  },
);

const condition = { metric: text(), comparison: text(), bound: number, unit: text() };
const scenario = object({
  name: text(),
  phases: list(
    object(
      { kind: oneOf(['open', 'closed']), name: text(), seconds: number },
      { from: number, to: number, connections: count },
    ),
  ),
  operations: list(object({ operation, weight: number, limits: list(number), statuses: list(text()) })),
  keys: list(plan),
  overLimit: text(),
  thresholds: list(
    object({ ...condition, text: text(), phase: orNull(text()), operation: orNull(operation) }, { isDefault: truth }),
  ),
  abort: orNull(object({ when: object(condition), text: text(), afterSeconds: number })),
});

/** One second of a load run; agents also send it live. */
export const SECOND = object(
  {
    ...counts,
    type: oneOf(['second']),
    phase: text(),
    at: moment,
    ms: number,
    intended: count,
    dropped: count,
    p50: number,
    p90: number,
    p99: number,
    max: number,
    lagMs: number,
    busy: number,
    cpu: number,
    underWay: count,
    lateMs: number,
    behind: truth,
  },
  { latency: histogram },
);

const cell = { type: ['number', 'string', 'null'] };
const logHeader = object(
  {
    schemaVersion: count,
    run: text(),
    kit: object({ name: text(), version: text() }),
    interface: object({ version: text(), removalDate: text() }),
    contract: text(),
    ledger: text(),
    target: object({
      name: text(),
      baseUrl: text(),
      windows: object({ minute: number, day: number }),
      production: truth,
      exclusive: truth,
      figures: map(figures),
    }),
    scope: object({
      plans: list(plan),
      suiteKey: plan,
      selection: orNull(
        object({}, { requirements: ids, profiles: ids, plans: ids, scenario: text(), part: text(), replay: text() }),
      ),
      selected: orNull(ids),
      writes: truth,
      asOf: text(),
      includes: ids,
    }),
    startedAt: text(),
    command: LONG,
  },
  {
    label: LONG,
    own: object({ rows: list(object({ id: text() })), hash: text(), decide: truth }),
    acceptance: object({}),
  },
);

const SHAPES: Readonly<Record<LogRecord['type'], Shape>> = {
  header: logHeader,
  phase: object({ phase: text(), at: moment }),
  explored: object({
    seed: number,
    asked: count,
    requests: map(count),
    performed: count,
    classes: list(object({ kind: text(), class: text(), tried: count, served: count })),
  }),
  preflight: object({
    facts: object({
      reachableMs: number,
      keyAccepted: truth,
      plan,
      limitSeen: orNull(LONG),
      clockSkewMs: orNull(number),
      animals: orNull(count),
      animalsComplete: truth,
      plannedRequests: count,
      plannedSeconds: number,
      remarks: texts,
    }),
  }),
  exchange: object({ exchange, kept: ids }),
  finding: object({ finding }),
  settled: object({ requirement: text() }),
  'own-problem': object({ problem: object({ message: LONG }, { file: text(), line: count, requirement: text() }) }),
  created: object({ id: LONG, name: LONG }),
  waiting: object({ what: LONG, until: number }),
  progress: object({ profile: text(), plan: text(), text: LONG }),
  series: object({
    profile: oneOf(profileNames),
    plan: key,
    rows: list({
      type: 'array',
      minItems: 10,
      maxItems: 10,
      prefixItems: [operation, moment, moment, moment, count, cell, cell, cell, cell, cell],
    }),
  }),
  tally: object({ requirement: text(), kept: count, profile: text() }, { answers: ids }),
  profile: object({
    summary: object({
      profile: oneOf(profileNames),
      plan: key,
      startedAt: moment,
      finishedAt: moment,
      sent: count,
      served: count,
      refused: count,
      allowance: number,
      latency: orNull(object({ count, min: number, p50: number, p90: number, p99: number, max: number })),
      sentence: LONG,
      marks: list(object({ kind: text(), at: moment, text: LONG })),
    }),
  }),
  scenario: object(
    {
      scenario,
      slice: object({ index: count, count }),
      keys: list(plan),
      leftOut: list(object({ operation, reason: LONG })),
      startAt: moment,
    },
    { together: object({ beginsAt: moment, lateMs: number }) },
  ),
  agents: object({
    agents: list(
      object({
        name: text(),
        part: count,
        offsetMs: orNull(number),
        errorMs: orNull(number),
        sent: count,
        dropped: count,
        lateMs: number,
        loopLagMs: number,
        cpu: number,
        saturated: truth,
        problem: orNull(LONG),
      }),
    ),
    problems: texts,
  }),
  second: SECOND,
  'capacity-phase': object(
    {
      phase: text(),
      startedAt: moment,
      finishedAt: moment,
      intended: orNull(count),
      droppedLate: count,
      droppedFull: count,
      operations: list(
        object(
          { ...counts, operation, latency: histogram, service: histogram, least: histogram },
          { failed: object({ latency: histogram, least: histogram }) },
        ),
      ),
      byKey: map(count),
      violations: list(object({ requirement: text(), operation, message: LONG, exchange: text(), count })),
      saturated: orNull(object({ fromMs: number, perSecond: number }, { agent: text() })),
      lagMs: number,
      cpu: number,
      whole: truth,
      remarks: texts,
    },
    { droppedHeld: count },
  ),
  footer: object(
    { complete: truth, reason: orNull(LONG), finishedAt: text() },
    { obstacle: object({ code: text(), short: LONG, message: LONG, hint: LONG }), fault: LONG },
  ),
};

const checks = new Map(Object.entries(SHAPES).map(([type, shape]) => [type, has(shape, FORMATS)]));

/** Returns whether a record has the shape of its kind. Readers skip kinds that this kit does not know. */
export const isRecord = (record: LogRecord): boolean => checks.get(record.type)?.(record) ?? true;
