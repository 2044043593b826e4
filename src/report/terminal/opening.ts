import { buildWords } from '../../outcome/words/verdict-sentence.js';
import type { LogHeader, PreflightFacts } from '../../log/record.js';
import { clockRemark, keyWords } from '../../outcome/words/remarks.js';
import { count, counted, duration } from '../../base/kernel/format.js';
import { flow, hang, mark, span, type Line } from './lines.js';

/** Largest difference of clocks that a `Date` in whole seconds can hide, ms. */
const IN_STEP_MS = 250;

export function headerLine(header: LogHeader): Line {
  const { kit, target, scope, run, label, mostSeconds } = header;
  return flow(
    [span('')],
    [
      span(`${kit.name} ${kit.version}`, 'strong'),
      span(target.name, 'strong'),
      target.baseUrl,
      span(`interface ${header.interface.version}`, 'quiet'),
      span(`as of ${scope.asOf}`, 'quiet'),
      span(`run ${run}`, 'quiet'),
      ...(label === undefined ? [] : [span(buildWords(label), 'quiet')]),
      ...(mostSeconds === undefined
        ? []
        : [span(`ends after ${duration(mostSeconds * 1000)} at most`, 'quiet')]),
    ],
  );
}

export const preflightLines = (facts: PreflightFacts): Line[] => [
  flow([span('preflight  ', 'quiet')], factsOf(facts)),
  ...facts.remarks.map((remark) => hang([span('           '), mark('warned')], remark)),
];

const factsOf = (facts: PreflightFacts) => [
  `reachable in ${duration(facts.reachableMs)}`,
  facts.keyAccepted ? keyWords(facts) : span(keyWords(facts), 'bad'),
  // Differing clocks have a separate remark, so they are omitted here.
  ...(clockRemark(facts.clockSkewMs) === null ? [skew(facts.clockSkewMs)] : []),
  ...(facts.animals === null
    ? []
    : [`${facts.animalsComplete ? '' : 'at least '}${counted(facts.animals, 'animal')}`]),
  plannedText(facts),
  ...(facts.shortage ? [waitText(facts.shortage)] : []),
];

function plannedText({ plannedRequests, plannedSeconds, plannedIsMost }: PreflightFacts): string {
  const length = duration(plannedSeconds * 1_000);
  // What a closed loop sends is unknown.
  if (plannedRequests === 0) return length;
  return `${plannedIsMost ? 'at most' : 'about'} ${count(plannedRequests)} requests, ${length}`;
}

/** A run that waits before it judges anything looks stuck, unless it says why at its start. */
const waitText = ({ left, seconds }: NonNullable<PreflightFacts['shortage']>): string =>
  `waits for the key, up to ${duration(seconds * 1_000)} (${counted(left, 'request')} left)`;

export function skew(ms: number | null): string {
  if (ms === null) return 'clock unknown';
  if (Math.abs(ms) < IN_STEP_MS) return 'clocks agree';
  return `clock ${duration(Math.abs(ms))} ${ms > 0 ? 'ahead' : 'behind'}`;
}
