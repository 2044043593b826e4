/** The three operations that part 4 declares, by their operation names. */
export const operationNames = ['listPets', 'createPet', 'getPet'] as const;

/** An operation by its name. */
export type OperationName = (typeof operationNames)[number];
