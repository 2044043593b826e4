import type { RequirementId } from '../../contract/types.js';
import type { Server } from './servers.js';

/** What two members of a server do to each other that neither declares of itself, with the mechanism. */
export interface Interplay {
  /** Any of these flaws, */
  readonly flaws: readonly string[];
  /** beside any of these members, flaws or variants, */
  readonly beside: readonly string[];
  /** is not to be seen in these rows of its own, */
  readonly hides?: readonly RequirementId[];
  /** or turns these red as well. */
  readonly reddens?: readonly RequirementId[];
  /** Only now and then, as the moment falls: no test can ask for it. */
  readonly isByChance?: true;
  /** Why, as a sentence. */
  readonly reason: string;
}

/** What the answers to the walk do not tell by themselves. */
export const INTERPLAYS: readonly Interplay[] = [
  {
    flaws: ['default-limit-thirty-for-pending'],
    beside: ['limit-before-filter'],
    hides: ['list-limit-default'],
    reason: 'The thirty are counted before the filter, which lets no more than twenty of them through.',
  },
  {
    flaws: [
      'unknown-animal-200',
      'unknown-animal-204',
      'unknown-animal-400',
      'unknown-animal-403',
      'unknown-animal-fails',
    ],
    beside: ['fetch-unrouted'],
    reddens: ['get-ok', 'get-matches-created', 'auth-valid-key'],
    reason: 'No animal is found, so that those that exist are answered as unknown ones are.',
  },
  {
    flaws: ['unknown-animal-200', 'unknown-animal-204', 'unknown-animal-400', 'unknown-animal-fails'],
    beside: ['fetches-late'],
    reddens: ['get-ok', 'get-matches-created', 'list-matches-get'],
    reason: 'An animal that cannot be fetched yet is answered as an unknown one is.',
  },
  {
    flaws: ['ids-as-doubles'],
    beside: [
      'unknown-animal-200',
      'unknown-animal-204',
      'unknown-animal-400',
      'unknown-animal-403',
      'unknown-animal-fails',
    ],
    hides: ['pet-int64'],
    reason: 'Every answer tells the same wrong id, and nothing but a 404 to it shows that it is wrong.',
  },
  {
    flaws: ['fetched-by-32-bits'],
    beside: ['huge-ids'],
    reddens: ['get-until-removal'],
    reason: 'No id fits into 32 bits, so that no animal is found.',
  },
  {
    flaws: ['created-ids-begin-again'],
    beside: [
      'listing-as-lines',
      'listing-wrapped',
      'listing-keyed-by-id',
      'listed-id-string',
      'plain-listing-of-available-only',
    ],
    reddens: ['get-matches-created'],
    reason: 'Listings do not tell that another animal has that id, and it is the one that is fetched.',
  },
  {
    flaws: ['filter-ignored'],
    beside: ['pages-of-thirty-three'],
    reddens: ['list-shows-created'],
    reason: 'No answer shows an animal beyond the thirty-three, so that nothing says that pages end there.',
  },
  {
    flaws: ['listed-ids-as-doubles'],
    beside: ['names-with-quotes-doubled'],
    reddens: ['list-shows-created'],
    reason: 'An animal is known in listings by neither its id nor its name.',
  },
  {
    flaws: ['unknown-status-422'],
    beside: [
      'empty-store-closed-categories',
      'closed-categories',
      'categories-within-int32',
      'long-names-refused',
      'names-of-fifty-at-most',
      'names-of-eighty-at-most',
    ],
    reddens: ['declared-status', 'create-ok', 'create-each-status'],
    reason: 'The refusal of an unknown category or a long name, which is free to be a 400, becomes a 422 as well.',
  },
  {
    flaws: ['created-ids-negative'],
    beside: ['pages-of-ten-with-filter'],
    reddens: ['list-shows-created'],
    reason: 'By the id that its creation told, the animal would stand on the page of ten.',
  },
  {
    flaws: ['creations-done-twice'],
    beside: ['eventual-consistency', 'eventual-listings', 'cached-listings', 'listings-late'],
    reddens: ['create-rejected-leaves-nothing'],
    reason: 'The second of each shows after the refusals, and no answer has told its id.',
  },
  {
    flaws: ['creating-public'],
    beside: ['created-name-in-small-letters'],
    hides: ['auth-before-work'],
    reason: 'The animal that was made without a key is not known by its name.',
  },
  {
    flaws: ['fetched-old-neighbour'],
    beside: ['fetched-status-capitals'],
    hides: ['get-ok'],
    reason: 'The shape of every fetched animal is broken first, and takes the charge.',
  },
  {
    flaws: ['reset-too-early'],
    beside: [
      'token-bucket-by-seconds',
      'token-bucket',
      'gcra',
      'allowance-on-top-of-a-rate',
      'bucket-refills-at-half',
      'bucket-by-sixtieths',
      'bucket-by-tenths',
      'bucket-by-quarters',
      'bucket-by-halves',
    ],
    hides: ['rate-reset-truthful'],
    reason: 'One request has come back by the time that Reset names, and is served.',
  },
  {
    flaws: ['two-that-count-apart-a-window-apart'],
    beside: ['limit-per-connection'],
    hides: ['rate-429'],
    reason: 'The counters of connections take the place of those of servers, and requests one by one use one of them.',
  },
  {
    flaws: ['reset-past-on-429', 'remaining-below-zero-past-limit'],
    beside: ['limit-never-enforced'],
    hides: ['rate-headers-wellformed'],
    reason: 'No request is refused.',
  },
  {
    flaws: ['no-rate-headers-on-429', 'no-reset-on-429'],
    beside: ['limit-never-enforced'],
    hides: ['rate-headers-present'],
    reason: 'No request is refused.',
  },
  {
    flaws: ['retry-after-past-date'],
    beside: ['load-slow-token-bucket'],
    hides: ['rate-retry-after-honoured'],
    isByChance: true,
    reason: 'At twenty a second one request may have come back by the time that it is sent again.',
  },
  {
    flaws: ['counted-per-address-line', 'every-fourth-leaks'],
    beside: ['day-counts-refusals', 'day-by-token-bucket', 'day-by-sliding-log'],
    reddens: ['rate-day-quota'],
    reason: 'What the minute does not count the day does not count either.',
  },
  {
    flaws: ['keys-share-one-counter'],
    beside: ['remaining-constant'],
    hides: ['rate-per-key'],
    reason: 'Whose requests a key’s counter holds is told by Remaining alone, and it says nothing.',
  },
  {
    flaws: ['retry-after-in-milliseconds'],
    beside: ['bucket-by-tenths', 'strict-pacer', 'gcra', 'token-bucket'],
    hides: ['rate-retry-after-present'],
    reason: 'The milliseconds until one request comes back are seconds that a client could wait as well.',
  },
  {
    flaws: ['refused-with-400', 'refused-with-403', 'refused-with-503'],
    beside: ['day-by-token-bucket', 'day-by-sliding-log'],
    reddens: ['rate-day-quota'],
    reason: 'The day ends as the minute does, in another refusal than 429.',
  },
];

/** The interplays of a server's members. */
export const interplaysOf = ({ flaws, variants }: Pick<Server, 'flaws' | 'variants'>): readonly Interplay[] =>
  INTERPLAYS.filter((interplay) =>
    interplay.flaws.some(
      (flaw) =>
        flaws.includes(flaw) &&
        [...flaws, ...variants].some((name) => name !== flaw && interplay.beside.includes(name)),
    ),
  );
