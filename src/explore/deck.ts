import * as fc from 'fast-check';

/** A seed of its own for each thing that is drawn: two 32-bit mixing constants, of MurmurHash3 and of the golden ratio. */
export const mixed = (seed: number, salt: number, nth: number): number =>
  (Math.imul(seed ^ Math.imul(salt + 1, 0x9e3779b1), 0x85ebca6b) + Math.imul(nth + 1, 0xc2b2ae35)) | 0;

/** The cards in an order that the seed decides. */
export const shuffled = <T>(seed: number, cards: readonly T[]): readonly T[] =>
  fc.sample(fc.shuffledSubarray([...cards], { minLength: cards.length }), { seed, numRuns: 1, unbiased: true })[0] ??
  cards;

/**
 * Deals classes like cards: all of them once in an order that the seed decides, then all again in another. By chance alone
 * four hundred requests leave out half of what they could try.
 */
export function deck<T>(seed: number, salt: number, cards: readonly T[]): (nth: number) => T {
  let [dealt, of] = [cards, -1];
  return (nth) => {
    const round = Math.floor(nth / cards.length);
    if (round !== of) [dealt, of] = [shuffled(mixed(seed, salt, round), cards), round];
    return dealt[nth % cards.length] as T;
  };
}
