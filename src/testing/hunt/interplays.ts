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
    flaws: [
      'unknown-animal-200',
      'unknown-animal-204',
      'unknown-animal-400',
      'unknown-animal-403',
      'unknown-animal-fails',
    ],
    beside: ['fetches-late', 'replica-behind'],
    reddens: ['get-ok', 'get-matches-created', 'list-matches-get', 'auth-valid-key'],
    // On a busy machine it is asked for when it can be.
    isByChance: true,
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
    flaws: ['ids-drawn-again'],
    beside: ['other-clients-add'],
    reddens: ['get-matches-created'],
    reason: 'No answer tells that others got those ids too, and theirs are the animals that are fetched.',
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
    flaws: ['created-ids-negative', 'created-ids-as-doubles'],
    beside: ['pages-of-ten-with-filter'],
    reddens: ['list-shows-created'],
    reason: 'By the id that its creation told, the animal would stand on the page of ten.',
  },
  {
    flaws: ['listed-status-invented'],
    beside: ['creation-without-status-answers-200'],
    hides: ['list-matches-get'],
    reason: 'The one animal without a status is not taken for created, and nobody asks for it.',
  },
  {
    flaws: ['listed-status-invented'],
    beside: ['pages-of-ten-with-filter'],
    reddens: ['list-shows-created'],
    reason: 'By the status that listings show, a page shorter than ten lacks an animal as well.',
  },
  {
    flaws: ['creations-done-twice'],
    beside: ['eventual-consistency', 'eventual-listings', 'cached-listings', 'listings-late'],
    reddens: ['create-rejected-leaves-nothing'],
    // Where a busy machine takes its time, it shows before them.
    isByChance: true,
    reason: 'The second of each shows after the refusals, and no answer has told its id.',
  },
  {
    flaws: ['reset-too-early'],
    beside: [
      'token-bucket-by-seconds',
      'token-bucket',
      'gcra',
      'load-slow-token-bucket',
      'sliding-counter',
      'leaky-bucket',
      'small-bucket',
      'strict-pacer',
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
    // A connection that is opened anew on a busy machine has a counter of its own.
    isByChance: true,
    reason: 'The counters of connections take the place of those of servers, and requests one by one use one of them.',
  },
  {
    flaws: ['reset-past-on-429', 'remaining-below-zero-past-limit'],
    beside: ['limit-never-enforced', 'empty-store-closed-categories'],
    hides: ['rate-headers-wellformed'],
    reason: 'No request is refused, or a creation stops the burst before one is.',
  },
  {
    flaws: ['no-rate-headers-on-429', 'no-reset-on-429'],
    beside: ['limit-never-enforced', 'empty-store-closed-categories'],
    hides: ['rate-headers-present'],
    reason: 'No request is refused, or a creation stops the burst before one is.',
  },
  {
    flaws: ['retry-after-rounded-to-nearest-by-the-calendar'],
    beside: ['load-clock-ahead', 'clock-ahead', 'clock-behind'],
    hides: ['rate-retry-after-honoured'],
    isByChance: true,
    reason:
      'The clock that answers tell does not show that windows begin with the minute, and so not with which second they end.',
  },
  {
    flaws: [
      'retry-after-rounded-to-nearest',
      'retry-after-rounded-to-nearest-by-the-calendar',
      'retry-after-rounded-down',
    ],
    beside: ['window-of-three-quarters-told-as-whole', 'window-of-a-half-told-as-whole'],
    hides: ['rate-retry-after-honoured'],
    reason: 'The window is over long before the second that either way of rounding tells.',
  },
  {
    flaws: ['retry-after-half'],
    beside: ['window-of-a-half-told-as-whole'],
    hides: ['rate-retry-after-honoured'],
    isByChance: true,
    reason: 'The half of the time that is told is all that the window takes.',
  },
  {
    flaws: ['default-limit-ten-for-sold', 'default-limit-thirty-for-pending'],
    beside: ['pages-of-fifty-five-by-name'],
    reddens: ['list-page-full'],
    reason: 'In their stores more animals match than such a page holds.',
  },
  {
    flaws: ['category-not-required'],
    beside: ['categories-above-0', 'closed-categories'],
    hides: ['create-missing-field'],
    reason: 'A category that is missing is taken for 0, which does not exist and is refused.',
  },
  {
    flaws: ['category-null-taken'],
    beside: ['categories-above-0', 'closed-categories'],
    hides: ['create-invalid-value'],
    reason: 'A category that is null is taken for 0, which does not exist and is refused.',
  },
  {
    flaws: ['creation-kept-before-key', 'everybody-leaves-unnamed', 'later-creations-fail'],
    beside: ['empty-store-closed-categories'],
    reddens: ['create-ok', 'create-status-optional', 'create-each-status'],
    reason:
      'No category exists, yet an animal is kept that bears one, or a creation ends in 500: that none may be created is no excuse then.',
  },
  {
    flaws: ['filter-ignored-and-echoed'],
    beside: ['replica-behind'],
    reddens: ['list-matches-created'],
    reason:
      'No plain listing shows the animal yet, and a filtered one shows it with another status than it was created with.',
  },
  {
    flaws: ['created-ids-begin-again'],
    beside: ['ids-beyond-int64', 'created-ids-as-doubles', 'listed-ids-as-doubles', 'ids-as-doubles'],
    hides: ['pet-id-unique'],
    reason: 'The animals of the start have large ids, which those from 1 on do not meet.',
  },
  {
    flaws: ['created-ids-as-doubles'],
    beside: ['created-ids-begin-again'],
    hides: ['pet-int64'],
    // The one that is named last numbers.
    isByChance: true,
    reason: 'Ids from 1 on are told as they are by a double as well.',
  },
  {
    flaws: ['created-ids-negative'],
    beside: ['listed-new-ids-negative'],
    hides: ['pet-id-unique'],
    reason: 'Creations and listings tell the same ids; that no fetch knows them is another row’s affair.',
  },
  {
    flaws: ['listed-new-ids-negative'],
    beside: ['created-ids-negative'],
    hides: ['list-matches-created'],
    reason: 'Creations and listings tell the same ids.',
  },
  {
    flaws: ['animal-listed-twice'],
    beside: ['listed-ids-of-rows'],
    hides: ['pet-id-unique'],
    reason: 'Each row has its number for an id, the second one of an animal as well.',
  },
  {
    flaws: ['listed-status-dropped', 'listed-names-in-small-letters'],
    beside: ['created-status-dropped', 'created-name-in-small-letters'],
    hides: ['list-matches-created'],
    isByChance: true,
    reason: 'Listings say what the answer to the creation said, which is charged: it may have been kept so.',
  },
  {
    flaws: ['fetched-status-dropped', 'fetched-name-in-capitals'],
    beside: ['created-status-dropped', 'created-name-in-capitals'],
    hides: ['get-matches-created'],
    isByChance: true,
    reason: 'Fetches say what the answer to the creation said, which is charged: it may have been kept so.',
  },
  {
    flaws: ['created-filed-as-available'],
    beside: ['created-status-dropped'],
    hides: ['list-shows-created'],
    reason: 'The answer to the creation told no status, so that listings are asked for the one that they know.',
  },
  {
    flaws: ['listed-name-null'],
    beside: [
      'listed-names-cut',
      'listed-names-in-small-letters',
      'listed-names-with-blanks-collapsed',
      'listed-names-escaped-for-html',
      'listed-names-normalised',
    ],
    hides: ['pet-shape'],
    isByChance: true,
    reason: 'What alters the names of listings makes a text of the null, where it comes after it.',
  },
  {
    flaws: ['window-of-two', 'limit-tenth-early', 'limit-one-early', 'counts-double', 'bucket-refills-at-half'],
    beside: [
      'one-of-two-without-limit',
      'one-of-two-without-limit-and-headers',
      'every-fourth-leaks',
      'two-that-count-apart',
      'two-that-count-apart-a-window-apart',
      'limit-per-connection',
    ],
    hides: ['rate-not-early'],
    isByChance: true,
    reason:
      'What one counter refuses too early another serves, or a server without any: in sum it is no less than the plan.',
  },
  {
    flaws: ['remaining-constant'],
    beside: [
      'bucket-by-quarters',
      'bucket-by-halves',
      'bucket-by-tenths',
      'bucket-by-sixtieths',
      'token-bucket-by-seconds',
    ],
    reddens: ['rate-429', 'rate-window'],
    isByChance: true,
    reason: 'What comes back at a beat is free as long as Remaining shows it, and this one never does.',
  },
  {
    flaws: ['created-ids-off-by-one-in-empty-store'],
    beside: ['ids-from-the-largest-down'],
    reddens: ['pet-int64'],
    reason: 'One more than the largest id is no int64.',
  },
  {
    flaws: ['invalid-value-422'],
    beside: [
      'empty-store-closed-categories',
      'closed-categories',
      'categories-within-int32',
      'long-names-refused',
      'names-of-fifty-at-most',
      'names-of-eighty-at-most',
    ],
    reddens: ['create-ok', 'create-status-optional', 'create-each-status'],
    reason: 'An unknown category or a long name is refused as any value is, where 400 alone is allowed.',
  },
  {
    flaws: ['reset-too-early'],
    beside: [
      'window-of-a-sixth',
      'window-of-a-sixth-rounded-down',
      'quarters-by-tenths',
      'leaky-bucket-checks-before-it-counts',
    ],
    hides: ['rate-reset-truthful'],
    isByChance: true,
    reason: 'So short a window is over, or one request back, within the second in which it refuses.',
  },
  {
    flaws: ['day-refused-with-403', 'day-not-enforced', 'day-tenth-over'],
    beside: ['limit-tenth-early'],
    hides: ['rate-day-quota'],
    isByChance: true,
    reason: 'The minute that ends early refuses the very request at which the day is used up.',
  },
  {
    flaws: ['never-restored'],
    beside: ['counted-per-address-line'],
    hides: ['rate-retry-after-honoured', 'rate-reset-truthful'],
    isByChance: true,
    reason: 'Who comes back may ask by another line than was refused, and that has an allowance of its own.',
  },
  {
    flaws: ['retry-after-half'],
    beside: [
      'small-bucket',
      'allowance-on-top-of-a-rate',
      'token-bucket',
      'token-bucket-by-seconds',
      'bucket-by-tenths',
      'bucket-by-sixtieths',
      'gcra',
      'strict-pacer',
      'leaky-bucket',
      'leaky-bucket-checks-before-it-counts',
      'load-slow-token-bucket',
    ],
    hides: ['rate-retry-after-honoured'],
    reason: 'The next request comes back in less than a second, and half of a second is told as one.',
  },
  {
    flaws: ['retry-after-past-date'],
    beside: ['load-slow-token-bucket'],
    hides: ['rate-retry-after-honoured'],
    isByChance: true,
    reason: 'At twenty a second one request may have come back by the time that it is sent again.',
  },
  {
    flaws: [
      'counted-per-address-line',
      'every-fourth-leaks',
      'one-of-two-without-limit',
      'one-of-two-without-limit-and-headers',
      'two-that-count-apart',
      'two-that-count-apart-a-window-apart',
      'limit-per-connection',
      'counted-by-address',
      'counted-per-operation',
      'only-reads-counted',
      'creations-not-counted',
      'fetches-not-limited',
      'refused-with-200',
    ],
    beside: ['day-by-token-bucket', 'day-by-sliding-log', 'day-counts-refusals'],
    reddens: ['rate-day-quota'],
    reason: 'What the minute does not count the day does not count either.',
  },
  {
    flaws: ['counted-per-operation', 'counted-per-address-line'],
    beside: ['keys-share-one-counter'],
    hides: ['rate-all-operations'],
    reason: 'The one counter behind all keys is the one behind all operations and paths as well.',
  },
  {
    flaws: ['two-that-count-apart', 'two-that-count-apart-a-window-apart'],
    beside: ['keys-share-one-counter'],
    hides: ['rate-429'],
    reason: 'The one counter behind all keys is the one behind both servers as well.',
  },
  {
    flaws: ['limit-per-connection'],
    beside: ['keys-share-one-counter'],
    hides: ['rate-concurrent'],
    reason: 'The one counter behind all keys is the one behind all connections as well.',
  },
  {
    flaws: ['remaining-full-on-creations'],
    beside: ['limit-header-differs-on-creations', 'limit-header-counts-down', 'limit-header-of-another-plan'],
    hides: ['rate-all-operations'],
    reason:
      'Headers that tell another limit may be of another window, and what they leave is not held against the minute.',
  },
  {
    flaws: ['keys-share-one-counter'],
    beside: ['remaining-constant'],
    hides: ['rate-per-key'],
    reason: 'Whose requests a key’s counter holds is told by Remaining alone, and it says nothing.',
  },
  {
    flaws: ['retry-after-in-milliseconds'],
    beside: [
      'bucket-by-tenths',
      'strict-pacer',
      'gcra',
      'token-bucket',
      'token-bucket-by-seconds',
      'load-slow-token-bucket',
      'small-bucket',
      'leaky-bucket',
      'leaky-bucket-checks-before-it-counts',
      'allowance-on-top-of-a-rate',
    ],
    hides: ['rate-retry-after-present'],
    reason: 'The milliseconds until one request comes back are seconds that a client could wait as well.',
  },
  {
    flaws: ['pro-served-as-free', 'counted-by-address'],
    beside: ['day-by-token-bucket', 'day-by-sliding-log', 'day-counts-refusals'],
    hides: ['rate-limit-value'],
    reason: 'A day is used up with the key of one plan, and no other plan has one there.',
  },
  {
    flaws: ['retry-after-half', 'retry-after-zero', 'retry-after-past-date'],
    beside: ['ban-401', 'ban-403', 'ban-by-the-last', 'ban-by-the-last-as-the-limit', 'never-bans'],
    reddens: ['ban-temporary'],
    reason: 'The refusals of a ban, or what is taken for one, tell a wait that is too short as well.',
  },
  {
    flaws: ['retry-after-half'],
    beside: ['retry-after-as-date', 'load-clock-ahead'],
    reddens: ['rate-retry-after-present'],
    reason: 'Half of a wait that is told as a date is a date long past.',
  },
  {
    flaws: ['keys-share-one-counter', 'counted-by-address'],
    beside: ['ban-401', 'ban-403', 'ban-403-without-retry-after'],
    reddens: ['ban-only-that-key'],
    reason: 'The ban hangs on a counter that other keys share.',
  },
  {
    flaws: ['never-restored', 'counted-by-address'],
    beside: ['ban-by-the-last-as-the-limit', 'never-bans'],
    reddens: ['ban-temporary'],
    isByChance: true,
    reason: 'A key that is never let back looks banned for ever.',
  },
  {
    flaws: ['only-reads-counted'],
    beside: ['ban-401', 'ban-403', 'never-bans', 'ban-by-the-last', 'ban-by-the-last-as-the-limit'],
    reddens: ['rate-window'],
    isByChance: true,
    reason: 'In short windows the creations that are not counted make up another window’s worth.',
  },
  {
    flaws: [
      'one-of-two-without-limit-and-headers',
      'two-that-count-apart',
      'two-that-count-apart-a-window-apart',
      'limit-per-connection',
    ],
    beside: ['small-bucket', 'leaky-bucket', 'token-bucket-by-seconds'],
    reddens: ['rate-window'],
    isByChance: true,
    reason: 'Two small buckets fill twice as fast as the plan.',
  },
  {
    flaws: [
      'every-fourth-leaks',
      'one-of-two-without-limit',
      'one-of-two-without-limit-and-headers',
      'two-that-count-apart',
      'two-that-count-apart-a-window-apart',
    ],
    beside: ['strict-pacer'],
    hides: ['rate-429'],
    isByChance: true,
    reason: 'A pacer refuses what comes too soon, and no burst goes on past its first refusal.',
  },
  {
    flaws: [
      'every-fourth-leaks',
      'limit-per-connection',
      'one-of-two-without-limit-and-headers',
      'checks-before-it-counts',
    ],
    beside: ['strict-pacer'],
    reddens: ['rate-not-early'],
    isByChance: true,
    reason: 'It gives now nothing and now as much as is asked for, as no pacer does.',
  },
  {
    flaws: ['checks-before-it-counts'],
    beside: [
      'strict-pacer',
      'token-bucket-by-seconds',
      'bucket-by-sixtieths',
      'bucket-by-tenths',
      'bucket-by-quarters',
      'bucket-by-halves',
      'load-slow-token-bucket',
    ],
    hides: ['rate-concurrent'],
    reddens: ['rate-headers-wellformed', 'rate-window'],
    isByChance: true,
    reason:
      'What came back at a beat just then explains as much, and a bucket that is overdrawn tells less than nothing.',
  },
  {
    flaws: ['counts-double'],
    beside: ['bucket-by-quarters', 'bucket-by-sixtieths'],
    reddens: ['rate-headers-wellformed'],
    isByChance: true,
    reason: 'A bucket from which two are taken is overdrawn, and tells less than nothing.',
  },
  {
    flaws: ['limit-per-connection'],
    beside: ['strict-pacer'],
    hides: ['rate-concurrent'],
    isByChance: true,
    reason: 'Each connection is paced, and one request on each is no more than a pacer of the plan may let through.',
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
