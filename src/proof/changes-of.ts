import type { Alteration, Change, ReferenceOptions } from '../reference/index.js';
import { flaws, rareFlaws, variants } from './catalogue.js';
import { named } from './registry.js';

export interface AlteredOptions extends ReferenceOptions {
  /** Names from `flaws` and `rareFlaws`. */
  readonly flaws: readonly string[];
  readonly variants: readonly string[];
  /** A further change, after those of its flaws and variants. */
  readonly change: Change;
}

/**
 * Returns what alters a server by the names of variants and flaws, in their order. Throws `UsageError` for an
 * unknown name.
 */
export const changesOf = ({
  flaws: flawed = [],
  variants: varied = [],
  change,
}: Partial<AlteredOptions>): readonly Alteration[] => [
  ...named('variant', variants, varied),
  ...named('flaw', [...flaws, ...rareFlaws], flawed),
  ...(change ? [{ change, options: {} }] : []),
];
