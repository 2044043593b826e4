import type { RequirementId, requirementIds } from './requirement-ids.js';

type Row = (typeof requirementIds)[number];

/**
 * Rows of limits in which one fault of a limiter shows together, by what it concerns: how many requests are
 * allowed, and when they are allowed again. Each family lists the plainest evidence first: a count of
 * requests before an inference from headers or times. Every other row is its own family.
 */
export const FAMILIES = {
  'how much': ['rate-429', 'rate-concurrent', 'rate-window', 'rate-all-operations', 'rate-remaining-counts'],
  'when back': ['rate-retry-after-honoured', 'rate-not-early', 'rate-reset-truthful'],
} as const satisfies Readonly<Record<string, readonly Row[]>>;

export type FamilyName = keyof typeof FAMILIES;

/** Returns the family of a row; null for a row that is its own family. */
export const familyOf = (id: RequirementId): FamilyName | null =>
  (Object.keys(FAMILIES) as FamilyName[]).find((name) =>
    (FAMILIES[name] as readonly RequirementId[]).includes(id),
  ) ?? null;
