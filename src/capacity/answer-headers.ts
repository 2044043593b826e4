/** The headers of an answer that a load run looks at, as text. */
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

const NAMES: Readonly<Record<string, Name>> = {
  'content-type': 'contentType',
  'content-encoding': 'contentEncoding',
  'x-ratelimit-limit': 'limit',
  'x-ratelimit-remaining': 'remaining',
  'x-ratelimit-reset': 'reset',
  'retry-after': 'retryAfter',
  date: 'date',
};

const NONE: Readonly<Record<Name, null>> = {
  contentType: null,
  contentEncoding: null,
  limit: null,
  remaining: null,
  reset: null,
  retryAfter: null,
  date: null,
};

/**
 * Reads headers out of a flat list of names and values, as parsers give it. A server writes the same names in the same
 * order again and again: where each stood is remembered, and looked up by comparing names as they came. Several of one
 * name are joined (RFC 9110 section 5.3).
 */
export function headerReader(): (flat: readonly string[]) => AnswerHeaders {
  /** For every place of the list before: the name as it came, and what it is to us. */
  let written: readonly string[] = [];
  let meaning: readonly (Name | null)[] = [];
  return (flat) => {
    const isAlike = flat.length === written.length * 2 && written.every((name, at) => flat[at * 2] === name);
    if (!isAlike) {
      written = flat.filter((_, at) => at % 2 === 0);
      meaning = written.map((name) => NAMES[name.toLowerCase()] ?? null);
    }
    const found: Record<Name, string | null> = { ...NONE };
    for (let at = 0; at < meaning.length; at += 1) {
      const name = meaning[at];
      if (!name) continue;
      const value = flat[at * 2 + 1] ?? '';
      const before = found[name];
      found[name] = before === null ? value : `${before}, ${value}`;
    }
    return found;
  };
}
