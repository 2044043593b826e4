import { kept, unestablished, untried, violated, type Judged, type Judgement } from '../findings/finding.js';
import type { OperationName } from '../../base/interface/types.js';
import { counted, duration } from '../../base/kernel/format.js';
import { samplesOf } from './key-samples.js';
import { subject, type KeySeries } from './series.js';
import { wasRefused } from './sample.js';
import { apartIn, isUsedUp, notLimited } from './operation-use.js';
import type { KeyReading } from './reading.js';

const NOT_BELIEVED = untried('whether all operations share one allowance (Remaining miscounts)');

/** Judges `rate-all-operations` over all plans: each plan's first 429 hits another operation. */
export function allOperations(readings: readonly KeyReading[], operations: readonly OperationName[]): Judged {
  const keys = readings.map(({ key }) => key);
  const uses = readings.flatMap(({ key, operations: use }) => (key.burst === null ? [] : [{ key, use }]));
  // Where Remaining miscounts, its falls prove nothing.
  const isMiscounted = readings.some(({ miscount }) => miscount === 'too-fast' || miscount === 'too-slow');
  const breaches = uses.flatMap(({ key, use }) =>
    operations
      .filter((operation) => use.exempt.has(operation))
      .map((operation) => notLimited(key.key, operation)),
  );
  if (breaches.length > 0) return breaches;
  const apart = keys.flatMap((key) => countedApart(key) ?? []);
  if (apart.length > 0) return apart;
  const uncounted = operations.filter((operation) => !uses.some(({ use }) => use.counted.has(operation)));
  const refusals = keys.flatMap(samplesOf).filter(wasRefused);
  const unrefused = operations.filter(
    (operation) => !refusals.some((refusal) => refusal.operation === operation),
  );
  if (uncounted.length === 0 && unrefused.length === 0) {
    const found = `Remaining fell at ${operations.join(', ')}, and each was refused when nothing was left.`;
    return [kept([], found), ...(isMiscounted && !keys.some(isUsedUp) ? [NOT_BELIEVED] : [])];
  }
  const open = [
    ...(uncounted.length > 0
      ? [`no response shows that ${uncounted.join(', ')} counts against the limit`]
      : []),
    ...(unrefused.length > 0
      ? [`${unrefused.join(', ')} was never sent, or never refused, when nothing was left`]
      : []),
  ];
  return unestablished('too-little-data', `${open.join('; ')}.`);
}

/** Returns the violation by an operation that is refused while others are allowed; null without. */
function countedApart(key: KeySeries): Judgement | null {
  const apart = apartIn(samplesOf(key), key.figures);
  if (apart === null) return null;
  const { refusal, between, elapsedMs } = apart;
  const others = [...new Set(between.map(({ operation }) => operation))].join(', ');
  const allowed = `${counted(between.length, 'request')} of ${others} allowed`;
  return violated(
    [],
    `${subject(key.key)} has another allowance for ${refusal.operation} than for ${others}.`,
    {
      expected: 'one allowance for all operations: each is refused once it is used up',
      actual: `${allowed} between two refusals of ${refusal.operation}, ${duration(elapsedMs)} apart`,
      measured: { what: ['apart', refusal.operation] },
      plan: key.key,
    },
  );
}
