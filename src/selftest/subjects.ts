import type { PlanName } from '../contract/types.js';
import { flaws, variants } from '../reference/index.js';
import type { Flaw, Variant } from '../reference/index.js';
import type { Subject } from './matrix.js';

/** A subject and how to start and judge it. */
export interface Trial {
  readonly subject: Subject;
  readonly needs: 'suites' | 'load';
  readonly start: { readonly flaws?: readonly string[]; readonly variants?: readonly string[] };
  /** ISO date. */
  readonly asOf?: string;
  /** Of the server's minute, seconds. */
  readonly minuteSeconds: number;
  /** The plans whose load shows it. */
  readonly plans: readonly PlanName[];
  readonly includes: readonly ('ban' | 'day-quota')[];
  /** Figures of Enterprise, where it has others than the embedded server's. */
  readonly enterprise?: { readonly perMinute: number; readonly perDay: number };
}

/** Every server that the kit is put to the proof with. */
export const trials = (): readonly Trial[] => [...flaws.map(ofFlaw), ...variants.map(ofVariant)];

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
const MINUTE_SECONDS = { suites: 2, load: 3 } as const;

/** The two smallest plans show what most limiters do, with the fewest requests. */
const PLANS: readonly PlanName[] = ['free', 'pro'];

const settingsOf = ({ needs, asOf, plans = PLANS, include, options }: Flaw | Variant) => ({
  needs,
  plans,
  includes: include ? [include] : [],
  minuteSeconds: options.minuteSeconds ?? MINUTE_SECONDS[needs],
  ...(asOf !== undefined && { asOf }),
  ...(options.plans && { enterprise: options.plans.enterprise }),
});
