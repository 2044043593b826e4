import type { SecondRecord } from '../log/capacity-record.js';
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

/** The value of a condition's figure in one second; null where nothing was measured. p95 and p999 are held to p99 there, and so is max. */
export function measuredOf(second: SecondRecord, { metric, unit }: Pick<Condition, 'metric' | 'unit'>): number | null {
  const answers = Object.values(second.byStatus).reduce((sum, count) => sum + count, 0);
  const share = (count: number, of: number): number | null =>
    unit === 'share' ? (of === 0 ? null : count / of) : count;
  switch (metric) {
    case 'p50':
    case 'p90':
    case 'p99':
    case 'max':
      return answers === 0 ? null : second[metric];
    case 'p95':
    case 'p999':
      return answers === 0 ? null : second.p99;
    case 'errors':
      return share(second.errors, answers);
    case 'violations':
      return second.violations;
    case 'dropped':
      return share(second.dropped, second.intended);
    case 'served':
      return second.served;
    case 'perSecond':
      return (second.served * 1000) / Math.max(1, second.ms);
  }
}
