/** The interface's own vocabulary as types: requirements, operations, plans. */

import type { RequirementId } from './requirement-ids.js';
import type { OperationName, PlanName, ProfileName } from './names.js';

export type { OperationName, PlanName, RequirementId };

/** How strictly a statement binds: see the header of `config/interface/requirements.yaml`. */
export type Level = 'must' | 'should' | 'may' | 'open';

/** The parts of the interface document, 1 (what the service does) to 9 (versioning). */
export type Part = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Judge of a requirement: exactly one of these, or none, with the reason. */
export type JudgedBy =
  | { readonly kind: 'suite'; readonly suite: string }
  /** `answers`: those that show it, as `getPet 404`; none where each would have to be told apart by what asked for it. */
  | { readonly kind: 'passive'; readonly answers: readonly string[] }
  /** `traffic`: what the suites send shows it as well, as far as it goes. */
  | { readonly kind: 'load'; readonly profiles: readonly ProfileName[]; readonly traffic?: true }
  | { readonly kind: 'compare' }
  | { readonly kind: 'nobody'; readonly reason: string };

/** One row of the ledger. */
export interface Requirement {
  readonly id: RequirementId;
  readonly level: Level;
  readonly part: Part;
  /** Place in the interface document, e.g. "Endpoints, List all animals". */
  readonly place: string;
  /** The statement, a sentence in our own words. */
  readonly statement: string;
  /** How it is judged, in prose: probes and controls. */
  readonly how: string;
  readonly operations: readonly OperationName[];
  readonly judgedBy: JudgedBy;
}

/** A plan's allowance: requests per minute and per day. */
export interface Plan {
  readonly name: PlanName;
  readonly perMinute: number;
  readonly perDay: number;
}

/** An animal to add (part 2, NewPet); the category's digits are text, because they may not fit a double. */
export interface NewPet {
  readonly name: string;
  readonly categoryId: string;
  readonly status?: 'available' | 'pending' | 'sold';
}
