import { sampleOf } from '../checks/rate-headers.js';
import type { OperationName } from '../contract/types.js';
import type { TimedAnswer } from '../exchange/connection.js';
import type { RequestSpec } from '../exchange/sender.js';
import type { Answer, Exchange } from '../exchange/types.js';
import type { Sample } from '../limits/sample.js';
import { recordedOf, type WireContext } from './requests.js';

/** One request under load and what came back. `exchange` is for the checks that read whole answers, `sample` for the limits'. */
export interface LoadAnswer {
  readonly exchange: Exchange;
  readonly sample: Sample;
}

/** When a request was to be sent, was sent and was answered: Unix ms of one monotonic clock. */
export interface Times {
  readonly intendedAt: number;
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** Puts together what is known of one request. `id` has to be unique within the run. */
export function loadAnswer(
  id: string,
  spec: RequestSpec,
  context: WireContext,
  times: Times,
  answer: Answer,
): LoadAnswer {
  const exchange: Exchange = {
    id,
    probe: `load ${id}`,
    operation: spec.operation,
    intent: spec.intent,
    credential: spec.credential,
    request: recordedOf(spec, context),
    sentAt: times.sentAt,
    latencyMs: times.answeredAt - times.sentAt,
    attempts: 1,
    answer,
  };
  return { exchange, sample: sampled(exchange, times) };
}

/** The sample of an exchange; where no whole answer came, its status is 0 and all else unknown. */
function sampled(exchange: Exchange, times: Times): Sample {
  const sample = sampleOf(exchange);
  if (sample !== null) return { ...sample, ...times };
  return {
    ...times,
    operation: exchange.operation as OperationName,
    status: 0,
    limit: null,
    remaining: null,
    reset: null,
    retryAfter: null,
    date: null,
  };
}

/**
 * What a request became, one answer for each time that it was put on the wire: a request that died on a reused
 * connection before a byte came back was sent twice, and the first may have reached the server too.
 */
export function answersOf(
  nextId: () => string,
  spec: RequestSpec,
  context: WireContext,
  intendedAt: number | null,
  { sentAt, latencyMs, attempts, answer }: TimedAnswer,
): readonly LoadAnswer[] {
  const times = { intendedAt: intendedAt ?? sentAt, sentAt, answeredAt: sentAt + latencyMs };
  const last = loadAnswer(nextId(), spec, context, times, answer);
  if (attempts === 1) return [last];
  const lost = { kind: 'none', code: 'reset', message: 'the kept connection was closed' } as const;
  return [loadAnswer(nextId(), spec, context, times, lost), last];
}
