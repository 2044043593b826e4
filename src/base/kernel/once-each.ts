/**
 * Caches a pure function of an immutable object, because many rows read the same exchange. A result lives as
 * long as its object.
 *
 * @param isLarge is true for a result that needs much memory: only the newest is kept, until the current work
 *   ends
 */
export function onceEach<Key extends object, Value>(
  compute: (key: Key) => Value,
  isLarge: (key: Key) => boolean = () => false,
): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  let newest: { readonly key: Key; readonly value: Value } | undefined;
  return (key) => {
    const entry = newest?.key === key ? newest : known.get(key);
    if (entry) return entry.value;
    const value = compute(key);
    if (isLarge(key)) {
      newest = { key, value };
      // Judging an exchange is synchronous, so one reading suffices.
      setImmediate(() => (newest = undefined)).unref();
    } else known.set(key, { value });
    return value;
  };
}
