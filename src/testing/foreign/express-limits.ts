import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit, type Options } from 'express-rate-limit';
import {
  ALLOWANCES,
  ANONYMOUS,
  type Allowance,
  type ForeignOptions,
  type ForeignPlan,
} from './foreign-server.js';

export interface ExpressLimits extends Required<Pick<ForeignOptions, 'minuteSeconds' | 'daySeconds'>> {
  /** Returns the valid key of a request, if it has one. */
  readonly keyOf: (request: Request) => string | undefined;
  readonly planOf: ReadonlyMap<string, ForeignPlan>;
  /** Answers a request that exceeds a limit. */
  readonly refuse: (response: Response) => void;
}

/** Counters that express-rate-limit leaves on a request under `requestPropertyName`. */
interface Used {
  readonly limit: number;
  readonly resetTime?: Date;
}

/**
 * Limits as in part 8, with express-rate-limit. Headers show the minute, except when the day refuses. A
 * request that the minute refuses does not count for the day.
 */
export function expressLimits({
  keyOf,
  planOf,
  refuse,
  minuteSeconds,
  daySeconds,
}: ExpressLimits): RequestHandler[] {
  const figure = (name: keyof Allowance) => (request: Request) => {
    const plan = planOf.get(keyOf(request) ?? '');
    return (plan ? ALLOWANCES[plan] : ANONYMOUS)[name];
  };
  const common: Partial<Options> = {
    standardHeaders: false,
    keyGenerator: (request) => keyOf(request) ?? `address ${ipKeyGenerator(request.ip ?? '')}`,
  };
  const minute = rateLimit({
    ...common,
    windowMs: minuteSeconds * 1000,
    limit: figure('perMinute'),
    legacyHeaders: true,
    handler: (_request, response) => refuse(response),
  });
  const day = rateLimit({
    ...common,
    windowMs: daySeconds * 1000,
    limit: figure('perDay'),
    legacyHeaders: false,
    requestPropertyName: 'day',
    handler: (request, response) => {
      const { limit, resetTime = new Date() } = (request as Request & { readonly day: Used }).day;
      response.set({
        'X-RateLimit-Limit': String(limit),
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': String(Math.ceil(resetTime.getTime() / 1000)),
        'Retry-After': String(Math.max(0, Math.ceil((resetTime.getTime() - Date.now()) / 1000))),
      });
      refuse(response);
    },
  });
  return [minute, day];
}
