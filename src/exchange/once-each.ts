/**
 * A pure function of an immutable object, computed once for each: many rows read the same exchange. What was computed
 * lives as long as the object.
 */
export function onceEach<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const entry = known.get(key);
    if (entry) return entry.value;
    const value = compute(key);
    known.set(key, { value });
    return value;
  };
}
