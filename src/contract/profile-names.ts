/** The load profiles, in the order in which a key goes through them. */
export const profileNames = ['burst', 'recovery', 'window', 'concurrent', 'steady', 'day-quota', 'ban'] as const;

/** A load profile by its name. */
export type ProfileName = (typeof profileNames)[number];

/** What a run can be told to go through: the load profiles, and exploring after all. */
export const runProfiles = [...profileNames, 'explore'] as const;

/** A load profile, or exploring. */
export type RunProfile = (typeof runProfiles)[number];
