import { now, type HttpLimits } from '../wire/exchange/connection.js';
import type { PlanName } from '../base/interface/types.js';
import { traceIdOf } from '../wire/exchange/headers.js';
import { isOwnLimit } from '../wire/exchange/own-limits.js';
import type { ConnectionReuse } from '../wire/exchange/connection-reuse.js';
import type { RawAnswer } from '../wire/exchange/raw-answer.js';
import type { Departure, AnswerJudge, JudgedKey } from './judge-answers.js';
import type { FinishedRequest, Meter } from './meter.js';
import type { Seconds } from './seconds.js';
import type { StepEnd, Prepared, RequestSource } from './requests.js';
import type { Turns } from '../wire/scenario/schedule.js';
import type { StallMeter } from './health.js';
import type { SharedKeys } from './shared-keys.js';
import type { Throughput } from './throughput.js';

export interface EngineContext {
  readonly origin: string;
  readonly limits: HttpLimits;
  /** In order of turns. */
  readonly keys: ReadonlyMap<PlanName, JudgedKey>;
  readonly source: RequestSource;
  readonly turns: Turns;
  readonly judge: AnswerJudge;
  readonly seconds: Seconds;
  readonly stalls: StallMeter;
  readonly throughput: Throughput;
  /** Of a part that shares its keys with others; null otherwise. */
  readonly sharedKeys: SharedKeys | null;
  readonly onFinished?: ((request: FinishedRequest) => void) | undefined;
  readonly reuse: ConnectionReuse;
  readonly signal: AbortSignal;
}

/** Progress of sending: `sent` when all requests are out, `answered` when all have a response. */
export interface Sending {
  readonly sent: Promise<void>;
  readonly answered: Promise<readonly string[]>;
}

/** Counts a departing request with its key, phase and second. */
export function began(
  shared: EngineContext,
  meter: Meter,
  { operation, key }: Prepared,
  { intendedAt, sentAt }: Pick<Departure, 'intendedAt' | 'sentAt'>,
): Departure {
  const isBeyond = shared.keys.get(key)?.watch.sent(sentAt) ?? false;
  const stalledMs = shared.stalls.heldUpUntil(sentAt);
  meter.sent(operation, key);
  meter.silence.sent(sentAt);
  shared.sharedKeys?.sent(key);
  shared.seconds.sent(sentAt - intendedAt);
  return { intendedAt, sentAt, stalledMs, stoodMs: shared.stalls.stoodUntil(sentAt), isBeyond };
}

/** Counts a request again that was lost with its connection: the repeat counts with its key as well. */
export function sentAgain(shared: EngineContext, meter: Meter, request: Prepared): void {
  const sentAt = now();
  began(shared, meter, request, { intendedAt: sentAt, sentAt });
  meter.again();
  shared.seconds.lost();
}

/** Takes back the count of a departed request that got no connection. */
export function takenBack(shared: EngineContext, meter: Meter, { operation, key }: Prepared): void {
  meter.takenBack(operation, key);
  shared.seconds.takenBack();
}

/**
 * Returns whether this machine stood still while a request was under way: a connection that ended meanwhile
 * says nothing about the server.
 */
export const stoodStill = ({ stalls }: Pick<EngineContext, 'stalls'>, at: Departure): boolean =>
  stalls.stoodUntil(now()) > at.stoodMs;

/**
 * Judges and counts a response or its final absence. Requests that an interruption ended count as neither.
 * Returns the end of a step of a journey; null for any other request.
 *
 * @param traceparent returns the request's; few responses need it
 */
export function settled(
  shared: EngineContext,
  meter: Meter,
  request: Prepared,
  at: Departure,
  received: RawAnswer,
  traceparent: (request: Prepared) => string,
): StepEnd | null {
  if (received.kind === 'none' && shared.signal.aborted) return null;
  if (received.kind === 'none' && isOwnLimit(received)) {
    meter.exhausted(received.cause ?? received.code);
    shared.seconds.exhausted();
    return null;
  }
  if (received.kind === 'none' && stoodStill(shared, at)) {
    meter.dropped('late');
    shared.seconds.exhausted();
    return null;
  }
  const answeredAt = now();
  const { intendedAt, sentAt, stalledMs, isBeyond } = at;
  const heldUpMs = shared.stalls.heldUpUntil(answeredAt);
  // Copies with `...` cost a tenth of a request here.
  const moment = { sentAt, answeredAt, isBeyond, traceparent };
  const { outcome, violates, isShort, reveals, isUndecided } = shared.judge.judge(request, moment, received);
  if (isUndecided) shared.sharedKeys?.undecided(request.key, request.operation, meter.phase);
  const answer = {
    operation: request.operation,
    status: received.kind === 'none' ? 0 : received.status,
    outcome,
    violates,
    isShort,
    reveals,
    latencyMs: answeredAt - intendedAt,
    serviceMs: answeredAt - sentAt,
    cause: received.kind === 'none' ? received.message : undefined,
    leastMs: Math.max(0, answeredAt - sentAt - (heldUpMs - stalledMs)),
  };
  if (received.kind === 'none') meter.silence.failed(sentAt, received.message);
  else meter.silence.answered(answeredAt, shared.stalls);
  meter.answered(answer);
  if (outcome === 'served') shared.throughput.served(meter, request.operation, answeredAt);
  shared.seconds.answered(answer);
  const { phase } = meter;
  const { key } = request;
  const { operation, status } = answer;
  const times = { intendedAt, sentAt, answeredAt };
  shared.onFinished?.({
    ...times,
    operation,
    status,
    outcome,
    violates,
    phase,
    key,
    trace: traceIdOf(traceparent(request)),
  });
  return request.onEnd
    ? {
        outcome,
        response: received.kind === 'none' ? null : received,
        latencyMs: answer.latencyMs,
        answeredAt,
      }
    : null;
}
