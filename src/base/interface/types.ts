import type { RequirementId } from './requirement-ids.js';
import type {
  Part,
  ClientScenario,
  levels,
  OperationName,
  PetStatus,
  PlanName,
  ProfileName,
} from './names.js';

export type { OperationName, PlanName, RequirementId };

/** Binding force of a statement: see the header of `config/interface/requirements.yaml`. */
export type Level = (typeof levels)[number];

/** Judge of a requirement: exactly one of these, or none, with the reason. */
export type JudgedBy =
  | { readonly kind: 'suite'; readonly suite: string }
  /**
   * `answers`: responses that show it, as `getPet 404`; none if the response does not suffice without its
   * request.
   */
  | { readonly kind: 'passive'; readonly answers: readonly string[] }
  /** `traffic`: the suites' requests show it too, in part. */
  | { readonly kind: 'load'; readonly profiles: readonly ProfileName[]; readonly traffic?: true }
  | { readonly kind: 'compare' }
  /** Binds clients: the record of a client's traffic, in these scenarios or elsewhere. */
  | { readonly kind: 'client'; readonly scenarios: readonly ClientScenario[] }
  | { readonly kind: 'nobody'; readonly reason: string };

export interface Requirement {
  readonly id: RequirementId;
  readonly level: Level;
  /** Level from the removal of the deprecated operation on; absent where it stays. */
  readonly levelFromRemoval?: Level;
  readonly part: Part;
  /** Place in the interface document, e.g. "Endpoints, List all animals". */
  readonly place: string;
  /** The statement, a sentence in the kit's words. */
  readonly statement: string;
  /** Method of judging, in prose: probes and controls. */
  readonly how: string;
  /**
   * Version of the kit that added the row, or judges it more strictly since then; absent for rows of own
   * suites.
   */
  readonly since?: string;
  readonly operations: readonly OperationName[];
  readonly judgedBy: JudgedBy;
}

/** Limits of a plan: requests per minute and per day. */
export interface Plan {
  readonly name: PlanName;
  readonly perMinute: number;
  readonly perDay: number;
}

/** An animal to add (part 2, NewPet); the category's digits are text, because a double may lose some. */
export interface NewPet {
  readonly name: string;
  readonly categoryId: string;
  readonly status?: PetStatus;
}
