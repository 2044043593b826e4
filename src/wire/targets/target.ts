import type { KeyName } from '../../base/interface/names.js';
import type { PlanFigures, Plans } from '../../base/interface/plans.js';
import type { Plan, PlanName } from '../../base/interface/types.js';
import type { Secret } from './secret.js';
import type { Subject } from './subject.js';

export interface Target {
  readonly name: string;
  /** Without a final slash. */
  readonly baseUrl: string;
  /** At least one; a plan without a key is not tested. All are different. */
  readonly keys: Readonly<Partial<Record<PlanName, Secret>>>;
  /** Environment variables of single keys; a key given in clear has none. */
  readonly keyVariables?: Readonly<Partial<Record<PlanName, string>>>;
  /** Places where a shell finds the keys; absent for a server that the kit starts. */
  readonly keyPlaces?: KeyPlaces;
  /** Warnings about the sources of keys; sentences without a full stop. */
  readonly warnings?: readonly string[];
  readonly sacrificial?: { readonly key: Secret; readonly plan: PlanName };
  readonly suiteKey: PlanName;
  /** Figures by plan; Enterprise's are present if it has a key. */
  readonly plans: Omit<Plans, 'enterprise'> & { readonly enterprise?: PlanFigures };
  /** Lengths of the limits' windows, seconds. */
  readonly windows: { readonly minute: number; readonly day: number };
  readonly production: boolean;
  /** True if the run may create animals. */
  readonly writes: boolean;
  readonly exclusive: boolean;
  /** Artefacts that the operator says run at this address; absent where none is named. */
  readonly subject?: readonly Subject[];
  readonly ban: {
    /** Longest ban that the operator promises, seconds. */
    readonly maxSeconds?: number;
    /** Most requests after the first 429. */
    readonly maxRequests: number;
    readonly perSecond: number;
  };
  readonly http: {
    /** From sending to the last byte of the body, ms. */
    readonly timeoutMs: number;
    /** Limit of a body, before and after decoding. */
    readonly maxBodyBytes: number;
    /** Certificate authority to trust instead of the well-known ones, PEM. */
    readonly ca?: string;
    /**
     * Address that the host resolved to at the start of the run, for all its processes; absent for a host
     * that is an address.
     */
    readonly address?: string;
  };
}

/** Throws RangeError for Enterprise without figures. */
export function planOf(target: Target, name: PlanName): Plan {
  const figures = target.plans[name];
  if (!figures) throw new RangeError(`The target ${target.name} has no limits for the plan ${name}.`);
  return { name, ...figures };
}

/** Places by key; a key given in clear that no variable contains has none. */
export type KeyPlaces = Readonly<Partial<Record<KeyName, KeyPlace>>>;

/** Source of a key for a shell: an environment variable, or a file path relative to the run's folder. */
export type KeyPlace = { readonly variable: string } | { readonly file: string };
