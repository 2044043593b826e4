import type { ReferenceOptions } from '../reference/index.js';
import { flaws, rareFlaws, variants } from './catalogue.js';
import { type Flaw, named, type Variant } from './registry.js';

/** Options of a reference server with variants and flaws. */
export interface AlteredOptions extends ReferenceOptions {
  /** Names from `flaws` and `rareFlaws`. */
  readonly flaws: readonly string[];
  /** Names from `variants`. */
  readonly variants: readonly string[];
}

/**
 * Returns the variants and flaws that options name, in the order of their changes. Throws `UsageError` for an
 * unknown name.
 */
export const changesOf = (
  options: Pick<Partial<AlteredOptions>, 'flaws' | 'variants'>,
): readonly (Flaw | Variant)[] => [
  ...named('variant', variants, options.variants ?? []),
  ...named('flaw', [...flaws, ...rareFlaws], options.flaws ?? []),
];
