import { isLosslessNumber, parse } from 'lossless-json';

/** Animal with all digits of its int64 members. */
export interface Pet {
  readonly id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  readonly status: PetStatus;
}

/** Part 2. */
export const STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof STATUSES)[number];

/** True if a value is one of the statuses. */
export const isPetStatus = (value: unknown): value is PetStatus =>
  STATUSES.some((status) => status === value);

/** Animal to add, or the problem with the body. */
export type NewPetReading =
  | { readonly ok: true; readonly pet: Omit<Pet, 'id'> }
  | { readonly ok: false; readonly problem: string };

/** Animals in memory, in order of creation. */
export interface Catalogue {
  readonly list: (limit: number, status?: PetStatus) => readonly Pet[];
  readonly add: (pet: Omit<Pet, 'id'>) => Pet;
  readonly find: (id: bigint) => Pet | undefined;
}

/** Creates a catalogue with some animals, numbered from 1, whose statuses and categories take turns. */
export function createCatalogue(animals: number): Catalogue {
  const pets = new Map<bigint, Pet>();
  const add = (pet: Omit<Pet, 'id'>): Pet => {
    const added = { id: BigInt(pets.size + 1), ...pet };
    pets.set(added.id, added);
    return added;
  };
  for (let number = 0; number < animals; number += 1)
    add({
      name: `Animal ${number + 1}`,
      categoryId: BigInt(1 + (number % 5)),
      status: STATUSES[number % STATUSES.length] ?? 'available',
    });
  return {
    list: (limit, status) =>
      [...pets.values()].filter((pet) => status === undefined || pet.status === status).slice(0, limit),
    add,
    find: (id) => pets.get(id),
  };
}

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** Parses an integer in plain digits; undefined if it does not fit into 64 bits. */
export function int64(text: string): bigint | undefined {
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text);
  return value >= INT64_MIN && value <= INT64_MAX ? value : undefined;
}

const problem = (text: string): NewPetReading => ({ ok: false, problem: text });

/** Reads a NewPet (part 2) from a request's body. Without a status an animal is available. */
export function readNewPet(text: string | undefined): NewPetReading {
  if (text === undefined || text === '') return problem('The body is missing.');
  let body: unknown;
  try {
    body = parse(text);
  } catch {
    // Any failure (syntax, a repeated member, too deep nesting) makes the body unusable.
    return problem('The body is not valid JSON.');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body) || isLosslessNumber(body))
    return problem('The body is not a JSON object.');
  const { name, categoryId, status = 'available' } = body as Record<string, unknown>;
  if (typeof name !== 'string') return problem('name must be a string.');
  const category = isLosslessNumber(categoryId) ? int64(categoryId.toString()) : undefined;
  if (category === undefined) return problem('categoryId must be an integer of 64 bits.');
  if (!isPetStatus(status)) return problem(`status must be one of ${STATUSES.join(', ')}.`);
  return { ok: true, pet: { name, categoryId: category, status } };
}
