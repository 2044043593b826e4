/** The first of some texts that stands in another, and where. */
export interface Found {
  readonly text: string;
  readonly at: number;
}

/** Bytes that one comparison takes at once. */
const GRAM = 4;

/**
 * Looks for many texts at once, whatever the case, in one pass and not in one for each: a log of megabytes is searched for
 * thousands of parts of keys. Every text that is at least `shortest` long covers one of the places that stand
 * `shortest - GRAM + 1` apart with a whole gram, so that only there it has to be looked whether one of them goes on.
 * @param texts of ASCII letters, each at least `shortest` long
 */
export function searchFor(texts: readonly string[], shortest: number): (where: string) => Found | null {
  const step = shortest - GRAM + 1;
  const starts = new Map<number, { readonly bytes: Buffer; readonly offset: number }[]>();
  for (const text of texts) {
    const bytes = Buffer.from(text.toLowerCase());
    if (bytes.length < shortest) throw new Error(`“${text}” is too short to be searched for.`);
    for (let offset = 0; offset < step; offset += 1) {
      const gram = bytes.readUInt32LE(offset);
      starts.set(gram, [...(starts.get(gram) ?? []), { bytes, offset }]);
    }
  }
  return (where) => {
    const bytes = Buffer.from(where.toLowerCase());
    for (let place = 0; place + GRAM <= bytes.length; place += step)
      for (const { bytes: text, offset } of starts.get(bytes.readUInt32LE(place)) ?? []) {
        const at = place - offset;
        if (at >= 0 && text.equals(bytes.subarray(at, at + text.length)))
          return { text: text.toString(), at: bytes.subarray(0, at).toString().length };
      }
    return null;
  };
}
