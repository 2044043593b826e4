import type { Behaviour, Change, Context, ListingQuery } from '../../reference/behaviour.js';
import { after, always, around, chain, isOperation, seams, type Test } from './requests.js';
import { setting } from './answers.js';
import { integerOf, isNumber, type JsonObject, textOf } from '../../reference/json.js';
import type { Answer } from '../../reference/messages.js';
import type { Animal } from '../../reference/store.js';
import type { OperationName } from '../../base/interface/types.js';

export const onAnimals = (
  operation: OperationName | 'all',
  alter: (animal: JsonObject, context: Context) => JsonObject,
): Change =>
  after('renderAnimal', (animal, _stored, context) =>
    operation === 'all' || isOperation(context, operation) ? alter(animal, context) : animal,
  );

/** Sets a member of animals in responses, or removes it with `undefined`. */
export const onField = (operation: OperationName | 'all', ...to: Parameters<typeof setting>): Change =>
  onAnimals(operation, setting(...to));

export const onNames = (
  operation: OperationName,
  alter: (name: string) => string,
  which: Test = always,
): Change =>
  onAnimals(operation, (animal, context) =>
    which(context) ? setting('name', (name) => alter(textOf(name)))(animal) : animal,
  );

/** Changes an integer of animals, in any notation of a variant. */
export const onIntegers = (
  operation: OperationName | 'all',
  name: 'id' | 'categoryId',
  alter: (integer: bigint) => bigint,
): Change =>
  onAnimals(operation, (animal) => {
    const value = animal[name];
    const integer = isNumber(value) ? integerOf(value) : value;
    return typeof integer === 'bigint' ? { ...animal, [name]: alter(integer) } : animal;
  });

/** Changes a listing without animals. */
export const listingNone = (alter: (context: Context, sound: Answer) => Answer): Change =>
  around('listPets', (context, listed) => {
    const sound = listed(context);
    const isEmpty =
      sound.body.kind === 'json' && Array.isArray(sound.body.value) && sound.body.value.length === 0;
    return isEmpty ? alter(context, sound) : sound;
  });

/** Changes or hides an animal for some requests. */
export const seenAs = (alter: (animal: Animal, context: Context) => Animal | undefined): Change =>
  chain(
    after('visible', (animals, context) => animals.flatMap((animal) => alter(animal, context) ?? [])),
    after('find', (animal, context) => animal && alter(animal, context)),
  );

/** Hides new animals for a time in ms from some requests. */
export const late = (ms: number, to: Test = always): Change =>
  seenAs((animal, context) => (to(context) && animal.addedAt + ms > context.request.at ? undefined : animal));

/** Is true if the server started with an animal. */
export const isOriginal = ({ addedAt }: Animal): boolean => addedAt === Number.NEGATIVE_INFINITY;

export const selecting = (
  alter: (select: Behaviour['select'], ...asked: Parameters<Behaviour['select']>) => readonly Animal[],
): Change => seams(({ select }) => ({ select: (...asked) => alter(select, ...asked) }));

export const sized = (limitOf: (limit: number, query: ListingQuery) => number): Change =>
  selecting((select, animals, query, matches) =>
    select(animals, { ...query, limit: limitOf(query.limit, query) }, matches),
  );

export const endingAt = (most: number): Change => sized((limit) => Math.min(most, limit));

export const endingAtTenWithFilter = sized((limit, { status }) =>
  status === undefined ? limit : Math.min(10, limit),
);

export const ordered = (order: Behaviour['order']): Change => seams({ order });

export const shuffled = <T>(items: readonly T[]): readonly T[] =>
  items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);

/** Lists the newest first, so a page that is too short still shows a new animal. */
export const newestFirst = ordered((animals) => animals.toReversed());

export const statusAsked = ({ request }: Context): string | null => request.query.get('status');

export const isFiltered: Test = (context) => statusAsked(context) !== null;

export const limitAsked = ({ request }: Context): string | null => request.query.get('limit');
