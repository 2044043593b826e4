import type { OperationName } from '../contract/types.js';
import { secondsOf } from './schedule.js';

/** The metrics that are latencies, from the intended time of sending. */
export const LATENCIES = ['p50', 'p90', 'p95', 'p99', 'p999', 'max'] as const;

/** What a threshold can be about. */
export const METRICS = [...LATENCIES, 'errors', 'violations', 'dropped', 'served', 'perSecond'] as const;

/** One of them. */
export type Metric = (typeof METRICS)[number];

/** A latency's metric. */
export type LatencyMetric = (typeof LATENCIES)[number];

/** Whether a metric is a latency. */
export const isLatency = (metric: Metric): metric is LatencyMetric => (LATENCIES as readonly Metric[]).includes(metric);

/** How a figure is held against its bound. */
export type Comparison = '<' | '<=' | '>' | '>=' | '=';

/** What a bound is counted in: milliseconds, a share of 0 to 1, or a number. */
export type Unit = 'ms' | 'share' | 'number';

/** One condition on one figure, as `p99 < 250ms` says it. */
export interface Condition {
  readonly metric: Metric;
  readonly comparison: Comparison;
  /** In the unit below. */
  readonly bound: number;
  readonly unit: Unit;
}

/** A condition that a run is held to: on all of it, or on a phase or an operation alone. */
export interface Threshold extends Condition {
  /** As it stands in the scenario. */
  readonly text: string;
  readonly phase: string | null;
  readonly operation: OperationName | null;
  /** The scenario does not set it: it holds wherever nothing is said of errors. */
  readonly isDefault?: true;
}

/** What is held of errors where a scenario does not say it: without it, a run that nobody answered would miss nothing. */
const DEFAULT_ERRORS = { metric: 'errors', comparison: '<', bound: 0.01, unit: 'share' } as const satisfies Condition;
const DEFAULT_TEXT = 'errors < 1%';

/** Adds the default for the phases whose errors no threshold bounds; one for all where that is all of them. Pure. */
export function withDefaults(given: readonly Threshold[], phases: readonly string[]): readonly Threshold[] {
  const onErrors = given.filter(({ metric, operation }) => metric === 'errors' && operation === null);
  const unbounded = phases.filter((name) => !onErrors.some(({ phase }) => phase === null || phase === name));
  const added = unbounded.length === phases.length ? [null] : unbounded;
  return [
    ...given,
    ...added.map((phase): Threshold => ({
      ...DEFAULT_ERRORS,
      text: phase === null ? DEFAULT_TEXT : `${phase}: ${DEFAULT_TEXT}`,
      phase,
      operation: null,
      isDefault: true,
    })),
  ];
}

/** What was read, or what is wrong in words. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string; readonly expected: string; readonly name?: string };

const EXAMPLES = 'e.g. "p99 < 250ms", "errors < 0.1%", "violations = 0"';

/** Reads a condition: a metric, a comparison and a bound with its unit. Pure. */
export function parseCondition(text: string): Parsed<Condition> {
  const [, name, rest] = /^\s*([A-Za-z][\w.]*)\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined || rest === undefined)
    return { ok: false, problem: 'does not begin with the name of a figure', expected: EXAMPLES };
  const metric = METRICS.find((known) => known === name);
  if (!metric)
    return {
      ok: false,
      problem: `speaks of "${name}", which is no figure`,
      expected: `one of ${METRICS.join(', ')}`,
      name,
    };
  return parseBound(metric, rest);
}

/** Reads what stands after a metric, `< 250ms`. Pure. */
export function parseBound(metric: Metric, text: string): Parsed<Condition> {
  const [, comparison, amount, unit] =
    /^\s*(<=|>=|==|<|>|=)\s*(\d+(?:\.\d+)?)\s*(%|ms|s|min|m|h|\/s)?\s*$/.exec(text) ?? [];
  if (comparison === undefined || amount === undefined)
    return { ok: false, problem: `of ${metric} is no comparison with a number`, expected: EXAMPLES };
  const condition = (bound: number, of: Unit): Parsed<Condition> => ({
    ok: true,
    value: { metric, comparison: comparison === '==' ? '=' : (comparison as Comparison), bound, unit: of },
  });
  const wrong = (expected: string): Parsed<Condition> => ({
    ok: false,
    problem:
      unit === undefined ? `of ${metric} has no unit` : `of ${metric} is in a unit that does not fit it (${unit})`,
    expected,
  });
  if (isLatency(metric)) {
    const seconds = unit === undefined || unit === '%' || unit === '/s' ? null : secondsOf(`${amount}${unit}`);
    return seconds === null
      ? wrong(`a time, e.g. "${metric} < 250ms"`)
      : condition(Math.round(seconds * 1e9) / 1e6, 'ms');
  }
  if (unit === '%')
    return metric === 'perSecond' || metric === 'served' || metric === 'violations'
      ? wrong(`a number, e.g. "${metric} = 0"`)
      : condition(Number(amount) / 100, 'share');
  if (unit === undefined || (unit === '/s' && metric === 'perSecond')) return condition(Number(amount), 'number');
  return wrong(`a number or a share, e.g. "${metric} < 1%"`);
}

/** Whether a figure keeps a condition. */
export function keeps(value: number, { comparison, bound }: Pick<Condition, 'comparison' | 'bound'>): boolean {
  switch (comparison) {
    case '<':
      return value < bound;
    case '<=':
      return value <= bound;
    case '>':
      return value > bound;
    case '>=':
      return value >= bound;
    case '=':
      return value === bound;
  }
}
