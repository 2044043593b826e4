import { planNames, type KeyName } from '../../base/interface/names.js';
import type { RequirementId } from '../../base/interface/types.js';
import type { Finding, ReasonCode } from './shape.js';

export type { Finding, Measured, Reason, ReasonCode, Story } from './shape.js';

export type Violation = Extract<Finding, { readonly kind: 'violated' }>;

/** A finding without its requirement, as checks return it. */
export type Judgement = WithoutRequirement<Finding>;

export const about = (requirement: RequirementId, judgement: Judgement): Finding => ({
  ...judgement,
  requirement,
});

export type Judged = Judgement | null | readonly Judged[];

export const judgementsOf = (judged: Judged): readonly Judgement[] => {
  if (judged === null) return [];
  return 'kind' in judged ? [judged] : judged.flatMap(judgementsOf);
};

export const allAbout = (requirement: RequirementId, judged: Judged): readonly Finding[] =>
  judgementsOf(judged).map((judgement) => about(requirement, judgement));

export const isViolated = ({ kind }: Judgement): boolean => kind === 'violated';

/** Is true for a violation that only warns, whatever the level of its row. */
export const isWarning = (finding: Finding): boolean => finding.kind === 'violated' && finding.warns === true;

type WithoutRequirement<T> = T extends unknown ? Omit<T, 'requirement'> : never;

/** Exchanges that show a judgement. */
type Shown = readonly { readonly id: string }[];

const ids = (exchanges: Shown): string[] => [...new Set(exchanges.map(({ id }) => id))];

export const kept = (exchanges: Shown, message?: string): Judgement => ({
  kind: 'kept',
  exchanges: ids(exchanges),
  ...(message !== undefined && { message }),
});

export const violated = (
  exchanges: Shown,
  message: string,
  detail: Pick<Violation, 'expected' | 'actual' | 'measured' | 'plan'> = {},
): Judgement => ({ kind: 'violated', message, ...detail, exchanges: ids(exchanges) });

/** Returns an observation, which cannot be wrong. */
export const observed = (exchanges: Shown, value: string, subject?: string): Judgement => ({
  kind: 'observed',
  value,
  exchanges: ids(exchanges),
  ...(subject !== undefined && { subject }),
});

/** Returns an inconclusive judgement in scope: another run may decide. */
export const unestablished = (code: ReasonCode, text: string, exchanges: Shown = []): Judgement => ({
  kind: 'inconclusive',
  reason: { code, text },
  exchanges: ids(exchanges),
});

/**
 * Returns an inconclusive judgement, because something it depends on is broken.
 *
 * @param by the row that reports the broken thing; null where none does
 */
export const blocked = (by: RequirementId | null, what: string, exchanges: Shown = []): Judgement => ({
  kind: 'inconclusive',
  reason: { code: 'prerequisite', text: by === null ? `blocked: ${what}` : `blocked by ${by}: ${what}` },
  ...(by !== null && { by }),
  exchanges: ids(exchanges),
});

/** Adds to a message where under load the fault was seen: the profile and its key, and the request. */
export const underLoad = (message: string, place: string, request: string): string =>
  `${message} (under load, ${place}, ${request})`;

const UNDER_LOAD = / \(under load, ([\w-]+ \w+), [^)]*\)$/;

/** Returns the profile and the key of a message from `underLoad`; null for another message. */
export const placeUnderLoad = (message: string): string | null => UNDER_LOAD.exec(message)?.[1] ?? null;

/**
 * Returns what equal faults have in common: a message without its quoted request, its plan, its place under
 * load and its figures.
 */
export const essence = ({ message, plan }: { readonly message: string; readonly plan?: KeyName }): string =>
  (plan === undefined ? message : message.replace(PLANS, ''))
    .replace(UNDER_LOAD, '')
    .replace(/“[^”]*”/g, '“”')
    .replace(/\d[\d.,]*/g, '#');

const PLANS = new RegExp(`\\b(?:${planNames.join('|')})\\b`, 'gi');

/** Returns the judgement of a row out of scope, or undecidable with this target or selection. */
export const outOfScope = (code: ReasonCode, text: string): Judgement => ({
  kind: 'not-applicable',
  reason: { code, text },
});

/** Returns an untested part of the row, which a passed row also reports. */
export const untried = (what: string): Judgement => ({ kind: 'untried', what });

/** Returns the text of a thrown value, with its stack where present, for the log and for maintainers. Pure. */
export const faultText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Returns the first line of a fault's text, the only part shown by default. Pure. */
export const faultHeadline = (text: string): string => (text.split('\n', 1)[0] ?? '').trim();

export const faultReason = (text: string): string => `a kit fault: ${faultHeadline(text)}`;
