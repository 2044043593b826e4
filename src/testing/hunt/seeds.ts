import { createHash } from 'node:crypto';

/** Returns the seed of one case. It does not depend on how many cases other hunts judged. */
export const seedOf = (seed: number, hunt: string, index: number): number =>
  createHash('sha256').update(`${seed} ${hunt} ${index}`).digest().readInt32BE();

/** Shuffles a list in an order that only the seed decides (Fisher and Yates). */
export function shuffled<T>(list: readonly T[], seed: number): readonly T[] {
  const keyed = list.map((item, at) => [seedOf(seed, 'shuffle', at), item] as const);
  return keyed.toSorted(([one], [other]) => one - other).map(([, item]) => item);
}
