import type { Part } from './types.js';

/** Plans of part 8, smallest first. */
export const planNames = ['free', 'pro', 'business', 'enterprise'] as const;

export type PlanName = (typeof planNames)[number];

/** Keys of a target file: one for each plan, and one that may be banned. */
export const keyNames = [...planNames, 'sacrificial'] as const;

export type KeyName = (typeof keyNames)[number];

/** Load profiles, in their order for each key. */
export const profileNames = ['burst', 'recovery', 'window', 'concurrent', 'steady', 'day-quota', 'ban'] as const;

export type ProfileName = (typeof profileNames)[number];

/** Profiles that a run can include: the load profiles, and exploring at the end. */
export const runProfiles = [...profileNames, 'explore'] as const;

/** A load profile, or exploring. */
export type RunProfile = (typeof runProfiles)[number];

/** The three operations of part 4. */
export const operationNames = ['listPets', 'createPet', 'getPet'] as const;

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

/** Scenarios in which the reference server judges a client, in their order. */
export const clientScenarios = [
  'calm',
  'limited',
  'limited-by-date',
  'limited-creation',
  'limited-again',
  'limited-in-parallel',
  'banned',
  'unavailable',
  'large-ids',
  'more-members',
  'empty-store',
  'redirected',
] as const;

export type ClientScenario = (typeof clientScenarios)[number];
