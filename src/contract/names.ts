import type { Part } from './types.js';

/** The plans of part 8, smallest first. */
export const planNames = ['free', 'pro', 'business', 'enterprise'] as const;

/** A plan by its name. */
export type PlanName = (typeof planNames)[number];

/** The keys that a target file has a place for: one a plan, and one that may be banned. */
export const keyNames = [...planNames, 'sacrificial'] as const;

/** A key by its plan, or as the one that may be banned. */
export type KeyName = (typeof keyNames)[number];

/** The load profiles, in the order in which a key goes through them. */
export const profileNames = ['burst', 'recovery', 'window', 'concurrent', 'steady', 'day-quota', 'ban'] as const;

/** A load profile by its name. */
export type ProfileName = (typeof profileNames)[number];

/** Profiles that a run can include: the load profiles, and exploring at the end. */
export const runProfiles = [...profileNames, 'explore'] as const;

/** A load profile, or exploring. */
export type RunProfile = (typeof runProfiles)[number];

/** The three operations that part 4 declares, by their operation names. */
export const operationNames = ['listPets', 'createPet', 'getPet'] as const;

/** An operation by its name. */
export type OperationName = (typeof operationNames)[number];

/** Short titles of the interface document's nine parts. */
export const partTitles: Readonly<Record<Part, string>> = {
  1: 'Service',
  2: 'Resources',
  3: 'States',
  4: 'Endpoints',
  5: 'Authentication',
  6: 'Events',
  7: 'Errors',
  8: 'Limits',
  9: 'Versioning',
};
