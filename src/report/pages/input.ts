import type { Requirement, RequirementId } from '../../contract/types.js';
import type { Exchange } from '../../exchange/types.js';
import type { RunLog } from '../../log/run-log.js';
import type { Results } from '../../verdict/results.js';
import type { Verdict } from '../../verdict/verdict.js';
import type { Shown } from '../causes/shown.js';
import type { Change } from '../../words/changes.js';

/** A server with one mistake that the kit was run against, and whether exactly the declared requirements turned red. */
export interface ProvenFlaw {
  readonly name: string;
  readonly title: string;
  readonly turns: readonly RequirementId[];
  readonly caught: boolean;
  /** What it showed, by which a run that shows the same is known; proofs of earlier kits lack it. */
  readonly shows?: Shown;
}

/** A conformant server that is different from the plain one, and whether the kit let it pass as declared. */
export interface ProvenVariant {
  readonly name: string;
  readonly title: string;
  /** The verdict that a sound kit reaches. */
  readonly expect: Verdict;
  readonly held: boolean;
}

/** What the self-test of one version of the kit showed. */
export interface Proof {
  /** The version of the kit that was put to the proof. */
  readonly kit: string;
  readonly flaws: readonly ProvenFlaw[];
  readonly variants: readonly ProvenVariant[];
  /** When the self-test ran, ISO. */
  readonly at: string;
}

/** This run held against another one. */
export interface Comparison {
  readonly against: { readonly name: string; readonly startedAt: string; readonly verdict: Verdict };
  readonly changes: readonly Change[];
  /** Why the two may differ without a change of the target, as sentences. */
  readonly remarks?: readonly string[];
}

/** Everything that the page is a function of. */
export interface PageInput {
  readonly results: Results;
  readonly log: RunLog;
  /** The ledger's rows, in the order of the interface. */
  readonly rows: readonly Requirement[];
  readonly proof?: Proof | null;
  readonly comparison?: Comparison | null;
  /** A command line that repeats an exchange, with the variable or file of the key in its place. */
  readonly curlOf: (exchange: Exchange) => string;
  /** Where the interface document can be read at the row's place: an http(s) or relative address, or null. */
  readonly interfaceLink?: (row: Requirement) => string | null;
}
