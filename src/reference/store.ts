/** Animals of one server, in order of addition. */

/** The status values of part 2. */
export const STATUSES = ['available', 'pending', 'sold'] as const;

export type PetStatus = (typeof STATUSES)[number];

export interface NewAnimal {
  readonly name: string;
  readonly categoryId: bigint;
  readonly status: PetStatus | undefined;
}

export interface Animal extends NewAnimal {
  readonly id: bigint;
  /** Time of addition, Unix ms; animals from the start count as always present. */
  readonly addedAt: number;
}

export type Store = ReturnType<typeof storeOf>;

export function storeOf(animals: readonly Animal[]) {
  const list = [...animals];
  const byId = new Map(list.map((animal) => [animal.id, animal]));
  return {
    /** Oldest first. */
    all: (): readonly Animal[] => list,
    find: (id: bigint): Animal | undefined => byId.get(id),
    add: (animal: Animal): void => {
      list.push(animal);
      if (!byId.has(animal.id)) byId.set(animal.id, animal);
    },
  };
}

const NAMES = [
  'Rex',
  'Zoë',
  'Mia',
  'Søren',
  'Luna',
  'Chloé',
  'Balu',
  'Žofka',
  'Milo',
  'Ada',
  'Nala',
  'Oskar',
];

/** Statuses in turn: six available, three sold, two pending, one without. Mixed, so no status clusters. */
const SPREAD: readonly (PetStatus | undefined)[] = [
  'available',
  'sold',
  'pending',
  'available',
  undefined,
  'available',
  'sold',
  'available',
  'pending',
  'available',
  'sold',
  'available',
];

const CATEGORIES = 5;

/** @param idOf the id of the nth animal, counted from 1 */
export function startingAnimals(count: number, idOf: (nth: number) => bigint): readonly Animal[] {
  return Array.from({ length: count }, (_, index) => ({
    id: idOf(index + 1),
    name: `${NAMES[index % NAMES.length]} ${index + 1}`,
    categoryId: BigInt((index % CATEGORIES) + 1),
    status: SPREAD[index % SPREAD.length],
    addedAt: Number.NEGATIVE_INFINITY,
  }));
}
