import type { LogHeader, PreflightFacts } from '../log/record.js';
import { clockRemark } from '../words/remarks.js';
import { count, counted, duration } from '../format/format.js';
import { flow, hang, span, type Line } from './lines.js';
import type { Look } from './look.js';

/** Largest difference of clocks that a `Date` in whole seconds can hide, ms. */
const IN_STEP_MS = 250;

/** Formats the kit, the target and the ledger. */
export function headerLines(header: LogHeader, look: Look): Line[] {
  const { kit, target, scope, run, label, mostSeconds } = header;
  return flow(
    [span('')],
    [
      span(`${kit.name} ${kit.version}`, 'strong'),
      span(target.name, 'strong'),
      span(target.baseUrl),
      span(`interface ${header.interface.version}`, 'quiet'),
      span(`as of ${scope.asOf}`, 'quiet'),
      span(`run ${run}`, 'quiet'),
      ...(label === undefined ? [] : [span(`build ${label}`, 'quiet')]),
      ...(mostSeconds === undefined ? [] : [span(`ends after ${duration(mostSeconds * 1000)} at most`, 'quiet')]),
    ],
    look,
  );
}

/** Formats the preflight facts, with remarks. */
export function preflightLines(facts: PreflightFacts, look: Look): Line[] {
  return [
    ...flow([span('preflight  ', 'quiet')], factsOf(facts), look),
    ...facts.remarks.flatMap((remark) =>
      hang([span('           '), span(`${look.glyphs.warned} `, 'warn')], remark, look),
    ),
  ];
}

const factsOf = (facts: PreflightFacts) => [
  span(`reachable in ${duration(facts.reachableMs)}`),
  facts.keyAccepted ? span(`key accepted (${facts.plan})`) : span(`key refused (${facts.plan})`, 'bad'),
  // Differing clocks have a separate remark, so they are omitted here.
  ...(clockRemark(facts.clockSkewMs) === null ? [span(skew(facts.clockSkewMs))] : []),
  ...(facts.animals === null
    ? []
    : [span(`${facts.animalsComplete ? '' : 'at least '}${counted(facts.animals, 'animal')}`)]),
  span(`about ${count(facts.plannedRequests)} requests, ${duration(facts.plannedSeconds * 1_000)}`),
];

/** Describes the difference of the clocks. */
export function skew(ms: number | null): string {
  if (ms === null) return 'clock unknown';
  if (Math.abs(ms) < IN_STEP_MS) return 'clocks agree';
  return `clock ${duration(Math.abs(ms))} ${ms > 0 ? 'ahead' : 'behind'}`;
}
