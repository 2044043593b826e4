import { randomBytes } from 'node:crypto';
import { isDigits, readDigits } from './digits.js';

/** Animal as this server stores it: integers as text; no status if the client gave none. */
export interface BarePet {
  readonly id: string;
  readonly name: string;
  readonly categoryId: string;
  readonly status?: string;
}

/** Part 2. */
export const STATUSES: readonly string[] = ['available', 'pending', 'sold'];

/** The only categories; some exceed the integers of a double. */
const CATEGORIES: readonly string[] = ['1', '77', '4294967297', '9007199254740995', '4611686018427387905'];

/** Width of the name column; the interface sets no length. */
const NAME_LENGTH = 80;

/** Thrown for a body that describes no animal; the message is for the client. */
export class NoPet extends Error {}

const refuse = (message: string): never => {
  throw new NoPet(message);
};

/** Creates the store: newest first, under random ids of up to 62 bits. */
export function barePets(animals: number) {
  const pets: BarePet[] = [];
  const add = (pet: Omit<BarePet, 'id'>): BarePet => {
    const id = (randomBytes(8).readBigUInt64BE() >> 2n).toString();
    if (pets.some((other) => other.id === id)) return add(pet);
    const added = { id, ...pet };
    pets.unshift(added);
    return added;
  };
  for (let number = 0; number < animals; number += 1) {
    // Every fourth animal has no status.
    const status = STATUSES[number % 4];
    add({
      name: `№ ${number}`,
      categoryId: CATEGORIES[number % CATEGORIES.length] ?? '1',
      ...(status !== undefined && { status }),
    });
  }
  return {
    add,
    find: (id: string): BarePet | undefined => pets.find((pet) => pet.id === id),
    list: (limit: number, status: string | null): readonly BarePet[] =>
      pets.filter((pet) => status === null || pet.status === status).slice(0, limit),
  };
}

/** Writes an animal as indented JSON. */
export const writePet = ({ id, name, categoryId, status }: BarePet): string =>
  `{\n  "status-known": ${status !== undefined},` +
  (status === undefined ? '' : `\n  "status": ${JSON.stringify(status)},`) +
  `\n  "categoryId": ${categoryId},\n  "name": ${JSON.stringify(name)},\n  "id": ${id}\n}`;

/** Reads an animal to add from a request's body; refuses unknown members and categories. Throws NoPet. */
export function readBarePet(bytes: Uint8Array): Omit<BarePet, 'id'> {
  const body = readBody(bytes);
  if (typeof body !== 'object' || body === null || Array.isArray(body) || isDigits(body))
    return refuse('Ein Tier wird als Objekt beschrieben.');
  const { name, categoryId, status, ...others } = body as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return refuse(`Unbekannt: ${unknown}`);
  if (typeof name !== 'string' || name.trim() === '') return refuse('Ein Tier braucht einen Namen.');
  if (name.length > NAME_LENGTH) return refuse(`Der Name ist länger als ${NAME_LENGTH} Zeichen.`);
  if (!isDigits(categoryId) || !CATEGORIES.includes(categoryId.digits))
    return refuse('Diese Kategorie gibt es nicht.');
  // `in`, because null is a status too, and a wrong one.
  if (!('status' in body)) return { name, categoryId: categoryId.digits };
  if (typeof status !== 'string' || !STATUSES.includes(status)) return refuse('Diesen Status gibt es nicht.');
  return { name, categoryId: categoryId.digits, status };
}

function readBody(bytes: Uint8Array): unknown {
  try {
    return readDigits(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new NoPet('Das ist kein JSON.', { cause });
  }
}
