import type { SecondRecord } from '../log/capacity-record.js';
import { sum } from './figures.js';
import { valueOf } from './thresholds.js';
import type { Scenario } from '../scenario/scenario.js';
import { keeps, type Condition } from '../scenario/threshold.js';
import { duration } from '../format/format.js';

/** Is shown each second as it ends; says why the run is to be broken off, or null. */
export type AbortWatch = (second: SecondRecord) => string | null;

/**
 * The scenario's own rule for breaking off: the condition has held for so long, in every second with something to
 * measure.
 */
export function abortWatch(rule: Scenario['abort']): AbortWatch {
  if (rule === null) return () => null;
  let heldMs = 0;
  return (second) => {
    const value = measuredOf(second, rule.when);
    if (value === null) return null;
    heldMs = keeps(value, rule.when) ? heldMs + second.ms : 0;
    return heldMs >= rule.afterSeconds * 1000 ? `${rule.text} for ${duration(rule.afterSeconds * 1000)}` : null;
  };
}

/** The value of a condition's figure in one second; null where nothing was measured. p95 and p999 are held to p99 there. */
function measuredOf(second: SecondRecord, { metric, unit }: Condition): number | null {
  const settled = sum(Object.values(second.byStatus), (count) => count);
  return valueOf(metric, unit, {
    ...second,
    settled,
    percentile: (of) => (settled === 0 ? null : second[of === 'p95' || of === 'p999' ? 'p99' : of]),
  });
}
