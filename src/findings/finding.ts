import { planNames, type KeyName } from '../contract/names.js';
import type { RequirementId } from '../contract/types.js';

/** Reason why something was not fully judged: a stable code for programs, a sentence for people. */
export interface Reason {
  readonly code: ReasonCode;
  readonly text: string;
}

/** Shortest sequence of requests found that shows a violation. */
export interface Story {
  /** `SEED:PATH`, which replays it; the seed only where it needs no story. */
  readonly replay: string;
  /** One line per request with its response; repeated equal lines are one line with a count. */
  readonly steps: readonly string[];
  /** The steps as ids of exchanges. */
  readonly exchanges: readonly string[];
  /** Times seen, out of times tried. */
  readonly seen: number;
  readonly of: number;
}

/** Measured values of a violation that no single exchange shows. Likely causes depend on them, not on the message. */
export interface Measured {
  /** Amount due or permitted, and the amount found. */
  readonly most?: number;
  readonly got?: number;
  /** Time due and time taken, ms. */
  readonly dueMs?: number;
  readonly tookMs?: number;
  readonly status?: number;
  /** Names of what is wrong: operations, headers, kinds of fault. */
  readonly what?: readonly string[];
}

/**
 * One judgement on one requirement. `kept`: the statement held in these exchanges. `violated`: it did not; level decides
 * whether that fails or warns. `untried`: a part was left out. `fault`: the kit itself failed.
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
      readonly measured?: Measured;
      /** Plan whose key shows it under load. */
      readonly plan?: KeyName;
      /** Warns at any level: a 5xx where the interface is silent, or an unstable operation. */
      readonly warns?: true;
      readonly exchanges: readonly string[];
      /** Shortest story that shows the violation, found by exploring. */
      readonly story?: Story;
    }
  | {
      readonly kind: 'observed';
      readonly requirement: RequirementId;
      /** Subject of the observation, where a row has several. */
      readonly subject?: string;
      readonly value: string;
      readonly exchanges: readonly string[];
    }
  | {
      readonly kind: 'inconclusive';
      readonly requirement: RequirementId;
      readonly reason: Reason;
      /** Requirement that blocks this one. */
      readonly by?: RequirementId;
      readonly exchanges: readonly string[];
    }
  | { readonly kind: 'not-applicable'; readonly requirement: RequirementId; readonly reason: Reason }
  | {
      /** A part of the row that was left out; decides nothing. */
      readonly kind: 'untried';
      readonly requirement: RequirementId;
      /** Untested part and reason, worded to follow “not tested:”. */
      readonly what: string;
    }
  | { readonly kind: 'fault'; readonly requirement: RequirementId; readonly message: string };

/** A finding without its requirement, as checks return it. */
export type Judgement = WithoutRequirement<Finding>;

/** Adds the requirement to a judgement. */
export const about = (requirement: RequirementId, judgement: Judgement): Finding => ({ ...judgement, requirement });

/** What a check says of one row: a judgement, several, or nothing. */
export type Judged = Judgement | null | readonly Judged[];

/** Returns all judgements of what was judged. */
export const judgementsOf = (judged: Judged): readonly Judgement[] => {
  if (judged === null) return [];
  return 'kind' in judged ? [judged] : judged.flatMap(judgementsOf);
};

/** Adds the requirement to all that was judged of it. */
export const allAbout = (requirement: RequirementId, judged: Judged): readonly Finding[] =>
  judgementsOf(judged).map((judgement) => about(requirement, judgement));

/** Returns whether the statement was violated. */
export const isViolated = ({ kind }: Judgement): boolean => kind === 'violated';

type WithoutRequirement<T> = T extends unknown ? Omit<T, 'requirement'> : never;

/** Returns the judgement of a statement that held in these exchanges. */
export const kept = (exchanges: readonly { readonly id: string }[], message?: string): Judgement => ({
  kind: 'kept',
  exchanges: ids(exchanges),
  ...(message !== undefined && { message }),
});

/** Returns the judgement of a violated statement: what happened, expected, actual. */
export const violated = (
  exchanges: readonly { readonly id: string }[],
  message: string,
  detail: {
    readonly expected?: string;
    readonly actual?: string;
    readonly measured?: Measured;
    readonly plan?: KeyName;
  } = {},
): Judgement => ({ kind: 'violated', message, ...detail, exchanges: ids(exchanges) });

/** Returns an observation, which cannot be wrong. */
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

/** Returns an inconclusive judgement in scope: another run may decide. */
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
 * Returns an inconclusive judgement, because something it depends on is broken.
 * @param by the row that reports the broken thing; null where none does
 */
export const blocked = (
  by: RequirementId | null,
  what: string,
  exchanges: readonly { readonly id: string }[] = [],
): Judgement => ({
  kind: 'inconclusive',
  reason: { code: 'prerequisite', text: by === null ? `blocked: ${what}` : `blocked by ${by}: ${what}` },
  ...(by !== null && { by }),
  exchanges: ids(exchanges),
});

/** Returns what equal faults have in common: a message without its quoted request, its plan and its figures. */
export const essence = ({ message, plan }: { readonly message: string; readonly plan?: KeyName }): string =>
  (plan === undefined ? message : message.replace(PLANS, '')).replace(/“[^”]*”/g, '“”').replace(/\d[\d.,]*/g, '#');

const PLANS = new RegExp(`\\b(?:${planNames.join('|')})\\b`, 'gi');

/** Returns the judgement of a row out of scope, or undecidable with this target or selection. */
export const outOfScope = (code: ReasonCode, text: string): Judgement => ({
  kind: 'not-applicable',
  reason: { code, text },
});

/** Returns an untested part of the row, which a passed row also reports. */
export const untried = (what: string): Judgement => ({ kind: 'untried', what });

const ids = (exchanges: readonly { readonly id: string }[]): string[] => [...new Set(exchanges.map(({ id }) => id))];

/** Reasons why something was not fully judged. The codes are stable: programs read them from results.json. */
export type ReasonCode =
  | 'not-selected'
  | 'no-key'
  | 'writes-off'
  | 'opt-in'
  | 'production'
  | 'keys-shared'
  | 'removal-date'
  | 'store-too-large'
  | 'store-too-small'
  | 'thrift'
  | 'untestable'
  | 'not-observed'
  | 'prerequisite'
  | 'too-little-data'
  | 'machine-busy'
  | 'rate-limited'
  | 'transport'
  | 'unavailable'
  | 'headers-missing'
  | 'clock-unknown'
  | 'refused-legally'
  | 'interrupted'
  | 'not-started'
  | 'nothing-judged'
  | 'not-retried'
  | 'own-suite';

/** Returns the text of a thrown value, with its stack where present, for the log and for maintainers. Pure. */
export const faultText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Returns the first line of a fault's text, the only part shown by default. Pure. */
export const faultHeadline = (text: string): string => (text.split('\n', 1)[0] ?? '').trim();

/** Returns the reason for a run's end by a kit fault. Pure. */
export const faultReason = (text: string): string => `a kit fault: ${faultHeadline(text)}`;
