import { latencyText, measured, shareText } from '../../base/kernel/format.js';
import { number, object, oneOf, optional, orNull, text, type Of } from '../../base/kernel/shape.js';
import { redacted } from '../exchange/redaction.js';
import { operation } from '../exchange/shapes.js';
import { secondsOf } from './units.js';

/** Latencies, from the intended time of sending. */
export const LATENCIES = ['p50', 'p90', 'p95', 'p99', 'p999', 'max'] as const;
export const METRICS = [...LATENCIES, 'errors', 'violations', 'dropped', 'served', 'perSecond'] as const;

/** A name or text from a scenario's file, into which a user may type a key by mistake. */
export const NAME = redacted(text());

export type Metric = (typeof METRICS)[number];
export type LatencyMetric = (typeof LATENCIES)[number];

export const isLatency = (metric: Metric): metric is LatencyMetric =>
  (LATENCIES as readonly Metric[]).includes(metric);

export type Comparison = '<' | '<=' | '>' | '>=' | '=';
/** Unit of a bound: milliseconds, a share of 0 to 1, or a number. */
type Unit = 'ms' | 'share' | 'number';

/** A figure of a threshold, whose text ends with its bound. */
interface Figure {
  readonly value: number | null;
  readonly unit: Unit;
  readonly text?: string;
}

/**
 * Formats a figure in its unit; a dash where nothing was measured. Where it would read as the bound of its
 * threshold without being it, it has more digits: on which side it lies decides.
 */
export function valueText({ value, unit, text: ofThreshold = '' }: Figure): string {
  if (value === null) return '–';
  const short = shortText(value, unit);
  const bound = boundIn(ofThreshold, unit);
  if (bound === null || bound === value || shortText(bound, unit) !== short) return short;
  return unit === 'share' ? `${measured(100 * value)} %` : `${measured(value)} ms`;
}

function shortText(value: number, unit: Unit): string {
  if (unit === 'ms') return latencyText(value);
  return unit === 'share' ? shareText(value) : measured(value);
}

/** Returns the bound of a threshold that is not a plain number, in the unit of its figure; null without one. */
function boundIn(ofThreshold: string, unit: Unit): number | null {
  const written = /[<>=].*$/.exec(ofThreshold)?.[0];
  if (written === undefined || unit === 'number') return null;
  const condition = parseBound(unit === 'ms' ? 'max' : 'errors', written);
  return condition.ok && condition.value.unit === unit ? condition.value.bound : null;
}

const CONDITION_MEMBERS = {
  metric: text<Metric>(),
  comparison: text<Comparison>(),
  bound: number,
  unit: text<Unit>(),
};
/** As in `p99 < 250ms`. */
export type Condition = Of<typeof CONDITION>;
export const CONDITION = object(CONDITION_MEMBERS);

/** A condition on a run: on all of it, or on one phase or operation. */
export type Threshold = Of<typeof THRESHOLD>;
export const THRESHOLD = object({
  ...CONDITION_MEMBERS,
  text: NAME,
  phase: orNull(NAME),
  operation: orNull(operation),
  /** True for the default on errors, which the scenario does not set. */
  isDefault: optional(oneOf([true])),
});

/** Default on errors: without it, a run without any response would miss nothing. */
const DEFAULT_ERRORS = {
  metric: 'errors',
  comparison: '<',
  bound: 0.01,
  unit: 'share',
} as const satisfies Condition;
const DEFAULT_TEXT = 'errors < 1%';

/** Adds the default for phases without a threshold on errors; one for all phases if none has any. Pure. */
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

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string; readonly expected: string; readonly name?: string };

const EXAMPLES = 'e.g. "p99 < 250ms", "errors < 0.1%", "violations = 0"';

export function parseCondition(written: string): Parsed<Condition> {
  const [, name, rest] = /^\s*([A-Za-z][\w.]*)\s*(.*)$/s.exec(written) ?? [];
  if (name === undefined || rest === undefined)
    return { ok: false, problem: 'does not begin with a metric', expected: EXAMPLES };
  const metric = METRICS.find((known) => known === name);
  if (!metric)
    return {
      ok: false,
      problem: `has the unknown metric "${name}"`,
      expected: `one of ${METRICS.join(', ')}`,
      name,
    };
  return parseBound(metric, rest);
}

/** @param written the part after a metric, `< 250ms` */
export function parseBound(metric: Metric, written: string): Parsed<Condition> {
  const [, comparison, amount, unit] =
    /^\s*(<=|>=|==|<|>|=)\s*(\d+(?:\.\d+)?)\s*(%|ms|s|min|m|h|\/s)?\s*$/.exec(written) ?? [];
  if (comparison === undefined || amount === undefined)
    return { ok: false, problem: `does not compare ${metric} with a number`, expected: EXAMPLES };
  const condition = (bound: number, of: Unit): Parsed<Condition> => ({
    ok: true,
    value: { metric, comparison: comparison === '==' ? '=' : (comparison as Comparison), bound, unit: of },
  });
  const wrong = (expected: string): Parsed<Condition> => ({
    ok: false,
    problem:
      unit === undefined ? `has no unit for ${metric}` : `has a unit that does not fit ${metric} (${unit})`,
    expected,
  });
  if (isLatency(metric)) {
    const seconds =
      unit === undefined || unit === '%' || unit === '/s' ? null : secondsOf(`${amount}${unit}`);
    return seconds === null
      ? wrong(`a time, e.g. "${metric} < 250ms"`)
      : condition(Math.round(seconds * 1e9) / 1e6, 'ms');
  }
  if (unit === '%')
    return metric === 'perSecond' || metric === 'served' || metric === 'violations'
      ? wrong(`a number, e.g. "${metric} = 0"`)
      : condition(Number(amount) / 100, 'share');
  if (unit === undefined || (unit === '/s' && metric === 'perSecond'))
    return condition(Number(amount), 'number');
  return wrong(`a number or a share, e.g. "${metric} < 1%"`);
}

export const keeps = (
  value: number,
  { comparison, bound }: Pick<Condition, 'comparison' | 'bound'>,
): boolean => COMPARED[comparison](value, bound);

const COMPARED: Readonly<Record<Comparison, (value: number, bound: number) => boolean>> = {
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
  '=': (value, bound) => value === bound,
};
