import type { Comparison as Compared } from '../../outcome/acceptance/compare.js';
import type { Requirement, RequirementId } from '../../base/interface/types.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { RunLog } from '../../log/run-log.js';
import type { Results } from '../../outcome/results/results.js';
import type { Verdict } from '../../judge/verdict.js';
import type { KnownFlaw } from '../causes/likely.js';

/** A server with one mistake, and whether the kit failed exactly the declared requirements. */
export interface ProvenFlaw extends KnownFlaw {
  readonly turns: readonly RequirementId[];
  readonly caught: boolean;
}

/** A conformant server different from the plain one, and whether the kit accepted it as declared. */
export interface ProvenVariant {
  readonly name: string;
  readonly title: string;
  readonly expect: Verdict;
  readonly held: boolean;
}

/** Result of the self-test of one version of the kit. */
export interface Proof {
  readonly kit: string;
  readonly flaws: readonly ProvenFlaw[];
  readonly variants: readonly ProvenVariant[];
  readonly at: string;
}

/** Comparison of this run with another one. */
export interface Comparison extends Pick<Compared, 'changes'>, Partial<Pick<Compared, 'remarks'>> {
  readonly against: Pick<Compared['against'], 'name' | 'startedAt' | 'standing'> & { readonly label?: string | null };
  /** Address of that run's page, relative to this one; absent where it has none. */
  readonly place?: string;
}

export interface PageInput {
  readonly results: Results;
  readonly log: RunLog;
  readonly rows: readonly Requirement[];
  readonly proof?: Proof | null;
  readonly comparison?: Comparison | null;
  /** Returns a command line that repeats an exchange, with the variable or file of the key. */
  readonly curlOf: (exchange: Exchange) => string;
}
