import type * as fc from 'fast-check';

/** Hunts that the command knows by name. */
export const HUNT_NAMES = ['stores', 'pairs', 'keys', 'explore', 'second-clients'] as const;

export type HuntName = (typeof HUNT_NAMES)[number];

/** Ways in which a case is correct; the summary shows how often the kit could not decide. */
export type Held =
  /** A flaw, charged to what it breaks. */
  | 'caught'
  /** A flaw with another member: caught, and one more row is red. */
  | 'caught with more'
  /** A correct server that passed. */
  | 'let pass'
  /** Inconclusive, not applicable, or passed with an untested part named. */
  | 'left open'
  /** Two flaws that cancel out, or a flaw that a variant hides. */
  | 'hidden';

/** Result of one case. */
export type Judged =
  | { readonly kind: 'held'; readonly as: Held }
  /** Errors of the kit, one sentence each. */
  | { readonly kind: 'found'; readonly what: readonly string[] };

/** Returns the result of a correct case. */
export const held = (as: Held): Judged => ({ kind: 'held', as });

/** Returns the errors if there are any, else a correct case. */
export const foundOr = (what: readonly string[], as: Held): Judged =>
  what.length > 0 ? { kind: 'found', what } : held(as);

/** One kind of server in which to look for errors of the kit. A case is plain data, fully written as JSON. */
export interface Hunt<Case> {
  readonly name: HuntName;
  /** Draws cases, and shrinks a find; `canShrinkWithoutContext` must recognize a case among other values. */
  readonly cases: fc.Arbitrary<Case>;
  /** All possible cases, if they are countable: each is judged once, in an order that the seed decides. */
  readonly deck?: readonly Case[];
  readonly judge: (subject: Case) => Promise<Judged>;
  /** Cases judged in parallel. */
  readonly inParallel: number;
  /** Longest time of a case, ms: none begins that could not end in time. */
  readonly caseMs: number;
}

/** Case that the kit got wrong, shrunk as far as possible. */
export interface Find {
  readonly hunt: HuntName;
  /** JSON, as `--replay` takes it. */
  readonly subject: string;
  readonly what: readonly string[];
  /** The case as drawn, JSON; equal to `subject` if it could not be shrunk. */
  readonly drawn: string;
}

/** Messages of a hunt while it runs. */
export type Happening =
  | { readonly type: 'begun'; readonly hunt: HuntName }
  | { readonly type: 'judged'; readonly hunt: HuntName; readonly as: Held }
  | { readonly type: 'found'; readonly find: Find }
  /** The hunt has judged its whole deck. */
  | { readonly type: 'exhausted'; readonly hunt: HuntName };
