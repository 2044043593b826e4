import { nearestName } from '../../base/kernel/nearest-name.js';
import { type YamlPath } from '../../base/kernel/yaml-source.js';
import {
  METRICS,
  parseBound,
  parseCondition,
  type Condition,
  type Parsed,
  type Threshold,
} from './threshold.js';
import { type ScenarioFile } from './scenario-file.js';
import { durationOf, type Fail } from './mistakes.js';
import type { OperationShare, Scenario } from './scenario.js';

export function thresholdOf(
  raw: NonNullable<ScenarioFile['thresholds']>[number],
  path: YamlPath,
  known: {
    readonly phases: readonly string[];
    readonly operations: readonly Pick<OperationShare, 'operation' | 'weight'>[];
  },
  fail: Fail,
): Threshold {
  if (typeof raw === 'string')
    return {
      ...conditionOf(parseCondition(raw), path, raw, fail),
      text: raw.trim(),
      phase: null,
      operation: null,
    };
  const { phase = null, operation = null } = raw;
  const [metric, ...others] = METRICS.filter((name) => raw[name] !== undefined);
  const bound = metric && raw[metric];
  if (metric === undefined || bound === undefined || others.length > 0)
    return fail(
      path,
      'A threshold needs exactly one metric and one bound.',
      'e.g. { phase: hold, p95: "< 100ms" }',
    );
  const { phases } = known;
  if (phase !== null && !phases.includes(phase))
    return fail(
      [...path, 'phase'],
      `There is no phase "${phase}".`,
      `one of ${phases.join(', ')}`,
      nearestName(phase, phases),
    );
  const operations = known.operations.filter(({ weight }) => weight > 0).map((each) => each.operation);
  const sent = operations.find((name) => name === operation) ?? null;
  if (operation !== null && sent === null)
    return fail(
      [...path, 'operation'],
      `The scenario does not send ${operation}.`,
      `one of ${[...new Set(operations)].join(', ')}`,
      nearestName(operation, operations),
    );
  if (sent !== null && metric === 'dropped')
    return fail(
      path,
      'Dropped requests are counted per phase, not per operation.',
      'dropped without an operation',
    );
  const text = [
    phase === null ? '' : `${phase}: `,
    sent === null ? '' : `${sent} `,
    `${metric} ${bound.trim()}`,
  ].join('');
  return { ...conditionOf(parseBound(metric, bound), path, text, fail), text, phase, operation: sent };
}

function conditionOf(parsed: Parsed<Condition>, path: YamlPath, text: string, fail: Fail): Condition {
  if (parsed.ok) return parsed.value;
  return fail(
    path,
    `The condition "${text}" ${parsed.problem}.`,
    parsed.expected,
    parsed.name === undefined ? undefined : nearestName(parsed.name, METRICS),
  );
}

export function abortOf(
  { when, after }: NonNullable<ScenarioFile['abort']>,
  fail: Fail,
): NonNullable<Scenario['abort']> {
  const afterSeconds = durationOf(after, ['abort', 'after'], 'The abort rule', fail);
  return {
    when: conditionOf(parseCondition(when), ['abort', 'when'], when, fail),
    text: when.trim(),
    afterSeconds,
  };
}
