import type { Flaw, Variant } from './registry.js';
import { creatingFlaws } from './flaws/creating.js';
import { fetchingFlaws } from './flaws/fetching.js';
import { filteringFlaws } from './flaws/filtering.js';
import { keyFlaws } from './flaws/keys.js';
import { limitFlaws } from './flaws/limits.js';
import { listingFlaws } from './flaws/listing.js';
import { animalFlaws } from './flaws/animals.js';
import { rateHeaderFlaws } from './flaws/rate-headers.js';
import { refusalFlaws } from './flaws/refusals.js';
import { refusedCreationFlaws } from './flaws/refused-creations.js';
import { errorFlaws, mediaTypeFlaws, shapeFlaws } from './flaws/shapes.js';
import { rareMoments } from './rare/moments.js';
import { rareNames } from './rare/names.js';
import { rareReads } from './rare/reads.js';
import { rareResidents } from './rare/residents.js';
import { rareSpellings } from './rare/spellings.js';
import { rareCreations } from './rare/creations.js';
import { creatingVariants } from './variants/creating.js';
import { limitVariants } from './variants/limits.js';
import { listingVariants } from './variants/listing.js';
import { routingVariants } from './variants/routing.js';
import { storeVariants } from './variants/stores.js';
import { transportVariants } from './variants/transport.js';

/** In the order of the interface. */
export const flaws: readonly Flaw[] = [
  ...mediaTypeFlaws,
  ...shapeFlaws,
  ...errorFlaws,
  ...listingFlaws,
  ...filteringFlaws,
  ...animalFlaws,
  ...creatingFlaws,
  ...refusedCreationFlaws,
  ...fetchingFlaws,
  ...keyFlaws,
  ...rateHeaderFlaws,
  ...limitFlaws,
  ...refusalFlaws,
];

/** Flaws that need one value, order or moment, so fixed requests miss them: tests of exploring. */
export const rareFlaws: readonly Flaw[] = [
  ...rareNames,
  ...rareCreations,
  ...rareSpellings,
  ...rareReads,
  ...rareResidents,
  ...rareMoments,
];

export const variants: readonly Variant[] = [
  ...listingVariants,
  ...storeVariants,
  ...creatingVariants,
  ...routingVariants,
  ...transportVariants,
  ...limitVariants,
];
