import { randomBytes } from 'node:crypto';
import { isDigits, readDigits } from './digits.js';

/** An animal as this server keeps it: integers as text, and no status where none was given. */
export interface BarePet {
  readonly id: string;
  readonly name: string;
  readonly categoryId: string;
  readonly status?: string;
}

/** The statuses of part 2. */
export const STATUSES: readonly string[] = ['available', 'pending', 'sold'];

/** The only categories there are, some of them beyond what a double can hold. */
const CATEGORIES: readonly string[] = ['1', '77', '4294967297', '9007199254740995', '4611686018427387905'];

/** Names have a column of this width; the interface says nothing about their length. */
const NAME_LENGTH = 80;

/** Thrown for a body that describes no animal; the message is for the client. */
export class NoPet extends Error {}

const refuse = (message: string): never => {
  throw new NoPet(message);
};

/** Where animals come from and are kept: newest first, under random ids of up to 62 bits. */
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

/** An animal as JSON, laid out for people to read. */
export const writePet = ({ id, name, categoryId, status }: BarePet): string =>
  `{\n  "status-known": ${status !== undefined},` +
  (status === undefined ? '' : `\n  "status": ${JSON.stringify(status)},`) +
  `\n  "categoryId": ${categoryId},\n  "name": ${JSON.stringify(name)},\n  "id": ${id}\n}`;

/** An animal to add from a request's body; unknown members and unknown categories are refused. Throws NoPet. */
export function readBarePet(bytes: Uint8Array): Omit<BarePet, 'id'> {
  const body = readBody(bytes);
  if (typeof body !== 'object' || body === null || Array.isArray(body) || isDigits(body))
    return refuse('Ein Tier wird als Objekt beschrieben.');
  const { name, categoryId, status, ...others } = body as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return refuse(`Unbekannt: ${unknown}`);
  if (typeof name !== 'string' || name.trim() === '') return refuse('Ein Tier braucht einen Namen.');
  if (name.length > NAME_LENGTH) return refuse(`Der Name ist länger als ${NAME_LENGTH} Zeichen.`);
  if (!isDigits(categoryId) || !CATEGORIES.includes(categoryId.digits)) return refuse('Diese Kategorie gibt es nicht.');
  // `in`: null is a status that was given, and a wrong one.
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
