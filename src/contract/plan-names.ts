/** The plans of part 8, smallest first. */
export const planNames = ['free', 'pro', 'business', 'enterprise'] as const;

/** A plan by its name. */
export type PlanName = (typeof planNames)[number];

/** The keys that a target file has a place for: one a plan, and one that may be banned. */
export const keyNames = [...planNames, 'sacrificial'] as const;

/** A key by its plan, or as the one that may be banned. */
export type KeyName = (typeof keyNames)[number];
