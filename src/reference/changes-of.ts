import { flaws, rareFlaws, variants } from './catalogue.js';
import type { ReferenceOptions } from './options.js';
import { type Flaw, named, type Variant } from './registry.js';

/**
 * Returns the variants and flaws that options name, in the order of their changes. Throws `UsageError` for an
 * unknown name.
 */
export const changesOf = (
  options: Pick<Partial<ReferenceOptions>, 'flaws' | 'variants'>,
): readonly (Flaw | Variant)[] => [
  ...named('variant', variants, options.variants ?? []),
  ...named('flaw', [...flaws, ...rareFlaws], options.flaws ?? []),
];
