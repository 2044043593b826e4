/**
 * A pure function of an immutable object, computed once for each: many rows read the same exchange. What was computed
 * lives as long as the object.
 * @param isLarge where what is computed takes so much memory that only the newest is held, and no longer than it is worked with
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
      // What is judged at one go is judged with one reading.
      setImmediate(() => (newest = undefined)).unref();
    } else known.set(key, { value });
    return value;
  };
}
