/** First of several texts found in another, and its position. */
export interface Found {
  readonly text: string;
  readonly at: number;
}

/** Bytes per comparison. */
const GRAM = 4;

/**
 * Searches for many texts in one pass, ignoring case: a log of megabytes is searched for thousands of parts
 * of keys. A text of at least `shortest` bytes covers a whole gram at one of the places `shortest - GRAM + 1`
 * apart. So only there a full comparison is needed.
 *
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
