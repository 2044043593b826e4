import type { ReasonCode } from './reason-codes.js';
import type { RequirementId } from '../contract/types.js';

/** Why something was not judged, or not to the end: a stable code for programs, a sentence for people. */
export interface Reason {
  readonly code: ReasonCode;
  readonly text: string;
}

/** The requests that show a violation which exploring found, the fewest and plainest that were met. */
export interface Story {
  /** `SEED:PATH`, which performs it again; the seed alone where it took no story. */
  readonly replay: string;
  /** Each request with its answer, a line each; one that follows itself with the same answer once, with how often. */
  readonly steps: readonly string[];
  /** The same as ids of exchanges. */
  readonly exchanges: readonly string[];
  /** How often it was seen, of so many times. */
  readonly seen: number;
  readonly of: number;
}

/**
 * What one judgement says about one requirement. `kept`: the statement held in these exchanges. `violated`: it did
 * not; level decides whether that fails or warns. `untried`: a part of it was left out. `fault`: the kit itself went wrong.
 */
export type Finding =
  | {
      readonly kind: 'kept';
      readonly requirement: RequirementId;
      readonly message?: string;
      readonly exchanges: readonly string[];
    }
  | {
      readonly kind: 'violated';
      readonly requirement: RequirementId;
      /** A sentence with the target as its subject. */
      readonly message: string;
      readonly expected?: string;
      readonly actual?: string;
      /** A violation that only warns, whatever the row's level: a 5xx where the interface is silent, an unstable operation. */
      readonly warns?: true;
      readonly exchanges: readonly string[];
      /** Found by exploring: the shortest story that shows it. */
      readonly story?: Story;
    }
  | {
      readonly kind: 'observed';
      readonly requirement: RequirementId;
      /** What was sent or asked, when one row observes several things. */
      readonly subject?: string;
      readonly value: string;
      readonly exchanges: readonly string[];
    }
  | {
      readonly kind: 'inconclusive';
      readonly requirement: RequirementId;
      readonly reason: Reason;
      readonly exchanges: readonly string[];
    }
  | { readonly kind: 'not-applicable'; readonly requirement: RequirementId; readonly reason: Reason }
  | {
      /** A part of what the row names that was left out; by itself it decides nothing. */
      readonly kind: 'untried';
      readonly requirement: RequirementId;
      /** What was not tested, and why, as it reads after “not tested:”. */
      readonly what: string;
    }
  | { readonly kind: 'fault'; readonly requirement: RequirementId; readonly message: string };

/** A finding before it is known which requirement it is about: what a check gives. */
export type Judgement = WithoutRequirement<Finding>;

/** A judgement with the requirement that it is about. */
export const about = (requirement: RequirementId, judgement: Judgement): Finding => ({ ...judgement, requirement });

/** The statement was broken. */
export const isViolated = (finding: Finding): boolean => finding.kind === 'violated';

type WithoutRequirement<T> = T extends unknown ? Omit<T, 'requirement'> : never;

/** The statement held in these exchanges. */
export const kept = (exchanges: readonly { readonly id: string }[], message?: string): Judgement => ({
  kind: 'kept',
  exchanges: ids(exchanges),
  ...(message !== undefined && { message }),
});

/** The statement was broken: what happened, what was expected, what came. */
export const violated = (
  exchanges: readonly { readonly id: string }[],
  message: string,
  detail: { readonly expected?: string; readonly actual?: string } = {},
): Judgement => ({ kind: 'violated', message, ...detail, exchanges: ids(exchanges) });

/** Something worth recording that cannot be wrong. */
export const observed = (
  exchanges: readonly { readonly id: string }[],
  value: string,
  subject?: string,
): Judgement => ({
  kind: 'observed',
  value,
  exchanges: ids(exchanges),
  ...(subject !== undefined && { subject }),
});

/** In scope and inconclusive: another run might tell. */
export const unestablished = (
  code: ReasonCode,
  text: string,
  exchanges: readonly { readonly id: string }[] = [],
): Judgement => ({
  kind: 'inconclusive',
  reason: { code, text },
  exchanges: ids(exchanges),
});

/**
 * Why a row cannot be judged that rests on what is broken, as `heldUpBy` reads it.
 * @param row that is charged with what is broken; null where none is
 */
export const blockedBy = (row: RequirementId | null, what: string): string =>
  row === null ? `blocked: ${what}` : `blocked by ${row}: ${what}`;

/** Inconclusive, because what it rests on is broken. */
export const blocked = (
  row: RequirementId | null,
  what: string,
  exchanges: readonly { readonly id: string }[] = [],
): Judgement => unestablished('prerequisite', blockedBy(row, what), exchanges);

/** Out of scope, or never to be established with this target or this selection. */
export const outOfScope = (code: ReasonCode, text: string): Judgement => ({
  kind: 'not-applicable',
  reason: { code, text },
});

/** A part of what the row names was not tested: where the row passes, it says so. */
export const untried = (what: string): Judgement => ({ kind: 'untried', what });

const ids = (exchanges: readonly { readonly id: string }[]): string[] => [...new Set(exchanges.map(({ id }) => id))];
