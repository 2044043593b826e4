import type { Variant } from '../registry.js';
import { bodyVariants } from './bodies.js';
import { creatingVariants } from './creating.js';
import { exploringVariants } from './exploring.js';
import { limitVariants } from './limits.js';
import { listingVariants } from './listing.js';
import { routingVariants } from './routing.js';
import { storeVariants } from './stores.js';
import { transportVariants } from './transport.js';

/** Every variant that the server can be started with. */
export const variants: readonly Variant[] = [
  ...bodyVariants,
  ...listingVariants,
  ...storeVariants,
  ...creatingVariants,
  ...routingVariants,
  ...transportVariants,
  ...limitVariants,
  ...exploringVariants,
];
