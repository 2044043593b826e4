import type { KeyName } from '../contract/plan-names.js';
import type { Context } from './behaviour.js';
import type { RateLimiter } from './rate-limiter.js';
import { withHeader, type Answer } from './messages.js';

/** From one request to its answer, rate headers included. Who it is comes before whether there is allowance left. */
export async function handle(context: Context, limiter: RateLimiter): Promise<Answer> {
  const { behaviour, caller } = context;
  const early = behaviour.early(context);
  if (caller.kind === 'unknown') {
    const answer = early ?? behaviour.unauthorized(context);
    return finished(context, answer, behaviour.rateHeaders(limiter.anonymousFigures(context), context));
  }
  const answer = early ?? (await limited(context, limiter, caller.key));
  return finished(context, answer, behaviour.rateHeaders(limiter.figures(context, caller.key), context));
}

async function limited(context: Context, limiter: RateLimiter, key: KeyName): Promise<Answer> {
  const { behaviour } = context;
  const admission = limiter.ask(context, key);
  if (admission.kind !== 'admitted') {
    const retryAfter = behaviour.retryAfter(admission.kind === 'banned' ? admission.until : admission.retryAt, context);
    const answer = behaviour.refuse(context, admission);
    return retryAfter === null ? answer : withHeader(answer, 'Retry-After', retryAfter);
  }
  const work = behaviour.work(context);
  if (work !== null) await work;
  const answer = operate(context);
  limiter.count(context, key, answer);
  return answer;
}

function operate(context: Context): Answer {
  const { behaviour, route } = context;
  return route.kind === 'operation' ? behaviour.operations[route.operation](context) : behaviour.undeclared(context);
}

const finished = (context: Context, answer: Answer, rateHeaders: Answer['headers']): Answer =>
  context.behaviour.finish({ ...answer, headers: [...answer.headers, ...rateHeaders] }, context);
