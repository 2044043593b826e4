import { createHash } from 'node:crypto';

/** The seed of one case: a hunt's cases do not hang on how many another hunt had the time for. */
export const seedOf = (seed: number, hunt: string, index: number): number =>
  createHash('sha256').update(`${seed} ${hunt} ${index}`).digest().readInt32BE();

/** A list in an order that hangs on the seed alone (Fisher and Yates). */
export function shuffled<T>(list: readonly T[], seed: number): readonly T[] {
  const keyed = list.map((item, at) => [seedOf(seed, 'shuffle', at), item] as const);
  return keyed.toSorted(([one], [other]) => one - other).map(([, item]) => item);
}
