import type { Interplay } from './interplay.js';

/** Sound servers that refuse a category or a name with 400, as they may. */
const REFUSE_WHAT_IS_FREE: readonly string[] = [
  'empty-store-closed-categories',
  'closed-categories',
  'categories-within-int32',
  'long-names-refused',
  'names-of-fifty-at-most',
  'names-of-eighty-at-most',
];

/** What members of a server do to each other that the suites see. */
export const SUITES_INTERPLAYS: readonly Interplay[] = [
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
    flaws: ['missing-body-taken'],
    beside: ['status-required'],
    hides: ['create-body-required'],
    reason: 'The animal of nothing but defaults has no status, and is refused for that.',
  },
  {
    flaws: ['created-with-200', 'created-with-202', 'created-with-see-other'],
    beside: ['replica-behind', 'eventual-consistency', 'eventual-listings', 'listings-late'],
    reddens: ['list-limit-default'],
    isByChance: true,
    reason: 'What is not taken for an addition is not waited for, and two listings that mean the same differ by it.',
  },
  {
    flaws: ['names-double-encoded'],
    beside: ['nothing-but-text-taken'],
    reddens: ['create-ok'],
    reason: 'Read as Latin-1 an accented letter has a control character, for which the name is refused.',
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
    flaws: ['created-ids-begin-again'],
    beside: ['pages-of-twenty-newest-first'],
    reddens: ['get-matches-created', 'list-matches-created', 'list-matches-get'],
    reason:
      'Pages that end before the oldest do not tell that another animal has that id, and it is the one that is fetched.',
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
    beside: REFUSE_WHAT_IS_FREE,
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
    flaws: ['created-ids-off-by-one-in-empty-store'],
    beside: ['ids-from-the-largest-down'],
    reddens: ['pet-int64'],
    reason: 'One more than the largest id is no int64.',
  },
  {
    flaws: ['invalid-value-422'],
    beside: REFUSE_WHAT_IS_FREE,
    reddens: ['create-ok', 'create-status-optional', 'create-each-status'],
    reason: 'An unknown category or a long name is refused as any value is, where 400 alone is allowed.',
  },
];
