import type { PlanFigures, Plans } from '../contract/plans.js';
import type { Plan, PlanName } from '../contract/types.js';
import type { Secret } from './secret.js';
import type { KeyPlaces } from './keys.js';

/** The server that a run judges, and what is known about it beforehand. */
export interface Target {
  readonly name: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** At least one; a plan without a key is not tested. No two are equal. */
  readonly keys: Readonly<Partial<Record<PlanName, Secret>>>;
  /** The variables of the environment that single keys came from; a key given in clear has none. */
  readonly keyVariables?: Readonly<Partial<Record<PlanName, string>>>;
  /** Where a shell finds the keys again; a server that the kit starts has keys that nobody keeps. */
  readonly keyPlaces?: KeyPlaces;
  /** What is doubtful about where the keys were read from; sentences without an end. */
  readonly warnings?: readonly string[];
  /** The key that the ban profile may get banned, and its plan. */
  readonly sacrificial?: { readonly key: Secret; readonly plan: PlanName };
  /** The plan whose key the suites use; it has one. */
  readonly suiteKey: PlanName;
  /** The figures by plan; Enterprise's are there whenever a key of that plan is. */
  readonly plans: Omit<Plans, 'enterprise'> & { readonly enterprise?: PlanFigures };
  /** How long the limits' windows are, in seconds. */
  readonly windows: { readonly minute: number; readonly day: number };
  readonly production: boolean;
  /** Whether animals may be created. */
  readonly writes: boolean;
  /** Whether nobody else uses the keys during the run. */
  readonly exclusive: boolean;
  readonly ban: {
    /** The longest ban that the operator promises, in seconds. */
    readonly maxSeconds?: number;
    /** How many requests may follow the first 429. */
    readonly maxRequests: number;
    readonly perSecond: number;
  };
  readonly http: {
    /** For one request in all, in milliseconds. */
    readonly timeoutMs: number;
    /** Of a body after decoding. */
    readonly maxBodyBytes: number;
    /** The certificate authority to trust, as PEM text. */
    readonly ca?: string;
  };
}

/** A plan with the figures that hold for this target. Throws RangeError for Enterprise without figures. */
export function planOf(target: Target, name: PlanName): Plan {
  const figures = target.plans[name];
  if (!figures) throw new RangeError(`The target ${target.name} gives no figures for the plan ${name}.`);
  return { name, ...figures };
}
