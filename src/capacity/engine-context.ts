import { now, type HttpLimits } from '../exchange/connection.js';
import type { PlanName } from '../contract/types.js';
import { traceIdOf } from '../exchange/headers.js';
import type { Reuse } from '../load/reuse.js';
import type { AnswerJudge, JudgedKey, Received } from './judge-answers.js';
import type { Meter, Sample, Seconds } from './meter.js';
import type { Prepared, RequestSource } from './requests.js';
import type { Turns } from '../scenario/schedule.js';
import type { StallWatch } from './health.js';

/** What the engines of a run share. */
export interface EngineContext {
  readonly origin: string;
  readonly limits: HttpLimits;
  /** In the order of their turns. */
  readonly keys: ReadonlyMap<PlanName, JudgedKey>;
  readonly source: RequestSource;
  readonly turns: Turns;
  readonly judge: AnswerJudge;
  readonly seconds: Seconds;
  readonly stalls: StallWatch;
  /** Told of every request that is over, but for its phase. */
  readonly onSample?: ((sample: Omit<Sample, 'phase'>) => void) | undefined;
  readonly reuse: Reuse;
  readonly signal: AbortSignal;
}

/** How sending went: all that was to be sent has been, and all of it has been answered. */
export interface Sending {
  readonly sent: Promise<void>;
  readonly answered: Promise<readonly string[]>;
}

/** How a request left. Unix ms. */
export interface Departure {
  /** When it was meant to. */
  readonly intendedAt: number;
  readonly sentAt: number;
  /** How long this process had been held up until then, ms. */
  readonly heldUpMs: number;
  /** The allowance of its key was used up already. */
  readonly isBeyond: boolean;
}

/** A departure, and the traceparent that its request carries. */
export interface Traced extends Departure {
  readonly traceparent: string;
}

/** A request leaves: it counts with its key, its phase and its second. */
export function began(
  shared: EngineContext,
  meter: Meter,
  { operation, key }: Prepared,
  at: Pick<Departure, 'intendedAt' | 'sentAt'>,
): Departure {
  const { intendedAt, sentAt } = at;
  const isBeyond = shared.keys.get(key)?.watch.sent(sentAt) ?? false;
  meter.sent(operation, key);
  shared.seconds.sent(sentAt - intendedAt);
  return { intendedAt, sentAt, heldUpMs: shared.stalls.heldUpUntil(sentAt), isBeyond };
}

/** What is remarked of a phase where each request had a connection of its own. */
export const CLOSES =
  'the server closes its connections without announcing it, so each request went over a connection of its own';

/** A request was lost with its connection and has been sent again: the second counts with its key as well. */
export function sentAgain(shared: EngineContext, meter: Meter, request: Prepared): void {
  const sentAt = now();
  began(shared, meter, request, { intendedAt: sentAt, sentAt });
  shared.seconds.lost();
  shared.reuse.died();
}

/** No connection was there to send a request over. What an interruption broke off is no error. */
export function unsent(shared: EngineContext, meter: Meter, { operation }: Prepared, cause: string): void {
  if (shared.signal.aborted) return;
  const nothing = { status: 0, outcome: 'error', violates: false, latencyMs: 0, serviceMs: 0, leastMs: 0 } as const;
  meter.answered({ operation, ...nothing, cause });
  shared.seconds.unsent({ operation, ...nothing });
}

/** A request is answered, or never will be: judged and counted. What an interruption broke off is neither. */
export function settled(shared: EngineContext, meter: Meter, request: Prepared, at: Traced, received: Received): void {
  if ('kind' in received && shared.signal.aborted) return;
  const answeredAt = now();
  const { outcome, violates } = shared.judge.judge(
    request,
    { sentAt: at.sentAt, answeredAt, isBeyond: at.isBeyond, traceparent: at.traceparent },
    received,
  );
  const answer = {
    operation: request.operation,
    status: 'kind' in received ? 0 : received.status,
    outcome,
    violates,
    latencyMs: answeredAt - at.intendedAt,
    serviceMs: answeredAt - at.sentAt,
    cause: 'kind' in received ? received.message : undefined,
    leastMs: Math.max(0, answeredAt - at.sentAt - (shared.stalls.heldUpUntil(answeredAt) - at.heldUpMs)),
  };
  meter.answered(answer);
  shared.seconds.answered(answer);
  const { intendedAt, sentAt, traceparent } = at;
  shared.onSample?.({ ...answer, key: request.key, intendedAt, sentAt, answeredAt, trace: traceIdOf(traceparent) });
}
