import type * as fc from 'fast-check';

/** The hunts that the command knows by name. */
export const HUNT_NAMES = ['stores', 'pairs', 'keys', 'explore'] as const;

/** One of the hunts. */
export type HuntName = (typeof HUNT_NAMES)[number];

/** How a case came out as it should: for the summary, which says how often the kit could not tell. */
export type Held =
  /** A flaw, charged to what it breaks. */
  | 'caught'
  /** A flaw in company, caught, with another row red besides. */
  | 'caught with more'
  /** A sound server, let pass. */
  | 'let pass'
  /** Inconclusive, not applicable, or passed in part and said so. */
  | 'left open'
  /** Two flaws that cancel out, or a flaw that a variant hides. */
  | 'hidden';

/** What became of one case. */
export type Judged =
  | { readonly kind: 'held'; readonly as: Held }
  /** What the kit got wrong, a sentence a breach. */
  | { readonly kind: 'found'; readonly what: readonly string[] };

/** As it should be. */
export const held = (as: Held): Judged => ({ kind: 'held', as });

/** Held as said where nothing was got wrong. */
export const foundOr = (what: readonly string[], as: Held): Judged =>
  what.length > 0 ? { kind: 'found', what } : held(as);

/** One kind of server to look for faults of the kit with. A case is plain data: JSON says it whole. */
export interface Hunt<Case> {
  readonly name: HuntName;
  /** Draws cases, and shrinks one that was found; `canShrinkWithoutContext` has to know a case from anything else. */
  readonly cases: fc.Arbitrary<Case>;
  /** All cases that there are, where they can be counted: each is judged once, in an order that hangs on the seed. */
  readonly deck?: readonly Case[];
  /** @param directory where a profile may keep its place */
  readonly judge: (subject: Case, directory: string) => Promise<Judged>;
  /** Cases judged at a time. */
  readonly sideBySide: number;
  /** What one case may take, ms: none is begun that could not be brought to its end. */
  readonly caseMs: number;
}

/** A case that the kit got wrong, as small as it could be made. */
export interface Find {
  readonly hunt: HuntName;
  /** JSON, as `--replay` takes it. */
  readonly subject: string;
  readonly what: readonly string[];
  /** The case as it was drawn, JSON; the same where nothing could be taken from it. */
  readonly drawn: string;
}

/** What a hunt says while it runs. */
export type Happening =
  | { readonly type: 'begun'; readonly hunt: HuntName }
  | { readonly type: 'judged'; readonly hunt: HuntName; readonly as: Held }
  | { readonly type: 'found'; readonly find: Find }
  /** The deck of a hunt was gone through. */
  | { readonly type: 'exhausted'; readonly hunt: HuntName };
