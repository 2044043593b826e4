import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { portOf } from '../loopback.js';

/**
 * Common parts of this folder's servers: start-up and the figures of part 8. They share no parts with the
 * embedded reference server, so that the kit is proven on more than its own server.
 */

/** Plans of part 8. Enterprise is custom; here it has the figures below. */
export type ForeignPlan = 'free' | 'pro' | 'business' | 'enterprise';

/** Requests per minute and per day. */
export interface Allowance {
  readonly perMinute: number;
  readonly perDay: number;
}

/** Part 8, "Request rate, by plan"; Enterprise as agreed with the operator of these servers. */
export const ALLOWANCES: Readonly<Record<ForeignPlan, Allowance>> = {
  free: { perMinute: 60, perDay: 1000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1000, perDay: 100_000 },
  enterprise: { perMinute: 2400, perDay: 500_000 },
};

/** Shared by clients without a valid key, by address: enough for a careless client, too little to guess keys. */
export const ANONYMOUS: Allowance = { perMinute: 600, perDay: 50_000 };

export interface ForeignOptions {
  /** Animals at the start. */
  readonly animals?: number;
  /** Length of the limiter's minute in seconds; a shorter one ends load profiles sooner. */
  readonly minuteSeconds?: number;
  /** Length of its day in seconds. */
  readonly daySeconds?: number;
}

/** A medium store, and windows as in the interface. */
export const DEFAULTS = { animals: 48, minuteSeconds: 60, daySeconds: 86_400 } as const;

/** One key per plan, and a second Free key that may get banned. */
export type ForeignKeys = Readonly<Record<ForeignPlan | 'sacrificial', string>>;

/** Server on a free port of the loopback interface. */
export interface ForeignServer {
  /** Ends with `/v1`. */
  readonly baseUrl: string;
  readonly keys: ForeignKeys;
  /** Stops the server and closes its connections. */
  readonly close: () => Promise<void>;
}

const issue = (plan: ForeignPlan): string => `${plan}_${randomBytes(18).toString('base64url')}`;

/** Creates random keys, each with its plan. */
export function issueKeys(): {
  readonly keys: ForeignKeys;
  readonly planOf: ReadonlyMap<string, ForeignPlan>;
} {
  const keys = {
    free: issue('free'),
    pro: issue('pro'),
    business: issue('business'),
    enterprise: issue('enterprise'),
    sacrificial: issue('free'),
  };
  const { sacrificial, ...ofPlans } = keys;
  const planOf = new Map(Object.entries(ofPlans).map(([plan, key]) => [key, plan as ForeignPlan]));
  return { keys, planOf: planOf.set(sacrificial, 'free') };
}

/** Listens on a free port of 127.0.0.1. */
export async function listen(server: Server): Promise<Pick<ForeignServer, 'baseUrl' | 'close'>> {
  const port = await portOf(server);
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close };
}
