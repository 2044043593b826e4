import type { NewPet } from './types.js';

/** Members of NewPet (part 2). A test compares these lists with the contract. */
export const newPetMembers = ['name', 'categoryId', 'status'] as const satisfies readonly (keyof NewPet)[];

export const petMembers = ['id', ...newPetMembers] as const;

/** Members of Error, all required. */
export const errorMembers = ['code', 'message', 'status'] as const;

/**
 * An Error that the kit itself sends, to a client that it judges: where a member is missing, it does not
 * compile.
 */
export type OwnError = Readonly<Record<(typeof errorMembers)[number], string | number>>;
