import type { PlanName } from '../contract/types.js';
import { flaws, rareFlaws, variants, type Flaw, type Half, type Variant } from '../reference/index.js';
import type { Subject } from './matrix.js';

/** How a server is started and judged. */
export interface Setting {
  readonly needs: Half;
  /** Load goes over real sockets, in real time. */
  readonly isReal?: boolean;
  /** Where exploring starts, where it is not the usual seed. */
  readonly seed?: number;
  readonly start: {
    readonly flaws?: readonly string[];
    readonly variants?: readonly string[];
    readonly animals?: number;
  };
  /** ISO date. */
  readonly asOf?: string;
  /** The key that the suites use, where it is not the usual one. */
  readonly suiteKey?: PlanName;
  /** Of the server's minute, seconds. */
  readonly minuteSeconds: number;
  /** The plans whose load shows it. */
  readonly plans: readonly PlanName[];
  readonly includes: readonly ('ban' | 'day-quota')[];
  /** Figures of Enterprise, where it has others than the embedded server's. */
  readonly enterprise?: { readonly perMinute: number; readonly perDay: number };
}

/**
 * What load is put to in real time, over sockets and by autocannon: races and connections, and of each kind of limiter and of
 * each experiment one. All other limiters are judged in virtual time.
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

/** A subject and how to start and judge it. */
export interface Trial extends Setting {
  readonly subject: Subject;
}

/** Every server that the kit is put to the proof with. */
export const trials = (): readonly Trial[] =>
  [...flaws.map(ofFlaw), ...variants.map(ofVariant)].flatMap((trial, index) =>
    [...flaws, ...variants][index]?.inSuites ? [trial, inSuites(trial)] : [trial],
  );

/** Less than a page of the default size, and more than the largest page. */
const OTHER_STORES = [9, 130] as const;

/**
 * All flaws once more, for what they show elsewhere: those of the suites on other stores, but where the store is a part of
 * them, and those of load in the suites.
 */
export const trialsElsewhere = (): readonly (readonly Trial[])[] => [
  ...OTHER_STORES.map((animals) =>
    flaws.flatMap((flaw) => {
      const trial = ofFlaw(flaw);
      const isOfAnyStore = flaw.needs === 'suites' && flaw.options.animals === undefined;
      return isOfAnyStore ? [{ ...trial, start: { ...trial.start, animals } }] : [];
    }),
  ),
  flaws
    .filter(({ needs, inSuites: isTried }) => needs === 'load' && !isTried)
    .map((flaw): Trial => ({ ...ofFlaw(flaw), needs: 'suites', minuteSeconds: MINUTE_SECONDS.suites })),
];

/**
 * What exploring is put to the proof with: rare flaws that it must find, and every sound server of the suites, which it must
 * let pass.
 */
export const exploreTrials = (seed: number): readonly Trial[] =>
  [...rareFlaws.map(ofFlaw), ...variants.filter(({ needs }) => needs === 'suites').map(ofVariant)].map((trial) => ({
    ...trial,
    needs: 'explore',
    minuteSeconds: MINUTE_SECONDS.explore,
    seed,
  }));

/** A minute of its full length, and the smallest plan: of a greater one so much may come back meanwhile that nothing shows. */
const WHOLE_MINUTE_SECONDS = 60;

const inSuites = (trial: Trial): Trial => ({
  ...trial,
  subject: { ...trial.subject },
  needs: 'suites',
  suiteKey: 'free',
  minuteSeconds: WHOLE_MINUTE_SECONDS,
});

const ofFlaw = (flaw: Flaw): Trial => {
  const { name, title, turns, also } = flaw;
  return { subject: { kind: 'flaw', name, title, turns, also }, start: { flaws: [name] }, ...settingsOf(flaw) };
};

const ofVariant = (variant: Variant): Trial => {
  const { name, title, expect, warns, clouds } = variant;
  return {
    subject: { kind: 'variant', name, title, expect, warns, clouds },
    start: { variants: [name] },
    ...settingsOf(variant),
  };
};

/** Suites wait a window out now and then: 2 s are soon over. Load reads whole-second headers: 3 s leave them some meaning. */
const MINUTE_SECONDS = { suites: 2, load: 3, explore: 60 } as const;

/** The two smallest plans show what most limiters do, with the fewest requests. */
const PLANS: readonly PlanName[] = ['free', 'pro'];

/** How an entry of the registries is judged where nothing else is asked for. */
export const settingsOf = ({ name, needs, asOf, plans = PLANS, include, options }: Flaw | Variant) => ({
  needs,
  isReal: IN_REAL_TIME.has(name),
  plans,
  includes: include ? [include] : [],
  minuteSeconds: options.minuteSeconds ?? MINUTE_SECONDS[needs],
  ...(asOf !== undefined && { asOf }),
  ...(options.plans && { enterprise: options.plans.enterprise }),
});
