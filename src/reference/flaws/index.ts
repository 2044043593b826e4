import type { Flaw } from '../registry.js';
import { addressFlaws } from './addresses.js';
import { creatingFlaws } from './creating.js';
import { errorFlaws } from './errors.js';
import { fetchingFlaws } from './fetching.js';
import { filteringFlaws } from './filtering.js';
import { keyFlaws } from './keys.js';
import { allowanceFlaws, scopeFlaws } from './limits.js';
import { listingFlaws } from './listing.js';
import { orderFlaws } from './order.js';
import { malformedHeaderFlaws, missingHeaderFlaws } from './rate-headers.js';
import { banFlaws } from './bans.js';
import { figureFlaws } from './figures.js';
import { quotaFlaws } from './quotas.js';
import { refusalFlaws } from './refusals.js';
import { invalidValueFlaws } from './invalid-values.js';
import { missingFieldFlaws } from './missing-fields.js';
import { leavingFlaws } from './leaving.js';
import { numberingFlaws } from './numbering.js';
import { matchingFlaws } from './matching.js';
import { schemeFlaws } from './schemes.js';
import { mediaTypeFlaws, shapeFlaws } from './shapes.js';
import { timeFlaws } from './times.js';

/** Every flaw that the server can be started with, in the order of the interface. */
export const flaws: readonly Flaw[] = [
  ...mediaTypeFlaws,
  ...shapeFlaws,
  ...errorFlaws,
  ...listingFlaws,
  ...filteringFlaws,
  ...matchingFlaws,
  ...creatingFlaws,
  ...numberingFlaws,
  ...missingFieldFlaws,
  ...invalidValueFlaws,
  ...leavingFlaws,
  ...fetchingFlaws,
  ...keyFlaws,
  ...schemeFlaws,
  ...orderFlaws,
  ...missingHeaderFlaws,
  ...malformedHeaderFlaws,
  ...allowanceFlaws,
  ...scopeFlaws,
  ...timeFlaws,
  ...quotaFlaws,
  ...refusalFlaws,
  ...figureFlaws,
  ...banFlaws,
  ...addressFlaws,
];
