import type { PlanName } from '../../base/interface/types.js';
import { flaws, rareFlaws, variants, type Flaw, type Half, type Variant } from '../index.js';
import type { Subject } from './matrix.js';

export interface Setting {
  readonly needs: Half;
  /** True for load over real sockets, in real time. */
  readonly isReal?: boolean;
  /** Seed of exploring, if not the usual one. */
  readonly seed?: number;
  readonly start: {
    readonly flaws?: readonly string[];
    readonly variants?: readonly string[];
    readonly animals?: number;
  };
  /** ISO date. */
  readonly asOf?: string;
  /** Key of the suites, if not the usual one. */
  readonly suiteKey?: PlanName;
  readonly minuteSeconds: number;
  /** Extra time of each way between client and server in virtual time, ms. */
  readonly latencyMs?: number;
  /** Plans whose load shows it. */
  readonly plans: readonly PlanName[];
  readonly includes: readonly ('ban' | 'day-quota')[];
  /** Enterprise figures, if they differ from the embedded server's. */
  readonly enterprise?: { readonly perMinute: number; readonly perDay: number };
}

/**
 * Subjects for load in real time, over sockets and by autocannon: races, connections, and one of each kind of
 * limiter and experiment. All other limiters run in virtual time.
 */
const IN_REAL_TIME: ReadonlySet<string> = new Set([
  'limit-one-over',
  'window-of-a-half',
  'checks-before-it-counts',
  'limit-per-connection',
  'one-of-two-without-limit-and-headers',
  'retry-after-rounded-down',
  'banned-for-ever',
  'sliding-log',
  'load-slow-token-bucket',
  'load-slow-and-jittery',
]);

export interface Trial extends Setting {
  readonly subject: Subject;
}

export const trials = (): readonly Trial[] =>
  [...flaws, ...variants].flatMap((server) => {
    const trial = trialOf(server);
    return server.inSuites ? [trial, inSuites(trial)] : [trial];
  });

/**
 * Returns the trials of exploring: rare flaws that it must find, and the suites' correct servers, which must
 * pass.
 */
export const exploreTrials = (seed: number): readonly Trial[] =>
  [...rareFlaws, ...variants.filter(({ needs }) => needs === 'suites')].map((server) => ({
    ...trialOf(server),
    needs: 'explore',
    minuteSeconds: MINUTE_SECONDS.explore,
    seed,
  }));

/** A full minute with the smallest plan: a larger plan refills so fast that nothing shows. */
const WHOLE_MINUTE_SECONDS = 60;

const inSuites = (trial: Trial): Trial => ({
  ...trial,
  needs: 'suites',
  suiteKey: 'free',
  minuteSeconds: WHOLE_MINUTE_SECONDS,
});

const trialOf = (server: Flaw | Variant): Trial => ({ ...subjectOf(server), ...settingsOf(server) });

function subjectOf(server: Flaw | Variant): Pick<Trial, 'subject' | 'start'> {
  const { name, title } = server;
  if (!('turns' in server)) {
    const { expect, warns, clouds } = server;
    return { subject: { kind: 'variant', name, title, expect, warns, clouds }, start: { variants: [name] } };
  }
  const { turns, families, also } = server;
  return { subject: { kind: 'flaw', name, title, turns, families, also }, start: { flaws: [name] } };
}

/**
 * Minutes in seconds. Suites sometimes wait for a window, so it is short. Load reads headers in whole
 * seconds.
 */
const MINUTE_SECONDS = { suites: 2, load: 3, explore: 60 } as const;

/** The two smallest plans show most limiters with the fewest requests. */
const PLANS: readonly PlanName[] = ['free', 'pro'];

export const settingsOf = ({ name, needs, asOf, plans = PLANS, include, options }: Flaw | Variant) => ({
  needs,
  isReal: IN_REAL_TIME.has(name),
  plans,
  includes: include ? [include] : [],
  minuteSeconds: options.minuteSeconds ?? MINUTE_SECONDS[needs],
  ...(asOf !== undefined && { asOf }),
  ...(options.plans && { enterprise: options.plans.enterprise }),
});
