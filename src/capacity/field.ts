import { now } from '../exchange/connection.js';
import type { HttpLimits } from '../exchange/connection.js';
import type { PlanName } from '../contract/types.js';
import type { AnswerJudge, JudgedKey, Received } from './judge-answers.js';
import type { Meter } from './meter.js';
import type { Prepared, RequestSource } from './requests.js';
import type { Turns } from './schedule.js';
import type { Seconds } from './seconds.js';

/** What the engines of a run share. */
export interface Field {
  readonly origin: string;
  readonly limits: HttpLimits;
  /** In the order of their turns. */
  readonly keys: ReadonlyMap<PlanName, JudgedKey>;
  readonly source: RequestSource;
  readonly turns: Turns;
  readonly judge: AnswerJudge;
  readonly seconds: Seconds;
  readonly signal: AbortSignal;
}

/** How sending went: all that was to be sent has been, and all of it has been answered. */
export interface Sending {
  readonly sent: Promise<void>;
  readonly answered: Promise<readonly string[]>;
}

/** A request leaves: it counts with its key, its phase and its second. */
export function began(field: Field, meter: Meter, { operation, key }: Prepared, sentAt: number, lateMs: number): void {
  field.keys.get(key)?.watch.sent(sentAt);
  meter.sent(operation, key);
  field.seconds.sent(lateMs);
}

/** A request is answered, or never will be: judged and counted. What an interruption broke off is neither. */
export function settled(
  field: Field,
  meter: Meter,
  request: Prepared,
  at: { readonly intendedAt: number; readonly sentAt: number },
  received: Received,
): void {
  if ('kind' in received && field.signal.aborted) return;
  const answeredAt = now();
  const { outcome, violates } = field.judge.judge(request, { sentAt: at.sentAt, answeredAt }, received);
  const answer = {
    operation: request.operation,
    status: 'kind' in received ? 0 : received.status,
    outcome,
    violates,
    latencyMs: answeredAt - at.intendedAt,
    serviceMs: answeredAt - at.sentAt,
  };
  meter.answered(answer);
  field.seconds.answered(answer);
}
