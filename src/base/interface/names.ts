import { integer, type Shape, string } from '../kernel/shape.js';

/** A name that the author of a file chose: reports and names of folders have it. */
export const chosenName = string({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  $comment: 'a letter or a digit, then at most 63 letters, digits, “.”, “_” or “-”',
});

/** Statuses of an animal (part 2, PetStatus). */
export const petStatuses = ['available', 'pending', 'sold'] as const;

export type PetStatus = (typeof petStatuses)[number];

/** Levels of a requirement; see the header of `config/interface/requirements.yaml`. */
export const levels = ['must', 'should', 'may', 'open'] as const;

export const partNumber = integer(1, 9) as Shape<Part>;

/** Plans of part 8, smallest first. */
export const planNames = ['free', 'pro', 'business', 'enterprise'] as const;

export type PlanName = (typeof planNames)[number];

/** A plan whose figures the interface has; those of Enterprise are agreed with a customer. */
type FixedPlan = Exclude<PlanName, 'enterprise'>;

export const fixedPlans = planNames.filter((name): name is FixedPlan => name !== 'enterprise');

/** Keys of a target file: one for each plan, and one that may be banned. */
export const keyNames = [...planNames, 'sacrificial'] as const;

export type KeyName = (typeof keyNames)[number];

/** Load profiles, in their order for each key. */
export const profileNames = [
  'burst',
  'recovery',
  'window',
  'concurrent',
  'steady',
  'watch',
  'day-quota',
  'ban',
] as const;

export type ProfileName = (typeof profileNames)[number];

/** Profiles that a run can include: the load profiles, and exploring at the end. */
export const runProfiles = [...profileNames, 'explore'] as const;

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

/** Scenarios in which the reference server judges a client, in their order, each in a sentence. */
const SCENARIO_SENTENCES = {
  calm: 'Every request is served.',
  limited: 'The first request gets a 429 with Retry-After: 2, the second one with Retry-After: 1.',
  'limited-by-date': 'The first request gets a 429 whose Retry-After is a date.',
  'limited-creation': 'The first creation gets a 429.',
  'limited-again': 'The first five requests get a 429 each.',
  'limited-zero': 'The first four requests get a 429 with Retry-After: 0.',
  'limited-in-parallel': 'Up to four requests that arrive together get a 429 each.',
  banned: 'The first request gets a 429, the second one the 429 of a banned key.',
  unavailable: 'The first request gets a 503 with Retry-After, the second one a 429.',
  'large-ids': 'Ids and categories are beyond 2^53.',
  'more-members': 'Animals and Errors have members that the interface does not name.',
  'empty-store': 'The store has no animal.',
  redirected: 'The first request is redirected to another origin.',
} as const;

export type ClientScenario = keyof typeof SCENARIO_SENTENCES;

export const clientScenarios = Object.keys(SCENARIO_SENTENCES) as readonly ClientScenario[];

export const SCENARIO_WORDS: ReadonlyMap<string, string> = new Map(Object.entries(SCENARIO_SENTENCES));

export type Part = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
