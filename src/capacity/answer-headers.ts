/** Headers of a response that a load run reads, as text. */
export interface AnswerHeaders {
  readonly contentType: string | null;
  readonly contentEncoding: string | null;
  readonly limit: string | null;
  readonly remaining: string | null;
  readonly reset: string | null;
  readonly retryAfter: string | null;
  readonly date: string | null;
}

type Name = keyof AnswerHeaders;

const NAMES: ReadonlyMap<string, Name> = new Map<string, Name>([
  ['content-type', 'contentType'],
  ['content-encoding', 'contentEncoding'],
  ['x-ratelimit-limit', 'limit'],
  ['x-ratelimit-remaining', 'remaining'],
  ['x-ratelimit-reset', 'reset'],
  ['retry-after', 'retryAfter'],
  ['date', 'date'],
]);

/**
 * Returns a reader of headers from a parser's flat list of names and values. A server repeats the same names in the
 * same order, so the reader keeps their places and compares names. Values of one name are joined (RFC 9110 section
 * 5.3).
 */
export function headerReader(): (flat: readonly string[]) => AnswerHeaders {
  /** Names of the previous list, and the places of the values that are read. */
  let written: readonly string[] = [];
  let places = placesIn(written);
  return (flat) => {
    if (!isAlike(flat, written)) {
      written = flat.filter((_, at) => at % 2 === 0);
      places = placesIn(written);
    }
    return {
      contentType: valueAt(flat, places.contentType),
      contentEncoding: valueAt(flat, places.contentEncoding),
      limit: valueAt(flat, places.limit),
      remaining: valueAt(flat, places.remaining),
      reset: valueAt(flat, places.reset),
      retryAfter: valueAt(flat, places.retryAfter),
      date: valueAt(flat, places.date),
    };
  };
}

function isAlike(flat: readonly string[], written: readonly string[]): boolean {
  if (flat.length !== written.length * 2) return false;
  for (let at = 0; at < written.length; at += 1) if (flat[at * 2] !== written[at]) return false;
  return true;
}

/** Place of a value; several for a repeated name. */
type Place = number | readonly number[] | null;

function placesIn(written: readonly string[]): Readonly<Record<Name, Place>> {
  const found: Record<Name, Place> = {
    contentType: null,
    contentEncoding: null,
    limit: null,
    remaining: null,
    reset: null,
    retryAfter: null,
    date: null,
  };
  written.forEach((name, at) => {
    const meaning = NAMES.get(name.toLowerCase());
    if (meaning) found[meaning] = found[meaning] === null ? at * 2 + 1 : [found[meaning], at * 2 + 1].flat();
  });
  return found;
}

function valueAt(flat: readonly string[], place: Place): string | null {
  if (place === null) return null;
  return typeof place === 'number' ? (flat[place] ?? '') : place.map((each) => flat[each] ?? '').join(', ');
}
