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
