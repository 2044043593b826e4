import { residents } from '../../../judge/world/animals.js';
import type { World } from '../../../judge/world/world.js';
import type { PetView } from '../../../judge/checks/pets.js';
import { integerOf } from '../../../base/kernel/json.js';

/** An animal from before the run as listings showed it, with its id in digits. */
interface Listed {
  readonly id: string;
  readonly pet: PetView;
}

/** Chooses the animals of a class, given all in order of their first listing. */
type Choosing = (all: readonly Listed[]) => readonly Listed[];

/**
 * Parts of a listing of all animals; one animal of each is fetched. With the other classes, that is more than
 * half of a store of fifty animals.
 */
const PARTS = 12;

/** Chooses the animals in one twelfth of a listing, counted from 0. */
const twelfth =
  (part: number): Choosing =>
  (all) =>
    all.slice(Math.floor((part * all.length) / PARTS), Math.floor(((part + 1) * all.length) / PARTS));

const withStatus =
  (status: string | undefined): Choosing =>
  (all) =>
    all.filter(({ pet }) => pet.status === status);

/** Chooses the animals with the largest of a measure; none if it is the same of all. */
const most =
  <Measure extends bigint | number>(measureOf: (listed: Listed) => Measure | null): Choosing =>
  (all) => {
    const measured = all.flatMap((listed) => {
      const measure = measureOf(listed);
      return measure === null ? [] : [{ listed, measure }];
    });
    const largest = measured.reduce<Measure | null>(
      (so, { measure }) => (so === null || measure > so ? measure : so),
      null,
    );
    return measured.flatMap(({ listed, measure }) => (measure === largest ? [listed] : []));
  };

const idOf = ({ id }: Listed): bigint => BigInt(id);

const categoryOf = ({ pet }: Listed): bigint | null => integerOf(pet.categoryId);

const lengthOf = ({ pet }: Listed): number | null => (typeof pet.name === 'string' ? pet.name.length : null);

const minus =
  <Measure extends bigint | number>(measureOf: (listed: Listed) => Measure | null) =>
  (listed: Listed): Measure | null => {
    const measure = measureOf(listed);
    return measure === null ? null : (-measure as Measure);
  };

/**
 * Classes of animals from before the run, over the range of what listings show. A service may keep or read
 * some of them in another way, e.g. those from before a change of its store.
 */
const RESIDENTS = {
  'with the smallest id': most(minus(idOf)),
  'with the largest id': most(idOf),
  'with the smallest category': most(minus(categoryOf)),
  'with the largest category': most(categoryOf),
  'with the shortest name': most(minus(lengthOf)),
  'with the longest name': most(lengthOf),
  'with a name beyond ASCII': (all) =>
    all.filter(({ pet }) => typeof pet.name === 'string' && /[^ -~]/.test(pet.name)),
  'with status available': withStatus('available'),
  'with status pending': withStatus('pending'),
  'with status sold': withStatus('sold'),
  'without a status': withStatus(undefined),
  'in the 1st twelfth of a listing': twelfth(0),
  'in the 2nd twelfth of a listing': twelfth(1),
  'in the 3rd twelfth of a listing': twelfth(2),
  'in the 4th twelfth of a listing': twelfth(3),
  'in the 5th twelfth of a listing': twelfth(4),
  'in the 6th twelfth of a listing': twelfth(5),
  'in the 7th twelfth of a listing': twelfth(6),
  'in the 8th twelfth of a listing': twelfth(7),
  'in the 9th twelfth of a listing': twelfth(8),
  'in the 10th twelfth of a listing': twelfth(9),
  'in the 11th twelfth of a listing': twelfth(10),
  'in the 12th twelfth of a listing': twelfth(11),
} as const satisfies Readonly<Record<string, Choosing>>;

export type ResidentClass = keyof typeof RESIDENTS;

export const RESIDENT_CLASSES = Object.keys(RESIDENTS) as readonly ResidentClass[];

/**
 * Spreads the choices of large classes over a listing: multiples of the golden section are far apart,
 * whatever their number.
 */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Returns the id of an animal of a class; null if listings showed none. Classes get different animals where
 * the store allows, so that more of its animals are tried. Pure.
 *
 * @param variety picks one of several
 */
export function residentOf(wanted: ResidentClass, world: World, variety: number) {
  const all = residents(world).map(({ id, listed }): Listed => ({ id, pet: listed.first.pet }));
  const taken = new Set<string>();
  for (const [nth, name] of RESIDENT_CLASSES.entries()) {
    const members: readonly Listed[] = RESIDENTS[name](all);
    const fresh = members.filter(({ id }) => !taken.has(id));
    const choice = fresh.length > 0 ? fresh : members;
    const place = variety + Math.floor(choice.length * ((nth * GOLDEN) % 1));
    const id = choice[place % Math.max(1, choice.length)]?.id ?? null;
    if (name === wanted) return id;
    if (id !== null) taken.add(id);
  }
  return null;
}
