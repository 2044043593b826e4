import { sampleOf } from '../checks/rate-headers.js';
import type { OperationName } from '../contract/types.js';
import { header } from '../exchange/headers.js';
import type { RequestSpec } from '../exchange/sender.js';
import { shelved } from '../exchange/shelf.js';
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

/** An answer to one of parallel requests, of which hundreds are held before there is time for any: long bodies stand aside meanwhile. */
export const putAside = ({ exchange, sample }: LoadAnswer): LoadAnswer => ({ exchange: shelved(exchange), sample });

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

/** The server announced that it closes the connection after this answer (RFC 9112, 9.6). */
export const closesConnection = ({ exchange: { answer } }: LoadAnswer): boolean =>
  answer.kind === 'response' && /\bclose\b/i.test(header(answer.headers, 'connection') ?? '');
