import { randomInt } from 'node:crypto';
import type { Plan, PlanName } from '../base/interface/types.js';
import { type KeyName, keyNames } from '../base/interface/names.js';

export type Figures = Pick<Plan, 'perMinute' | 'perDay'>;

export interface ReferenceOptions {
  /** 0 for a free port. */
  readonly port: number;
  readonly host: string;
  /** Lengths of a plan's minute and day windows, seconds. */
  readonly minuteSeconds: number;
  readonly daySeconds: number;
  readonly animals: number;
  readonly keys: Partial<Record<KeyName, string>>;
  readonly plans: Partial<Record<PlanName, Figures>>;
  /** Refusals of a key without a served request between them until a ban. */
  readonly banAfter: number;
  /** Length of a ban, seconds; two minute windows by default. */
  readonly banSeconds: number;
  /** The server's clock, Unix ms. */
  readonly now: () => number;
}

/** Part 8, "Request rate, by plan"; Enterprise is custom, with figures of this server. */
export const PLANS: Readonly<Record<PlanName, Figures>> = {
  free: { perMinute: 60, perDay: 1_000 },
  pro: { perMinute: 300, perDay: 10_000 },
  business: { perMinute: 1_000, perDay: 100_000 },
  enterprise: { perMinute: 2_400, perDay: 500_000 },
};

export interface Settings extends Omit<ReferenceOptions, 'keys' | 'plans'> {
  readonly keys: Readonly<Record<KeyName, string>>;
  readonly plans: Readonly<Record<PlanName, Figures>>;
}

export function settle(options: Partial<ReferenceOptions> = {}): Settings {
  const minuteSeconds = options.minuteSeconds ?? 60;
  return {
    port: options.port ?? 0,
    host: options.host ?? '127.0.0.1',
    minuteSeconds,
    daySeconds: options.daySeconds ?? 86_400,
    animals: options.animals ?? 48,
    keys: Object.fromEntries(
      keyNames.map((name) => [name, options.keys?.[name] ?? newKey()]),
    ) as Settings['keys'],
    plans: { ...PLANS, ...options.plans },
    // Two connections per core and their retries stay below it; a client that ignores refusals does not.
    banAfter: options.banAfter ?? 30,
    banSeconds: options.banSeconds ?? 2 * minuteSeconds,
    now: options.now ?? Date.now,
  };
}

export const planOf = (name: KeyName): PlanName => (name === 'sacrificial' ? 'free' : name);

const LETTERS = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Returns a random key with letters in both cases, to detect a server that ignores case. */
function newKey(): string {
  const random = Array.from({ length: 40 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `pk${random}Z`;
}
