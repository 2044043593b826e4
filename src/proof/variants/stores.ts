import { createHash } from 'node:crypto';
import type { Behaviour, Change } from '../../reference/behaviour.js';
import { adding, after, anew, around, chain, seams } from '../changes/requests.js';
import { isOriginal, newestFirst, seenAs } from '../changes/animals.js';
import { ruling } from '../changes/creations.js';
import { invalid, read } from '../../reference/messages.js';
import { FETCHING, LISTING, SUITES, unchanged, variantsBy, variantsOf } from '../registry.js';
import { type Animal, type PetStatus, STATUSES } from '../../reference/store.js';
import type { RequirementId } from '../../base/interface/types.js';

/** Rows left open by a store too large for a whole listing. */
const INCOMPLETE: readonly RequirementId[] = [
  'list-shows-created',
  'create-rejected-leaves-nothing',
  'get-replacement',
  'auth-before-work',
];

/** Returns a unique id above 2^53, random but constant for each animal. */
const scattered = (nth: number): bigint => {
  const random = createHash('sha256').update(`animal ${nth}`).digest().readBigUInt64BE() >> 12n;
  return 2n ** 62n + (random << 10n) + BigInt(nth % 1_024);
};

const inTurn = (place: number): PetStatus | undefined => STATUSES[place % STATUSES.length];

const THOUSANDS = { options: { animals: 2_000 }, clouds: [...INCOMPLETE, ...FETCHING] };

const respread = (statusAt: typeof inTurn): Change =>
  seenAs((animal, { store }) =>
    isOriginal(animal)
      ? { ...animal, status: statusAt(store.all().findIndex(({ id }) => id === animal.id)) }
      : animal,
  );

/**
 * Changes the status of an initial animal, as another client would, given the listings and its fetches
 * before.
 */
const changing = (
  id: bigint,
  statusNow: (status: PetStatus | undefined, listings: number, fetches: number) => Animal['status'],
): Change =>
  anew(() => {
    let [listings, fetches] = [0, 0];
    return chain(
      seenAs((animal) =>
        animal.id === id && isOriginal(animal)
          ? { ...animal, status: statusNow(animal.status, listings, fetches) }
          : animal,
      ),
      after('visible', (animals) => {
        listings += 1;
        return animals;
      }),
      after('find', (animal, _context, wanted) => {
        if (wanted === id) fetches += 1;
        return animal;
      }),
    );
  });

/** Removes the animals of the start with ids in a range after so many listings, as other clients would. */
const removing = (first: bigint, last: bigint, after: number): Change =>
  anew(() => {
    let listings = 0;
    return chain(
      seenAs((animal) =>
        listings > after && isOriginal(animal) && animal.id >= first && animal.id <= last
          ? undefined
          : animal,
      ),
      seams(({ visible }) => ({
        visible: (context) => {
          listings += 1;
          return visible(context);
        },
      })),
    );
  });

/** Changes the status of two initial animals before each listing, as other clients would. */
const changingSteadily: Change = anew(() => {
  let listings = 0;
  return chain(
    seenAs((animal) => {
      const place = Number(animal.id);
      return isOriginal(animal)
        ? { ...animal, status: inTurn(place + Math.floor((listings + place) / 24)) }
        : animal;
    }),
    after('visible', (animals) => {
      listings += 1;
      return animals;
    }),
  );
});

const other = (status: PetStatus | undefined): PetStatus => (status === 'sold' ? 'pending' : 'sold');

const holdingAtMost = (most: number): Change =>
  seenAs((animal, { store }) =>
    store
      .all()
      .slice(-most)
      .some(({ id }) => id === animal.id)
      ? animal
      : undefined,
  );

export const storeVariants = [
  ...variantsBy('suites', (idOf: Behaviour['idOf']) => seams({ idOf }), {
    'huge-ids: Ids are random, and far above 2^53.': scattered,
    'ids-just-above-2-53: Ids are consecutive just above 2^53, where neighbours are equal as doubles.': (
      nth,
    ) => 2n ** 53n + BigInt(nth),
    'negative-ids: Ids are negative and count down.': (nth) => -BigInt(nth),
    'ids-with-gaps: Ids have gaps.': (nth) => BigInt(nth) * 7n + 1_000n,
    'largest-id-taken: An animal has the largest possible id, 2^63-1.': (nth) =>
      nth === 2 ? 2n ** 63n - 1n : BigInt(nth),
  }),
  ...variantsBy('suites', respread, {
    'statuses-evenly-spread: The animals of the start have the three statuses in turn, so none is frequent.':
      inTurn,
    'every-fourth-without-status: Every fourth animal of the start has no status, and the others have the three in turn.':
      (place) => (place % 4 === 3 ? undefined : inTurn(place)),
    'all-sold: The animals of the start are all sold.': () => 'sold',
    'none-with-status: The animals of the start have no status.': () => undefined,
    'most-without-status: Three animals of the start have each status; the others have none.': (place) =>
      place < 9 ? inTurn(place) : undefined,
  }),
  ...variantsOf('suites', {
    'empty-store: The store is empty at the start.': [
      unchanged,
      { options: { animals: 0 }, clouds: LISTING },
    ],
    'few-animals: The store holds three animals at the start.': [
      unchanged,
      { options: { animals: 3 }, clouds: LISTING },
    ],
    'twenty-animals: The store holds exactly one default page at the start.': [
      unchanged,
      { options: { animals: 20 }, clouds: LISTING },
    ],
    'hundred-animals: The store holds exactly one page of the largest size at the start.': [
      unchanged,
      { options: { animals: 100 }, clouds: INCOMPLETE },
    ],
    'thousands-of-animals: The store holds 2,000 animals at the start.': [unchanged, THOUSANDS],
    'ids-from-the-largest-down: Every second id is assigned, from 2^63-1 down; the newest of 150 animals come first.':
      [
        seams({ idOf: (nth) => 2n ** 63n + 1n - 2n * BigInt(nth), order: (animals) => animals.toReversed() }),
        { options: { animals: 150 }, clouds: [...INCOMPLETE, ...FETCHING] },
      ],
    'empty-store-closed-categories: The store is empty at the start, so nothing shows that categories start at 100.':
      [
        seams({
          creationProblem: (_body, { categoryId }) =>
            categoryId >= 100n && categoryId < 110n ? undefined : invalid('no such category'),
        }),
        { expect: 'inconclusive', options: { animals: 0 }, clouds: SUITES },
      ],
    'thousands-newest-first: The store holds 2,000 animals at the start, and lists the newest first.': [
      newestFirst,
      THOUSANDS,
    ],
    'every-animal-with-status: An animal created without a status is available, and so are those of the start.':
      seams({
        matches: (animal, status) => (animal.status ?? 'available') === status,
        renderAnimal: ({ id, name, categoryId, status = 'available' }) => ({ id, name, categoryId, status }),
      }),
    'other-clients-add: With each creation another client adds three animals of a category that was rare before.':
      around('createPet', (context, sound) => {
        const answer = sound(context);
        if (answer.status === 201)
          for (const name of ['Kira', 'Pino', 'Wanda'])
            adding(context, { name, categoryId: 4n, status: 'available' });
        return answer;
      }),
    'pending-when-omitted: An animal created without a status is stored as pending.': ruling(
      'status',
      (value, rule) => (value === undefined ? read('pending') : rule(value)),
    ),
    'status-changed-after-fetch: Another client changes the status of the store’s first animal right after it has been fetched.':
      changing(1n, (status, _listings, fetches) => (fetches >= 1 ? other(status) : status)),
    'status-changed-before-fetch: Another client changes the status of the store’s first animal right before it is fetched.':
      changing(1n, (status, listings) => (listings >= 2 ? other(status) : status)),
    'status-changed-between-listings: Another client changes the status of the second animal while listings are read.':
      changing(2n, (status, listings) => (listings >= 8 ? other(status) : status)),
    'status-changed-again-and-again: Another client changes the status of the first animal with every fifth listing.':
      changing(1n, (_status, listings) => inTurn(Math.floor(listings / 5))),
    'oldest-removed-for-new: The store holds 61 animals at most, and the oldest gives way to a new one.': [
      holdingAtMost(61),
      { options: { animals: 60 }, clouds: SUITES },
    ],
    // Its first animal goes after the run has fetched it.
    'oldest-removed-of-thirty: The store holds 30 animals at most, and the oldest gives way to a new one.': [
      holdingAtMost(30),
      { options: { animals: 30 }, clouds: ['create-rejected-leaves-nothing'] },
    ],
    'first-removed-before-fetch: Another client removes the first animal after the first listing.': [
      removing(1n, 1n, 1),
      { clouds: SUITES },
    ],
    'first-of-many-removed-before-fetch: Another client removes the first of 150 animals after the first listing.':
      [removing(1n, 1n, 1), { options: { animals: 150 }, clouds: SUITES }],
    'many-removed-between-listings: Another client removes 25 animals of the start while listings are read.':
      [removing(6n, 30n, 6), { options: { animals: 60 }, clouds: SUITES }],
    'statuses-changed-steadily: Other clients change the status of two animals before every listing.':
      changingSteadily,
  }),
];
