/** Counts the sorted items before the first one that does not fulfil a condition, in logarithmic time. */
export function countWhile<Item>(items: readonly Item[], fulfils: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (fulfils(items[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Counts as `countWhile` does, for conditions that change little from one call to the next: each count goes
 * on from the last one.
 */
export function countingOn<Item>(items: readonly Item[]): (fulfils: (item: Item) => boolean) => number {
  let place = 0;
  return (fulfils) => {
    while (place < items.length && fulfils(items[place] as Item)) place += 1;
    while (place > 0 && !fulfils(items[place - 1] as Item)) place -= 1;
    return place;
  };
}
